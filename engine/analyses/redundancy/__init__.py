"""Redundant constraints: which, why, and remedies."""
