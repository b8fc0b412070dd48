"""Visuals of what couples coordinates and of rolling, one file per symbol."""
