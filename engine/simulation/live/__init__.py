"""Runs that a person watches and edits: the engine thread and its mail."""
