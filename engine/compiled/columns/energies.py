"""Entries of `Work.energy`."""

from typing import Final

KINETIC: Final = 0
GRAVITY: Final = 1
ELASTIC: Final = 2
COLUMNS: Final = 3
