"""Playing a run: the playhead, the engine behind it, and what the session can be doing."""
