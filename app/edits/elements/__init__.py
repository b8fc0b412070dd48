"""Edits of whole elements: add, remove, rename, copy, group, show and hide."""
