"""Columns of `Work.scratch` of the recursion over a tree: one row per row of `System.tree`, the world last.

All in world axes, forces and moments about the origin of the frame.
"""

from typing import Final

R: Final = 0  # axes of the frame, nine numbers
P: Final = 9  # its origin
SPIN: Final = 12
V: Final = 15  # velocity of the origin
AXIS: Final = 18
ARM: Final = 21  # from the parent's origin
TURN_BIAS: Final = 24  # accelerations that come from velocities: angular
BIAS: Final = 27  # and of the origin
INERTIA: Final = 30  # of what the movement carries: moments by angular accelerations, six numbers
COUPLING: Final = 36  # moments by accelerations of the origin, nine numbers
MASS: Final = 45  # forces by accelerations of the origin, six numbers
MOMENT: Final = 51  # at rest
FORCE: Final = 54
PUSH: Final = 57  # moment and force of a unit of z̈; of a ball: the inverse of INERTIA
PIVOT: Final = 63  # reciprocal
EFFORT: Final = 64  # what is left to accelerate the movement, three numbers of a ball
ALPHA: Final = 67
ACCELERATION: Final = 70
SHIFT: Final = 73  # advance of a screw at zero
ANGLE: Final = 74  # in the plane: of the body that it carries, or of the one before
QUATERNION: Final = 75  # of the body in the last sample
ARM_TO_CENTRE: Final = 79
HALF: Final = 82  # 1, 2, 3: the joint is closed after half a turn about x, y or z of the frame; 0: without
COLUMNS: Final = 83
