"""Why a run stopped, in words: which joint, body or force, and what to try."""

from __future__ import annotations

import numpy as np

from engine.problems import B_V, C_GUILTY, F_A, F_QUADRATURE, T_STEP, Array, StepStatus
from engine.runtime.driver import Driver
from engine.runtime.survey import acts_on_body
from engine.system.evaluator import Evaluator
from engine.system.mechanism import Mechanism

TRIAL_TIMES = (0.0, 0.5, 1.0)  # of a step: where a force without bound is looked for


def outside_table(mechanism: Mechanism, t: float, h: float) -> bool:
    """Whether a step from t by h leaves the range of a table that has nothing outside."""
    return any(not (program.domain[0] <= t and t + h <= program.domain[1]) for program in mechanism.programs)


def explain(driver: Driver, status: StepStatus, sample: Array) -> str:
    """The message of a failed run; `sample` is the last good one."""
    culprit = _culprit(driver, status, sample)
    reason = f"{culprit}: {status.text}" if culprit else status.text
    return f"stopped at t = {float(sample[driver.layout.t]):.9g} s; {reason}"


def _culprit(driver: Driver, status: StepStatus, sample: Array) -> str:
    mechanism, guilty = driver.mechanism, int(driver.work.counters[C_GUILTY])
    if status is StepStatus.NOT_CONVERGED:
        return _row(mechanism, guilty)
    if status is StepStatus.NOT_FINITE:
        return _unbounded(driver, sample) or _body(mechanism, guilty)
    if status is StepStatus.STEP_TOO_SMALL:
        # no row or body is to blame for an error estimate: name what is accelerated most
        return _unbounded(driver, sample) or _body(mechanism, int(np.argmax(np.abs(sample[driver.layout.a]))))
    if status in (StepStatus.SINGULAR, StepStatus.NOT_SOLVED, StepStatus.SINGULAR_COORDINATES):
        return _body(mechanism, guilty)
    return ""


def _row(mechanism: Mechanism, row: int) -> str:
    if not 0 <= row < len(mechanism.rows):
        return ""
    info = mechanism.rows[row]
    return f"{info.owner} {info.name!r} ({info.label})"


def _body(mechanism: Mechanism, velocity: int) -> str:
    return f"body {mechanism.body_of_velocity(velocity)!r}" if 0 <= velocity < mechanism.nv else ""


def _unbounded(driver: Driver, sample: Array) -> str:
    """The force whose value is not finite during the next step, and the body it acts on."""
    mechanism, system = driver.mechanism, driver.system
    t, q, v, angles, _ = driver.layout.state(sample)
    evaluator, step = Evaluator(mechanism), float(sample[driver.layout.step]) or float(driver.clock[T_STEP])
    for share in TRIAL_TIMES:
        evaluator.at(t + share * step, q, v, angles)
        total = evaluator.forces()
        bad = np.flatnonzero(~np.isfinite(total))
        if not len(bad):
            continue
        body = int(np.flatnonzero(system.bodies[:-1, B_V] <= bad[0])[-1])
        on_body = acts_on_body(mechanism)
        weights = evaluator.work.weight
        for law in range(len(system.forces)):
            target = int(system.forces[law, F_A])
            if target == body if on_body[law] else not np.isfinite(weights[target]):
                name = mechanism.scene.forces[int(system.forces[law, F_QUADRATURE]) - 1].name
                return f"force {name!r} on body {mechanism.bodies[body]!r}"
        return f"body {mechanism.bodies[body]!r}"
    return ""
