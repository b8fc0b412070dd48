"""Stabilisations: what keeps the constraints from drifting."""

from engine.registry import Registry
from engine.solvers.stabilisation import baumgarte, none, projection, projection_energy, projection_unweighted
from engine.solvers.stabilisation.base import StabilisationKind

STABILISATIONS: Registry[StabilisationKind] = Registry(
    "stabilisation",
    baumgarte.FREE,  # keep sorted
    baumgarte.AUTO,
    baumgarte.CRITICAL,
    baumgarte.TAYLOR,
    none.KIND,
    projection.KIND,
    projection_energy.KIND,
    projection_unweighted.KIND,
    projection.REIMPOSITION,
)
