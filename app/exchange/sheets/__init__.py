"""Plots for paper, drawn by another process."""
