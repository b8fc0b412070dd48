"""Prescribed functions of time that no motion can follow: not finite, or with jumps."""
