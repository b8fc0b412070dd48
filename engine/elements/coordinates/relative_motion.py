"""How frame B of a joint moves in frame A, movement by movement: joints that trees are made of declare it."""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Movement:
    """A turn about an axis of the frame that the movements before it have reached, a slide along it, or a
    ball, which turns about all three.

    `advance`: what a turn slides along its axis [m/rad], from where the joint was at zero; None: the points
    of the joint stay together. `tilted`: a quarter turn about x comes before it.
    Slides come before turns, and no axis is that of another movement of the same sort.
    """

    sort: Literal["turn", "slide", "ball"]
    axis: Literal["x", "y", "z"] = "z"
    advance: float | None = None
    tilted: bool = False


Movements = tuple[Movement, ...]

TURN = Movement("turn")
BALL = Movement("ball")
FREE: Movements = (Movement("slide", "x"), Movement("slide", "y"), Movement("slide", "z"), BALL)
PLANAR_FREE: Movements = (Movement("slide", "x"), Movement("slide", "y"), TURN)
