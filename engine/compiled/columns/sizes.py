"""Entries of `System.sizes`: counts."""

from typing import Final

BODIES: Final = 0
NQ: Final = 1
NV: Final = 2
ROWS: Final = 3
COORDINATES: Final = 4
FORCES: Final = 5
QUADRATURES: Final = 6
RANK: Final = 7  # independent rows at a generic pose; −1 until a method asks (`Method.ranks`)
RANK_POSITION: Final = 8  # the same without the rows that exist at velocity level only
MOTIONS: Final = 11  # rows with a work integral
MASSLESS: Final = 9  # 1 when the mass matrix has no inverse
PRIMITIVES: Final = 10  # kinds of primitives: rows of `ranges` before the forces
FACTOR_PRODUCTS: Final = 12  # multiplications of one symmetric factor of a matrix over the velocities
VELOCITY_ROWS: Final = 13  # rows that exist at velocity level only
SWITCHES: Final = 14  # laws whose held state is watched; a driver sets 0 while it looks for an instant
COLUMNS: Final = 15
