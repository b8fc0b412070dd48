"""Columns of `System.forces`, one row per force law."""

from typing import Final

A: Final = 0  # coordinate function or body
QUADRATURE: Final = 1  # work of this element
X: Final = 2  # the kind's own integers
COLUMNS: Final = 10
REALS: Final = 22
