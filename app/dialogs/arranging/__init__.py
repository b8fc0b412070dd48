"""Dialogs for mirror images and patterns."""
