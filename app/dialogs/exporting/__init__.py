"""Dialogs that write a file."""
