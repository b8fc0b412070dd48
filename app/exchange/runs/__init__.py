"""Runs of the window as files, and files as runs of the window."""
