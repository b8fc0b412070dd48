"""Bringing work of others in: measured series, meshes, robots."""
