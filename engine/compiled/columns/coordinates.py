"""Columns of `System.coordinate_functions`."""

from typing import Final

BLOCK: Final = 0
BLOCKS: Final = 1
COLUMNS: Final = 2
