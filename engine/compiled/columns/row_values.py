"""Columns of `Work.row`."""

from typing import Final

PHI: Final = 0
RATE: Final = 1
GAMMA: Final = 2
LAMBDA: Final = 3
F: Final = 4  # function of time and its derivatives
FT: Final = 5
FTT: Final = 6
SOLVE: Final = 7  # right-hand side and solution of the linear algebra
RESIDUAL: Final = 8
WEIGHT: Final = 9  # of the row in the augmented matrix
METRIC_WEIGHT: Final = 10  # the same in the matrix of a metric
COLUMNS: Final = 11
