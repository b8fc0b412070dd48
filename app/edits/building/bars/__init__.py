"""Bars: bodies with a length, and edits of it."""
