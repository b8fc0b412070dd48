"""Panels of the window, one file each; every panel takes the session and shows it."""
