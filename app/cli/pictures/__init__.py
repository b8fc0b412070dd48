"""Plots that commands draw without a window."""
