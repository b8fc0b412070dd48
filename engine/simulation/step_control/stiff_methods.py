"""A method whose step no quick motion limits, and which takes the mechanism at hand."""

from __future__ import annotations

from engine.errors import SceneError
from engine.simulation.stepping.law_demands import refuse_demands
from engine.simulation.stepping.method_driver import refuse_unfit
from engine.solvers.catalogue import find_method
from engine.system.compiling.mechanism import Mechanism

STIFF = ("hht", "bdf2")  # the second has a place for bristles and for friction by reactions


def stiff_method(mechanism: Mechanism) -> str:
    """The first that does not refuse it; nothing where all do."""
    for name in STIFF:
        method = find_method(name)
        try:
            refuse_unfit(mechanism, method)
            refuse_demands(mechanism, method)
        except SceneError:
            continue
        return name
    return ""
