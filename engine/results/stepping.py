"""What channels know of the method of a run: what its samples carry, and how far its steps may go."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from engine.compiled.layout import Array
from engine.errors import SceneError
from engine.maths.step_reach import StepReach
from engine.solvers.catalogue import Method, find_method
from engine.solvers.direct import step_control
from engine.system.compiling.mechanism import Mechanism, Stepping


def for_method(mechanism: Mechanism, method: Method, numbers: Array) -> Mechanism:
    """The mechanism as a run by this method has it, with the numbers of its options.

    The same one where its scene says so already: channels are listed once for each.
    """
    usual = _of_scene(mechanism) if mechanism.stepping is None else None
    if usual is not None and usual[0] is method and np.array_equal(usual[1], numbers):
        return mechanism
    return replace(mechanism, stepping=_stepping(method, numbers))


def stepping_of(mechanism: Mechanism) -> Stepping:
    """Of the run that it was compiled for, else of the method that its scene names."""
    if mechanism.stepping is not None:
        return mechanism.stepping
    usual = _of_scene(mechanism)
    return Stepping() if usual is None else _stepping(*usual)


def _stepping(method: Method, numbers: Array) -> Stepping:
    controlled = method.controllable and numbers[step_control.CONTROL] != 0.0
    if method.growth is None or method.adaptive or controlled:
        return Stepping(method.carried)
    return Stepping(method.carried, StepReach(method.growth, numbers))


def _of_scene(mechanism: Mechanism) -> tuple[Method, Array] | None:
    """The method that the scene names, and the numbers of its options; None where they are wrong."""
    settings = mechanism.scene.simulation
    try:
        method = find_method(settings.method)
        given = {name: float(value) for name, value in settings.options.items()}
        return method, method.numbers(given, float(settings.dt))
    except SceneError:  # which checks tell
        return None
