"""Assembly: a start that satisfies all constraints, next to what the scene gives."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import scipy

from engine.compiled.columns import body_reals as BODY_REAL
from engine.compiled.layout import Array
from engine.errors import CompileError
from engine.system.assembly.driven_coordinates import driven_coordinates, notes_on_moved
from engine.system.assembly.misfit import far_note, judge_misfit
from engine.system.assembly.position_problem import Pose, PositionProblem
from engine.system.assembly.scaling import Scales, scales_of, subspaces
from engine.system.assembly.strategies import close, judge, references, wanted_values, wrapped
from engine.system.assembly.velocity_problem import consistent_velocities
from engine.system.compiling.frames import fault
from engine.system.compiling.mechanism import Mechanism
from engine.system.equations.evaluator import Evaluator
from engine.system.equations.pose_table import point
from engine.system.prescribed.not_finite import left_table, unbounded_motion

NO_INERTIA = 1e-12  # of a body's own inertia: a direction of motion with less has none


@dataclass(frozen=True)
class Start:
    """Where a run begins."""

    q: Array
    v: Array
    angles: Array  # references of the tracked angle coordinate functions
    moved: Mapping[str, float]  # largest displacement of a body's centre and joint points [m]
    violation_before: float  # largest |Φ| over the size of its row
    violation_after: float
    rate_before: float  # the same for Φ' [1/s]
    rate_after: float
    velocity_changed: bool
    notes: tuple[str, ...] = ()


@np.errstate(all="ignore")  # poses that are tried may be beyond all numbers; what is told is looked at
def assemble(
    mechanism: Mechanism,
    *,
    t: float = 0.0,
    q: Array | None = None,
    v: Array | None = None,
    evaluator: Evaluator | None = None,
) -> Start:
    """The start of a mechanism; raises CompileError.

    Another pose or other velocities may stand in for those of the scene; then the wishes of the scene (held
    velocities, start values) do not count.
    """
    if not mechanism.bodies:
        raise _nothing_moves(mechanism)
    evaluator = evaluator or Evaluator(mechanism)
    given = np.array(mechanism.q if q is None else q, dtype=float)
    if not mechanism.rows:
        return _free_start(evaluator, t, given, np.array(mechanism.v if v is None else v, dtype=float))
    scales = scales_of(mechanism)
    targets = [] if q is not None else wanted_values(mechanism, scales)
    problem = PositionProblem(evaluator, scales, t)
    angles = references(mechanism, evaluator, t, given, targets)
    unbounded = left_table(mechanism.scene, t, t) or unbounded_motion(mechanism, evaluator, t)
    if unbounded is not None:
        raise CompileError([unbounded])
    before = problem.pose(given, angles, ())
    _check_defined(mechanism, evaluator, t, given, angles)
    driven = driven_coordinates(problem, given, angles, targets)
    pose = close(problem, given, angles, targets, driven)
    notes = (*judge(problem, pose, targets), *notes_on_moved(problem, pose, driven))
    moved = displacements(mechanism, evaluator, given, pose.q)
    if q is None and not targets:
        judge_misfit(problem, before, moved)
        notes += far_note(problem, before, moved)
    pose = replace(pose, angles=wrapped(mechanism, pose.angles, targets))

    _check_inertia(mechanism, evaluator, scales, t, pose)
    v0 = np.array(mechanism.v if v is None else v, dtype=float)
    rate_before = _rate(evaluator, scales, t, pose, v0)
    velocities = consistent_velocities(evaluator, scales, (t, pose), v0, wishes=v is None)
    return Start(
        q=pose.q,
        v=velocities,
        angles=pose.angles,
        moved=moved,
        violation_before=before.open,
        violation_after=problem.pose(pose.q, pose.angles, ()).open,
        rate_before=rate_before,
        rate_after=_rate(evaluator, scales, t, pose, velocities),
        velocity_changed=not np.array_equal(velocities, v0),
        notes=notes,
    )


def _check_defined(mechanism: Mechanism, evaluator: Evaluator, t: float, q: Array, angles: Array) -> None:
    """Raise CompileError for a row without derivatives at the given pose, as of a wheel that lies flat."""
    for r in _undefined(evaluator.at(t, q, angles=angles).sparse_jacobian):
        row = mechanism.rows[int(r)]
        text = f"{row.owner} {row.name!r} ({row.label}) is not defined at the given pose"
        remedy = (
            "turn its bodies or axes to where it is; a wheel, for instance, must not lie flat on its plane"
        )
        raise fault(f"{row.owner}s.{row.name}", None, text, remedy)


def _free_start(evaluator: Evaluator, t: float, q: Array, v: Array) -> Start:
    """Without constraints nothing has to be closed, whatever the number of bodies: the start is as given."""
    mechanism = evaluator.mechanism
    for name, block in zip(mechanism.bodies, own_inertias(mechanism), strict=True):
        if np.linalg.eigvalsh(block)[0] <= NO_INERTIA:
            raise _no_inertia(name)
    still = dict.fromkeys(mechanism.bodies, 0.0)
    angles = wrapped(mechanism, references(mechanism, evaluator, t, q, ()), ())
    return Start(q, v, angles, still, 0.0, 0.0, 0.0, 0.0, velocity_changed=False)


def _nothing_moves(mechanism: Mechanism) -> CompileError:
    bodies = mechanism.scene.bodies
    if not bodies:
        remedy = "add a body with a mass, for instance from a template: trammel new four_bar --out scene.json"
        return fault("bodies", None, "the scene has no body that can move: it has no bodies", remedy)
    text = (
        f"all bodies are fixed ({', '.join(body.name for body in bodies[:4])}), so there is nothing to move"
    )
    remedy = f'leave out "fixed" for a body that shall move, such as {bodies[0].name!r}'
    return fault(f"bodies.{bodies[0].name}.fixed", True, text, remedy)


def own_inertias(mechanism: Mechanism) -> list[Array]:
    """Block of M of every body, its mass and its largest moment of inertia counted as 1, or 0 without one.

    Which motions carry no mass is the same with them. A gramme beside a hundred tonnes has mass all the same.
    """
    found = []
    for real in mechanism.system.body_reals[: len(mechanism.bodies)]:
        mass, inertia = (
            float(real[BODY_REAL.MASS] > 0.0),
            real[BODY_REAL.INERTIA : BODY_REAL.INERTIA + 9].reshape(3, 3),
        )
        if mechanism.planar:
            found.append(np.diag([mass, mass, float(inertia[2, 2] > 0.0)]))
        else:
            largest = max(float(np.max(np.diag(inertia))), np.finfo(float).tiny)
            block = mass * np.eye(6)
            block[3:, 3:] = inertia / largest
            found.append(block)
    return found


def _no_inertia(body: str) -> CompileError:
    text = f"body {body!r} can move without moving any mass, so its acceleration is undefined"
    remedy = "give it a mass and an inertia, or a joint that stops this motion"
    return fault(f"bodies.{body}", None, text, remedy)


def _no_derivative(mechanism: Mechanism, r: int) -> CompileError:
    row = mechanism.rows[r]
    text = (
        f"{row.owner} {row.name!r} ({row.label}) has no derivative at the pose that the constraints ask for"
    )
    driving = [
        name for name, span in mechanism.motion_rows.items() if not mechanism.rows[span.begin].velocity
    ]
    remedy = "start where wheels do not lie flat and the ends of rods do not meet"
    if driving:
        remedy += (
            f"; it is motion {driving[0]!r} that leads there"
            if len(driving) == 1
            else "; look at the motions"
        )
    return fault(f"{row.owner}s.{row.name}", None, text, remedy)


def displacements(
    mechanism: Mechanism, evaluator: Evaluator, before: Array, after: Array
) -> dict[str, float]:
    """Largest displacement of every body's centre and joint points [m]."""
    points = [[np.zeros(3)] for _ in mechanism.bodies]
    for frames in mechanism.joint_frames.values():
        for frame in frames:
            if frame.body < len(points):
                points[frame.body].append(frame.point)

    def places(q: Array) -> list[Array]:
        pose = evaluator.at(0.0, q).work.pose
        return [np.array([point(pose, b, p_B) for p_B in body]) for b, body in enumerate(points)]

    pairs = zip(mechanism.bodies, places(before), places(after), strict=True)
    return {name: float(np.max(np.linalg.norm(b - a, axis=1))) for name, a, b in pairs}


def _rate(evaluator: Evaluator, scales: Scales, t: float, pose: Pose, v: Array) -> float:
    rate = evaluator.at(t, pose.q, v, pose.angles).phi_rate
    return float(np.max(np.abs(rate / scales.row), initial=0.0))


def _check_inertia(mechanism: Mechanism, evaluator: Evaluator, scales: Scales, t: float, pose: Pose) -> None:
    """Raise CompileError when a degree of freedom has no inertia, or a row no derivative."""
    J = scales.sparse_jacobian(evaluator.at(t, pose.q, angles=pose.angles).sparse_jacobian)
    for r in _undefined(J):
        raise _no_derivative(mechanism, int(r))
    inertias = own_inertias(mechanism)
    if np.linalg.eigvalsh(np.array(inertias))[:, 0].min() > NO_INERTIA:
        return  # every motion of every body moves mass, whatever the constraints allow
    null = subspaces(J.toarray()).null
    if not null.shape[1]:
        return
    values, vectors = np.linalg.eigh(null.T @ scipy.linalg.block_diag(*inertias) @ null)
    if values[0] > NO_INERTIA:
        return
    width = 3 if mechanism.planar else 6
    motion = (null @ vectors[:, 0]).reshape(-1, width)
    raise _no_inertia(mechanism.bodies[int(np.argmax(np.linalg.norm(motion, axis=1)))])


def _undefined(J: Any) -> Array:
    """Rows of a sparse matrix that are not finite."""
    lines = np.repeat(np.arange(J.shape[0]), np.diff(J.indptr))
    return np.asarray(np.unique(lines[~np.isfinite(J.data)]))
