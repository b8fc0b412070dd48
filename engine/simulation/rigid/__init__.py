"""Rigid limits and held friction: constraint rows that come and go at located events of a run."""
