"""Entries of the clock of a run."""

from typing import Final

NOW: Final = 0
ORIGIN: Final = 1  # of the step grid
INDEX: Final = 2  # grid points passed
STEP: Final = 3  # step of the grid, or the largest step of an adaptive scheme
NEXT: Final = 4  # step that an adaptive scheme proposes; 0 at the start
USED: Final = 5  # size of the last accepted step
FREQUENCY: Final = 6  # largest natural frequency that a method found at the present state [rad/s], or 0
COLUMNS: Final = 8
