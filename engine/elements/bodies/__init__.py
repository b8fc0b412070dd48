"""Bodies, their shapes, and the paths that points of them draw."""
