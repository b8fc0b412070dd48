"""Visuals of forces and motions, one file per symbol."""
