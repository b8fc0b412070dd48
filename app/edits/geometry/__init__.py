"""Edits of where elements are: shift, turn, mirror, repeat, move on their bodies."""
