"""The scene as it is drawn: its elements, highlights, traces, and which element is where."""
