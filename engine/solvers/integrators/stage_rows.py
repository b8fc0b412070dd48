"""Rows of `Work.stages` that the equations of a stage take, from a first one on (`implicit.py`)."""

from typing import Final

SLOPE: Final = 0  # rate at the iterate
SHIFTED: Final = 1  # scratch
GAP: Final = 2  # what is left of the equations, then the correction
ROWS: Final = 3
