"""Other programs on the same problems: work against precision, and steps of open chains."""
