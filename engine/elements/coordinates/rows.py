"""Rows: the constraints that a joint declares, each a coordinate function that keeps a target value."""

from dataclasses import dataclass
from typing import Literal

from engine.elements.base import Function
from engine.elements.coordinates.coordinate_functions import CoordinateFunction


@dataclass(frozen=True)
class Row:
    """One scalar constraint: the coordinate function equals the target; a target of None is its value at the
    given pose."""

    coordinate_function: CoordinateFunction
    label: str
    unit: Literal["m", "rad", "m/s"]  # lengths are judged by the size of the mechanism, angles as they are
    target: Function | None = 0.0
    level: Literal["position", "velocity"] = "position"
