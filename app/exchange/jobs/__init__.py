"""Exports in the background: on a thread, or in another process."""
