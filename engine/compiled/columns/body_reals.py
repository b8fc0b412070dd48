"""Columns of `System.body_reals`."""

from typing import Final

MASS: Final = 0
MASS_INV: Final = 1
INERTIA: Final = 2  # nine numbers, body axes, about the centre of mass
INERTIA_INV: Final = 11
GRAVITY: Final = 20  # acceleration of gravity in the world
COLUMNS: Final = 23
