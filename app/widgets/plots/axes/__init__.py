"""Axes of a plot, and the view between them."""
