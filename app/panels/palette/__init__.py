"""The palette: tools that add things, by section."""
