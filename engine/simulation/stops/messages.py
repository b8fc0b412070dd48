"""Why a run stopped, in words: which joint, body or force, and what to try."""

from __future__ import annotations

import numpy as np

from engine.compiled.columns import bodies as BODY
from engine.compiled.columns import clock as CLOCK
from engine.compiled.columns import counters as COUNT
from engine.compiled.columns import forces as LAW
from engine.compiled.layout import Array, StepStatus
from engine.errors import Problem
from engine.results.output_evaluation import functions_of_laws
from engine.results.sample_layout import SampleLayout
from engine.simulation.stepping.method_driver import FAULT_REMEDY, Driver
from engine.simulation.stops.contradiction import contradiction
from engine.simulation.stops.heavy_body import heavy_body
from engine.simulation.stops.runaway import runaway
from engine.simulation.stops.shaky_pose import shaky_pose
from engine.simulation.stops.too_fast import too_fast
from engine.system.compiling.mechanism import LAW_STATES, Mechanism
from engine.system.equations.evaluator import Evaluator
from engine.system.prescribed.not_finite import left_table, unbounded_force, unbounded_motion

TRIAL_TIMES = (0.0, 0.5, 1.0)  # of a step: where a force or function without bound is looked for
UNFOLLOWED = (StepStatus.NOT_CONVERGED, StepStatus.NOT_SOLVED, StepStatus.STEP_TOO_SMALL)
LISTS_OF = {"body": "bodies", "force": "forces", "joint": "joints", "motion": "motions"}


def outside_table(mechanism: Mechanism, t: float, h: float) -> Problem | None:
    """The element whose table has nothing for a part of the step from t by h."""
    return left_table(mechanism.scene, t, t + h)


def explain(driver: Driver, status: StepStatus, sample: Array, broken: Array | None = None) -> Problem:
    """Why a run failed, and what to do; `sample` is the last good one, `broken` one that is not finite."""
    if status.is_fault:
        message = f"method {driver.method.name!r} is written wrongly: {driver.fault}"
        return Problem("simulation.method", driver.method.name, message, FAULT_REMEDY)
    step = float(driver.clock[CLOCK.STEP])
    found = _cause(driver, status, sample, step)
    if found is None:
        culprit = _culprit(driver, status, sample)
        if not culprit and broken is not None:
            culprit = _not_finite(driver.mechanism, driver.layout, broken)
        reason, _, remedy = status.text.partition("; ")
        path = _path(culprit)
        found = Problem(path, None, f"{culprit}: {reason}" if culprit else reason, remedy)
    return found


def stop_text(t: float, problem: Problem) -> str:
    """The message of a run that failed at t."""
    return f"stopped at t = {t:.9g} s; {problem.message}; {problem.remedy}"


def _cause(driver: Driver, status: StepStatus, sample: Array, step: float) -> Problem | None:
    """What the scene itself asks for and cannot be had, whatever the method and its step."""
    mechanism = driver.mechanism
    t, q, v, angles, _ = driver.layout.state(sample)
    if status is StepStatus.OUTSIDE_TABLE:
        return outside_table(mechanism, t, step)
    evaluator = Evaluator(mechanism)
    for share in TRIAL_TIMES:
        motion = unbounded_motion(mechanism, evaluator.at(t + share * step, q, v, angles), t + share * step)
        if motion is not None:
            return motion
        force = unbounded_force(mechanism.scene, t + share * step)
        if force is not None:
            return force
    worker = _worker(mechanism, int(driver.work.counters[COUNT.OFFENDER]))
    if status is StepStatus.NOT_FINITE and (worker or unbounded(driver, sample)):
        return None
    found = contradiction(driver, sample, step)
    if found is None and status in UNFOLLOWED:
        found = runaway(driver, sample, step) or too_fast(driver, sample, step)
        found = found or heavy_body(mechanism.scene, t) or shaky_pose(driver, sample)
    return found


def _path(culprit: str) -> str:
    """Path of the element that a culprit's name begins with: `joint 'A' (…)` is `joints.A`."""
    owner, _, rest = culprit.partition(" ")
    name = rest.split("'")[1] if rest.count("'") > 1 else ""
    return f"{LISTS_OF[owner]}.{name}" if owner in LISTS_OF else ""


def _culprit(driver: Driver, status: StepStatus, sample: Array) -> str:
    mechanism, offender = driver.mechanism, int(driver.work.counters[COUNT.OFFENDER])
    if status is StepStatus.NOT_CONVERGED:
        return _row(mechanism, offender)
    if status is StepStatus.NOT_FINITE:
        return unbounded(driver, sample) or _body(mechanism, offender) or _worker(mechanism, offender)
    if status is StepStatus.OUTSIDE_TABLE:
        return unbounded(driver, sample) or _worker(mechanism, offender)
    if status is StepStatus.STEP_TOO_SMALL:
        # no row or body is the cause of an error estimate: name what is accelerated most
        return unbounded(driver, sample) or _body(mechanism, int(np.argmax(np.abs(sample[driver.layout.a]))))
    if status in (StepStatus.SINGULAR, StepStatus.NOT_SOLVED, StepStatus.SINGULAR_COORDINATES):
        return _body(mechanism, offender)
    return ""


def _row(mechanism: Mechanism, row: int) -> str:
    if not 0 <= row < len(mechanism.rows):
        return ""
    info = mechanism.rows[row]
    return f"{info.owner} {info.name!r} ({info.label})"


def _body(mechanism: Mechanism, velocity: int) -> str:
    return f"body {mechanism.body_of_velocity(velocity)!r}" if 0 <= velocity < mechanism.nv else ""


def _worker(mechanism: Mechanism, offender: int) -> str:
    """The force or motion whose work integral has this place behind the velocities."""
    for (where, name), column in mechanism.quadratures.items():
        if column == offender - mechanism.nv:
            return f"{'force' if where == LAW_STATES else where.removesuffix('s')} {name!r}"
    return ""


def _not_finite(mechanism: Mechanism, layout: SampleLayout, sample: Array) -> str:
    """Whose number is the first in a sample that is not finite."""
    for part, owner in (
        (layout.v, _body),
        (layout.a, _body),
        (layout.multipliers, _row),
        (layout.works, lambda mechanism, i: _worker(mechanism, mechanism.nv + i)),
    ):
        bad = np.flatnonzero(~np.isfinite(sample[part]))
        if len(bad):
            return owner(mechanism, int(bad[0]))
    return ""


def unbounded(driver: Driver, sample: Array) -> str:
    """The force whose value is not finite during the next step, and the body it acts on."""
    mechanism, system = driver.mechanism, driver.system
    forces = mechanism.scene.forces
    t, q, v, angles, _ = driver.layout.state(sample)
    evaluator, step = (
        Evaluator(mechanism),
        float(sample[driver.layout.step]) or float(driver.clock[CLOCK.STEP]),
    )
    for share in TRIAL_TIMES:
        evaluator.at(t + share * step, q, v, angles)
        total = evaluator.forces()
        bad = np.flatnonzero(~np.isfinite(total))
        if not len(bad):
            continue
        body = int(np.flatnonzero(system.bodies[:-1, BODY.V] <= bad[0])[-1])
        on_body = functions_of_laws(mechanism) == 0
        weights = evaluator.work.weight
        for law in range(len(system.forces)):
            target = int(system.forces[law, LAW.A])
            force = int(system.forces[law, LAW.QUADRATURE]) - 1
            if force >= len(forces):
                continue  # the mouse, whose pull is bounded
            if target == body if on_body[law] else not np.isfinite(weights[target]):
                return f"force {forces[force].name!r} on body {mechanism.bodies[body]!r}"
        return f"body {mechanism.bodies[body]!r}"
    return ""
