"""Columns of `System.row_reals`."""

from typing import Final

TARGET: Final = 0
SCALE: Final = 1  # characteristic size: violation/scale is a plain number
COLUMNS: Final = 2
