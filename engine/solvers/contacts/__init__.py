"""Many contacts at once: which shapes are near, where they touch, and the impulses between them."""
