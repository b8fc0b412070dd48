"""Sparse matrices whose pattern is known before their values: patterns, orderings, counts."""
