"""Rows: the constraints that a joint declares, each a gauge that keeps a target value."""

from dataclasses import dataclass
from typing import Literal

from engine.elements.base import Function
from engine.elements.gauges import Gauge


@dataclass(frozen=True)
class Row:
    """One scalar constraint: the gauge equals the target; a target of None is its value at the given pose."""

    gauge: Gauge
    label: str
    unit: str
    target: Function | None = 0.0
    level: Literal["position", "velocity"] = "position"
