"""Points of a linkage that follow a target on the constraints."""
