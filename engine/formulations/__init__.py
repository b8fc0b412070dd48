"""Formulations: ways of posing the constrained equations."""

from engine.formulations import (
    canonical,
    canonical_augmented,
    lagrange,
    null_space,
    partitioned,
    penalised,
    udwadia_kalaba,
)
from engine.formulations.base import FormulationKind
from engine.registry import Registry

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
    udwadia_kalaba.KIND,
)
