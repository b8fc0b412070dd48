"""Stabilisations: what keeps the constraints from drifting."""

from engine.registry import Registry
from engine.stabilisation import baumgarte, none, projection
from engine.stabilisation.base import StabilisationKind

STABILISATIONS: Registry[StabilisationKind] = Registry(
    "stabilisation",
    baumgarte.KIND,  # keep sorted
    none.KIND,
    projection.KIND,
)
