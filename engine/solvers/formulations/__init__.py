"""Formulations: ways of posing the constrained equations."""

from engine.registry import Registry
from engine.solvers.formulations import (
    canonical,
    canonical_augmented,
    lagrange,
    null_space,
    partitioned,
    penalised,
    recursive,
    udwadia_kalaba,
)
from engine.solvers.formulations.base import FormulationKind

FORMULATIONS: Registry[FormulationKind] = Registry(
    "formulation",
    penalised.AUGMENTED_KIND,  # keep sorted
    canonical.KIND,
    canonical_augmented.KIND,
    partitioned.COORDINATES,
    partitioned.VELOCITIES,
    lagrange.KIND,
    null_space.KIND,
    partitioned.PARTITIONING,
    penalised.PENALTY_KIND,
    recursive.KIND,
    udwadia_kalaba.KIND,
)
