"""Columns of `System.tree_reals`."""

from typing import Final

AXES: Final = 0  # of the frame at zero in that of its parent, nine numbers
POINT: Final = 9  # its origin there
TURN: Final = 12  # turned by a unit of the coordinate [rad]
ADVANCE: Final = 13  # advanced along the axis by it [m]
MASS: Final = 14
CENTRE: Final = 15  # centre of mass of the body in the frame
BODY_AXES: Final = 18  # axes of the body in the frame, nine numbers
INERTIA: Final = 27  # about the origin of the frame, in its axes: xx, xy, xz, yy, yz, zz
MARK: Final = 33  # a direction across the axis at zero, in the frame, from which turns are read
MARKED: Final = 36  # the same direction on the body that the joint carries
JOINT_POINT: Final = 39  # where the joint is on that body
ANGLE: Final = 42  # in the plane, where it carries a body: angle of that against the body before, at zero
COLUMNS: Final = 43
