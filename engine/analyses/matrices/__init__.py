"""The matrices of a mechanism: patterns, orderings, what elimination costs."""
