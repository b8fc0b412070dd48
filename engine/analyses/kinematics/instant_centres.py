"""Instant centres of planar bodies: the points about which they turn against each other at an instant.

A body with the velocity v of its centre of mass p and the angular velocity ω turns against the ground about

    c = p + ẑ × v / ω

and two bodies about the point at which both have one velocity. The centres of three bodies lie on one line
(Aronhold, Kennedy).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engine.compiled.layout import Array
from engine.elements.base import WORLD

SPINS = 1e-9  # of the largest angular velocity: bodies that turn less against each other have no centre


@dataclass(frozen=True, eq=False)
class Twists:
    """Motion of planar bodies at an instant: ω [rad/s] and the velocity of the world's origin on each [m/s].

    The origin moves with a body at v − ω × p.
    """

    names: tuple[str, ...]
    spin: Array  # (n,)
    origin: Array  # (n, 2)

    @classmethod
    def of(cls, names: tuple[str, ...], places: Array, v: Array) -> Twists:
        """From centres of mass, shape (n, 2), and velocities (vx, vy, ω) of all bodies, shape (n, 3)."""
        spin = v[:, 2]
        origin = v[:, :2] - spin[:, None] * np.column_stack([-places[:, 1], places[:, 0]])
        return cls((WORLD, *names), np.array([0.0, *spin]), np.vstack([[0.0, 0.0], origin]))

    def centre(self, one: str, other: str = WORLD) -> Array | None:
        """Where both have one velocity [m]; None when they only shift against each other, or not at all."""
        i, j = self.names.index(one), self.names.index(other)
        spin, shift = self.spin[i] - self.spin[j], self.origin[i] - self.origin[j]
        if abs(spin) <= SPINS * max(float(np.abs(self.spin).max()), np.finfo(float).tiny):
            return None
        return np.asarray(np.array([-shift[1], shift[0]]) / spin)
