"""Forms of the primitive `composite`, and how many coordinate functions each is made of."""

from typing import Final

WHEEL_HEIGHT: Final = 0
FORWARD: Final = 1
SIDEWAYS: Final = 2
TRUE_FORWARD: Final = 3
TRUE_SIDEWAYS: Final = 4
ROAD_HEIGHT: Final = 5
ROAD_SLIP: Final = 6
PLANAR_FORWARD: Final = 7
COUNTS: Final = (2, 5, 5, 5, 5, 3, 3, 2)
VALUES: Final = (WHEEL_HEIGHT, ROAD_HEIGHT)  # all others are rows on velocity level
