"""Edits that build: bodies by drawing, joints and forces between them, lengths, masses, templates."""
