"""Columns of `Work.coordinate_function`."""

from typing import Final

VALUE: Final = 0
RATE: Final = 1
BIAS: Final = 2  # s'' = grad·a + bias
REFERENCE: Final = 3  # value after the last accepted step: angles unwrap about it
COLUMNS: Final = 4
