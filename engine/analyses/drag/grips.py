"""What is led in a drag: points of bodies, the bodies that come along, and where that has led."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engine.compiled.columns import coordinates as COORDINATE
from engine.compiled.columns import rows as ROW
from engine.compiled.layout import Array
from engine.system.compiling.mechanism import Mechanism


@dataclass(frozen=True)
class Grip:
    """A point of a body that is led: body index, point from the centre of mass in body axes."""

    body: int
    point: Array


@dataclass(frozen=True)
class Reached:
    """Where one update has led."""

    q: Array
    places: Array  # of the grips in the world, shape (k, 3)
    distance: float  # from the first grip to its target, across the line of sight if there is one [m]
    violation: float  # largest |Φ| of the rows that hold [m, rad]
    arrived: bool  # at the target, or as near as the constraints allow
    steps: int

    @property
    def place(self) -> Array:
        return np.asarray(self.places[0])


def linkage(mechanism: Mechanism, body: int) -> tuple[list[int], list[set[int]]]:
    """Bodies that rows connect with this one, and the moving bodies of every row."""
    system, nb = mechanism.system, len(mechanism.bodies)
    touched: list[set[int]] = []
    neighbours: dict[int, set[int]] = {}
    for coordinate_function in map(int, system.rows[: len(mechanism.rows), ROW.COORDINATE]):
        function = system.coordinate_functions[coordinate_function]
        begin, end = function[COORDINATE.BLOCK], function[COORDINATE.BLOCK] + function[COORDINATE.BLOCKS]
        found = {int(b) for b in system.block_bodies[begin:end] if b < nb}
        touched.append(found)
        for b in found:
            neighbours.setdefault(b, set()).update(found)
    seen, todo = {body}, [body]
    while todo:
        for other in neighbours.get(todo.pop(), set()) - seen:
            seen.add(other)
            todo.append(other)
    return sorted(seen), touched


def reach(mechanism: Mechanism) -> float:
    """A length to measure steps by where no joint gives one."""
    width = 3 if mechanism.planar else 7
    places = mechanism.q.reshape(-1, width)[:, : 2 if mechanism.planar else 3]
    spread = float(np.max(np.ptp(places, axis=0), initial=0.0)) if len(places) else 0.0
    return spread if np.isfinite(spread) and spread > 0.0 else 1.0
