"""The panel of parameters."""
