"""Rows of `Work.diagonal`."""

from typing import Final

INVERSE: Final = 0  # reciprocal diagonal of the factor
ORDERED: Final = 1  # right-hand side and solution in the order of the factor
INFO: Final = 2  # smallest ratio of pivot to diagonal of the rows that count as independent; how many do not
MASK: Final = 3  # 1 for rows that repeated others at the start
COLUMNS: Final = 4
