"""Columns of `System.bodies`."""

from typing import Final

PLANAR: Final = 0
Q: Final = 1
V: Final = 2
NQ: Final = 3
NV: Final = 4
COLUMNS: Final = 5
