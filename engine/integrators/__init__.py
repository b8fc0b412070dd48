"""Schemes: how the state vector of a formulation is carried over one step."""

from engine.integrators import dopri5, euler, rk2, rk4
from engine.integrators.base import SchemeKind
from engine.registry import Registry

SCHEMES: Registry[SchemeKind] = Registry(
    "scheme",
    dopri5.KIND,  # keep sorted
    euler.KIND,
    rk2.KIND,
    rk4.KIND,
)
