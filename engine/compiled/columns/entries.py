"""Columns of `System.entries`, one row per primitive."""

from typing import Final

A: Final = 0
B: Final = 1
PLANAR: Final = 2
COORDINATE: Final = 3
COUNT: Final = 4
BLOCK: Final = 5
X: Final = 6  # the kind's own integers
COLUMNS: Final = 12
REALS: Final = 26
