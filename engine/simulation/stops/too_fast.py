"""Velocities too large for the step: a body turns round, or passes the mechanism, before the step is over."""

from __future__ import annotations

import numpy as np

from engine.compiled.layout import Array
from engine.errors import Problem, SceneEdit
from engine.simulation.stepping.method_driver import Driver
from engine.system.assembly.scaling import scales_of
from engine.system.compiling.mechanism import Mechanism

TOO_FAR = 1.0  # rad, or lengths of the mechanism, within a step


def fastest(mechanism: Mechanism, v: Array) -> tuple[float, str]:
    """The largest rate among these velocities [rad/s, lengths of the mechanism per s], and whose it is."""
    rates = np.abs(v) / scales_of(mechanism).column
    at = int(np.argmax(rates))
    name, speed = mechanism.body_of_velocity(at), float(np.abs(v[at]))
    moves = f"turns with {speed:.3g} rad/s" if _turns(mechanism, at) else f"moves with {speed:.3g} m/s"
    return float(rates[at]), f"body {name!r} {moves}"


def too_fast(driver: Driver, sample: Array, step: float) -> Problem | None:
    """The fastest of the velocities that the scene gives, where no step follows what it does."""
    mechanism = driver.mechanism
    t, _, v, _, _ = driver.layout.state(sample)
    now, words = fastest(mechanism, v)
    given, path = _given(mechanism)
    # what a run that has gone astray ends with is not to blame: what the scene gives is
    if not min(now, given) * step > TOO_FAR:
        return None
    text = f"{words} at t = {t:.6g} s, too fast for steps of {step:.3g} s"
    remedy = f"check {path}, or take a step below {0.1 / now:.1g} s"
    return Problem(path, None, text, remedy, (SceneEdit(path, [0.0, 0.0, 0.0]),))


def _given(mechanism: Mechanism) -> tuple[float, str]:
    """The largest rate that stands in the scene [rad/s, lengths of the mechanism per s], and its path."""
    length = scales_of(mechanism).length
    rates = {
        f"bodies.{body.name}.{field}": float(np.linalg.norm(getattr(body, field))) / size
        for body in mechanism.scene.bodies
        for field, size in (("velocity", length), ("angular_velocity", 1.0))
    }
    path = max(rates, key=rates.__getitem__)
    return rates[path], path


def _turns(mechanism: Mechanism, velocity: int) -> bool:
    return velocity % 3 == 2 if mechanism.planar else velocity % 6 > 2
