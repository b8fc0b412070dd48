"""A frame on a body: where a joint, a force or a point of interest sits."""

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engine.compiled.layout import Array


@dataclass(frozen=True)
class Place:
    """A body at the given pose: origin and rotation in the world, centre of mass in the body frame.

    What is fixed belongs to the world and has its index, the last one.
    """

    name: str
    index: int
    fixed: bool
    origin: "Array"
    R_WB: "Array"
    com: "Array"
    angle: float  # in the plane, whole turns kept [rad]

    def point(self, p_B: "Array") -> "Array":
        """World position of a point of the body frame."""
        return self.origin + self.R_WB @ p_B

    def local(self, p_W: "Array") -> "Array":
        """Body-frame position of a world point."""
        return self.R_WB.T @ (p_W - self.origin)


@dataclass(frozen=True)
class Frame:
    """A frame on a body: origin `p_B` [m] and axes `axes_B` (columns x, y, z) in the body frame.

    Compiled code counts from centres of mass and knows no fixed bodies: for it there are `body`, `point` and
    `axes`, which are those of the world where the body is fixed.
    """

    place: Place
    p_B: "Array"
    axes_B: "Array"
    taken: bool = False  # in the plane: its x axis is that of the other frame, at the given pose

    @property
    def name(self) -> str:
        """Of the body."""
        return self.place.name

    @property
    def p_W(self) -> "Array":
        """Origin in the world, at the given pose [m]."""
        return self.place.point(self.p_B)

    @property
    def axes_W(self) -> "Array":
        """Axes in the world, at the given pose."""
        return self.place.R_WB @ self.axes_B

    @property
    def body(self) -> int:
        """Number of the body in the mechanism."""
        return self.place.index

    @cached_property
    def point(self) -> "Array":
        """Origin from the centre of mass in body axes; in the world where the body is fixed [m]."""
        return self.p_W if self.place.fixed else self.p_B - self.place.com

    @cached_property
    def axes(self) -> "Array":
        """Axes in body axes; in the world where the body is fixed."""
        return self.axes_W if self.place.fixed else self.axes_B

    def axis(self, name: str) -> "Array":
        """One of `axes`."""
        return self.axes[:, "xyz".index(name)]
