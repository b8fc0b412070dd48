"""Marks in the picture: labels, grid, arrows, outlines, traces."""
