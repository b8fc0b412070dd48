"""Columns of `System.rows`, one row per constraint equation."""

from typing import Final

COORDINATE: Final = 0
VELOCITY: Final = 1  # 1: the row exists at velocity level only
PROGRAM: Final = 2  # function of time, or -1 for the constant target
ACTIVE: Final = 3
QUADRATURE: Final = 4  # work of the motion that owns the row, or -1
COLUMNS: Final = 5
