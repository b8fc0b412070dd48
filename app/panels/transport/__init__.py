"""The transport bar, and the chooser of methods."""
