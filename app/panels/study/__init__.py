"""Studies in the window: made, run, and looked at from several sides."""
