"""Preferences and the window's memory, kept in an ini file."""

from app.platform.settings.store import LIMITS, Preferences, Settings

__all__ = ["LIMITS", "Preferences", "Settings"]
