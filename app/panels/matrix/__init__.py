"""The matrix window: patterns before and after an ordering."""
