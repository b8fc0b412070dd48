"""Sorts of movement in `System.tree`."""

from typing import Final

HELD: Final = 0
ALONG_AXIS: Final = 1  # turn, slide or both
BALL: Final = 2
COLUMNS: Final = 3
