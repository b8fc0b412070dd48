"""Numbers in the picture: sizes of arrows, a scale for them, and measures as dimensions and arcs."""
