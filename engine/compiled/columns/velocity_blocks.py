"""Columns of `System.velocity_blocks`: where the block of two bodies stands in a matrix over the velocities.

Entry (i, j) of the block is number START + i·ROW_STEP + j·COLUMN_STEP of the matrix; one of the steps is 1.
The first blocks are those of each body with itself; their COLUMN_STEP is 1.
"""

from typing import Final

ROW_VELOCITY: Final = 0  # first velocity of the body whose rows these are
COLUMN_VELOCITY: Final = 1  # the same for the columns
START: Final = 2
ROW_STEP: Final = 3
COLUMN_STEP: Final = 4
COLUMNS: Final = 5
