"""Dialogs that read a file."""
