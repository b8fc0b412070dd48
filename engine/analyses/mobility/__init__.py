"""Degrees of freedom, and motion along them."""
