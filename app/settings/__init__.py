"""Preferences and the window's memory, kept in an ini file."""

from app.settings.store import Preferences, Settings

__all__ = ["Preferences", "Settings"]
