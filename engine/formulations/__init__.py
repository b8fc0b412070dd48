"""Formulations: ways of posing the constrained equations."""

from engine.formulations import lagrange
from engine.formulations.base import FormulationKind
from engine.registry import Registry

FORMULATIONS: Registry[FormulationKind] = Registry(
    "formulation",
    lagrange.KIND,  # keep sorted
)
