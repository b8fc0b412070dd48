"""Columns of `Work.pose`."""

from typing import Final

R: Final = 0  # rotation matrix, nine numbers
P: Final = 9  # position of the centre of mass
V: Final = 12  # its velocity
W: Final = 15  # angular velocity, body axes
ANGLE: Final = 18  # planar bodies: unwrapped angle
SPIN: Final = 19  # angular velocity, world axes
COLUMNS: Final = 22
