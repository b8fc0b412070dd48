"""Edits of the start: another pose, or an instant of a run."""
