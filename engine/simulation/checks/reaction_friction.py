"""Friction that depends on reactions which redundant constraints leave undetermined."""

from collections.abc import Iterator

import numpy as np

from engine.compiled.columns import bodies as BODY
from engine.compiled.layout import Array
from engine.elements.laws import mesh_loss
from engine.simulation.stepping.law_demands import by_reaction
from engine.simulation.stepping.method_driver import Driver
from engine.system.assembly.scaling import LARGE, scales_of, subspaces
from engine.system.equations.evaluator import Evaluator

UNDETERMINED = 1e-9  # share of a self-balancing set of reactions that the joint may have


def undetermined_friction(driver: Driver, t: float, q: Array, angles: Array) -> Iterator[str]:
    """Warnings to a run that begins at this state."""
    mechanism, system = driver.mechanism, driver.system
    lines = by_reaction(mechanism)
    if not len(lines) or mechanism.nv > LARGE:
        return
    J = Evaluator(mechanism).at(t, q, angles=angles).jacobian
    free = subspaces(scales_of(mechanism).jacobian(J)).left_null  # zᵀJ = 0
    for line in lines:
        kind = driver.law_kind(int(line))
        assert kind.reaction is not None
        begin, end, body = system.forces[line, kind.reaction : kind.reaction + 3]
        carried = free[begin:end]
        if kind is not mesh_loss.KIND:
            at, width = int(system.bodies[body, BODY.V]), 2 if mechanism.planar else 3
            carried = carried.T @ J[begin:end, at : at + width]
        if np.abs(carried).max(initial=0.0) > UNDETERMINED:
            joint = mechanism.rows[int(begin)].name
            yield (
                f"friction {driver.law_name(int(line))!r} depends on the reaction of joint {joint!r}, which "
                "redundant constraints leave undetermined: it is one of many; remove the redundancy, or give "
                "a preload."
            )
