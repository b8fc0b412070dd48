"""Dialogs that choose channels."""
