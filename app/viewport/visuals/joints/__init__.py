"""Visuals of joints, one file per symbol."""
