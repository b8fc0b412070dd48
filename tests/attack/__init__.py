"""Hostile inputs: one generator of cases per kind of file; see `__main__` for all of them."""
