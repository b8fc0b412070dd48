"""Columns of `System.coordinate_functions`."""

from typing import Final

BLOCK: Final = 0
BLOCKS: Final = 1
PAIR: Final = 2  # its pairs of blocks in `System.pairs`, row by row; −1 where nothing acts on it
COLUMNS: Final = 3
