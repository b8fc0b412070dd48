"""The panel that searches the best values of the scene's parameters."""
