"""Rows of `Work.vectors`, each one number per velocity."""

from typing import Final

Q: Final = 0  # generalised forces, gyroscopic ones included
A: Final = 1
FREE: Final = 2  # linear algebra
STEP: Final = 3
TRIAL: Final = 4
COLUMNS: Final = 5
