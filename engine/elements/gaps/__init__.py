"""Gaps between shapes that may touch: which features are nearest, and how the gap between them moves."""
