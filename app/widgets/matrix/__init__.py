"""Patterns of matrices: as an image, on paper, and to be looked at closely."""
