"""Entries of `Work.diagonal[DIAGONAL.INFO]`: what the factorisation found."""

from typing import Final

WORST: Final = 0
LEFT_OUT: Final = 1
RAISED: Final = 2
USUAL: Final = 3  # largest value of the smallest ratio since the start
FEWEST: Final = 4  # fewest rows left out since the start: those that are always dependent
COLUMNS: Final = 5
