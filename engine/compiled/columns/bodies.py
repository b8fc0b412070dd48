"""Columns of `System.bodies`."""

from typing import Final

PLANAR: Final = 0
Q: Final = 1
V: Final = 2
NQ: Final = 3
NV: Final = 4
LONE: Final = 5  # 1 when no row couples it with another body that moves
STRAIGHT: Final = 6  # 1 when each of its rows pushes it along one axis of the world or turns it only
COLUMNS: Final = 7
