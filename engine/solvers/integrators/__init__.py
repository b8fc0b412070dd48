"""Schemes: how the state vector of a formulation is carried over one step."""

from engine.registry import Registry
from engine.solvers.integrators import (
    ab4,
    abm4,
    adams,
    bdf,
    dopri5,
    euler,
    explicit_family,
    implicit_euler,
    implicit_midpoint,
    rk2,
    rk4,
    semi_implicit_euler,
    trapezoidal,
    velocity_verlet,
)
from engine.solvers.integrators.base import SchemeKind

SCHEMES: Registry[SchemeKind] = Registry(
    "scheme",
    ab4.KIND,  # keep sorted
    abm4.KIND,
    adams.KIND,
    bdf.BDF2,
    bdf.BDF3,
    bdf.BDF4,
    explicit_family.D2,
    explicit_family.D3,
    explicit_family.D4,
    dopri5.KIND,
    euler.KIND,
    implicit_euler.KIND,
    implicit_midpoint.KIND,
    rk2.KIND,
    rk4.KIND,
    semi_implicit_euler.KIND,
    trapezoidal.KIND,
    velocity_verlet.KIND,
)
