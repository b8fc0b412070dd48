"""From the scene to flat arrays."""
