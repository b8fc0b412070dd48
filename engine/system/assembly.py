"""Assembly: a start that satisfies all constraints, next to what the scene gives."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from engine.errors import CompileError
from engine.problems import BR_INERTIA, BR_MASS, P_P, P_R, Array
from engine.system.closing import close, judge, references, wanted_values, wrapped
from engine.system.driven_coordinates import driven_coordinates, remarks_on_moved
from engine.system.evaluator import Evaluator
from engine.system.frames import fault
from engine.system.mechanism import Mechanism
from engine.system.position_problem import Pose, PositionProblem
from engine.system.scaling import Scales, Subspaces, scales_of, subspaces
from engine.system.velocity_problem import consistent_velocities

NO_INERTIA = 1e-12  # share of the largest inertia below which a freedom has none


@dataclass(frozen=True)
class Start:
    """Where a run begins."""

    q: Array
    v: Array
    angles: Array  # references of the tracked angle gauges
    moved: Mapping[str, float]  # largest displacement of a body's centre and joint points [m]
    violation_before: float  # largest |Φ| over the size of its row
    violation_after: float
    rate_before: float  # the same for Φ' [1/s]
    rate_after: float
    velocity_changed: bool
    remarks: tuple[str, ...] = ()


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
        cure = "add a body, or give one of them a mass and take away its `fixed`"
        raise fault("bodies", None, "the scene has no body that can move", cure)
    evaluator = evaluator or Evaluator(mechanism)
    given = np.array(mechanism.q if q is None else q, dtype=float)
    if not mechanism.rows:
        return _free_start(evaluator, t, given, np.array(mechanism.v if v is None else v, dtype=float))
    scales = scales_of(mechanism)
    targets = [] if q is not None else wanted_values(mechanism, scales)
    problem = PositionProblem(evaluator, scales, t)
    angles = references(mechanism, evaluator, t, given, targets)
    before = problem.pose(given, angles, ())
    _check_defined(mechanism, evaluator, t, given, angles)
    driven = driven_coordinates(problem, given, angles, targets)
    pose = close(problem, given, angles, targets, driven)
    remarks = (*judge(problem, pose, targets), *remarks_on_moved(problem, pose, driven))
    pose = replace(pose, angles=wrapped(mechanism, pose.angles, targets))

    space = _inertia_checked(mechanism, evaluator, scales, t, pose)
    v0 = np.array(mechanism.v if v is None else v, dtype=float)
    rate_before = _rate(evaluator, scales, t, pose, v0)
    velocities = consistent_velocities(evaluator, scales, space, (t, pose), v0, wishes=v is None)
    return Start(
        q=pose.q,
        v=velocities,
        angles=pose.angles,
        moved=displacements(mechanism, evaluator, given, pose.q),
        violation_before=before.open,
        violation_after=problem.pose(pose.q, pose.angles, ()).open,
        rate_before=rate_before,
        rate_after=_rate(evaluator, scales, t, pose, velocities),
        velocity_changed=not np.array_equal(velocities, v0),
        remarks=remarks,
    )


def _check_defined(mechanism: Mechanism, evaluator: Evaluator, t: float, q: Array, angles: Array) -> None:
    """Raise CompileError for a row without derivatives at the given pose, as of a wheel that lies flat."""
    finite = np.isfinite(evaluator.at(t, q, angles=angles).jacobian).all(axis=1)
    for r in np.flatnonzero(~finite):
        row = mechanism.rows[int(r)]
        text = f"{row.owner} {row.name!r} ({row.label}) is not defined at the given pose"
        cure = "turn its bodies or axes to where it is; a wheel, for instance, must not lie flat on its plane"
        raise fault(f"{row.owner}s.{row.name}", None, text, cure)


def _free_start(evaluator: Evaluator, t: float, q: Array, v: Array) -> Start:
    """Without constraints nothing has to be closed, whatever the number of bodies: the start is as given."""
    mechanism = evaluator.mechanism
    real = mechanism.system.body_reals[: len(mechanism.bodies)]
    mass, inertia = real[:, BR_MASS], real[:, BR_INERTIA : BR_INERTIA + 9].reshape(-1, 3, 3)
    turning = inertia[:, 2, 2] if mechanism.planar else np.linalg.eigvalsh(inertia)[:, 0]
    largest = max(float(mass.max()), float(inertia.max()), np.finfo(float).tiny)
    for b in np.flatnonzero(np.minimum(mass, turning) <= NO_INERTIA * largest):
        raise _no_inertia(mechanism.bodies[b])
    still = dict.fromkeys(mechanism.bodies, 0.0)
    angles = wrapped(mechanism, references(mechanism, evaluator, t, q, ()), ())
    return Start(q, v, angles, still, 0.0, 0.0, 0.0, 0.0, velocity_changed=False)


def _no_inertia(body: str) -> CompileError:
    text = f"body {body!r} can move without moving any mass, so its acceleration is undefined"
    cure = "give it a mass and an inertia, or a joint that stops this motion"
    return fault(f"bodies.{body}", None, text, cure)


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
        return [
            np.array([pose[b, P_P : P_P + 3] + pose[b, P_R : P_R + 9].reshape(3, 3) @ p for p in body])
            for b, body in enumerate(points)
        ]

    pairs = zip(mechanism.bodies, places(before), places(after), strict=True)
    return {name: float(np.max(np.linalg.norm(b - a, axis=1))) for name, a, b in pairs}


def _rate(evaluator: Evaluator, scales: Scales, t: float, pose: Pose, v: Array) -> float:
    rate = evaluator.at(t, pose.q, v, pose.angles).phi_rate
    return float(np.max(np.abs(rate / scales.row), initial=0.0))


def _inertia_checked(
    mechanism: Mechanism, evaluator: Evaluator, scales: Scales, t: float, pose: Pose
) -> Subspaces:
    """Subspaces of the dimensionless J; raises CompileError when a freedom has no inertia."""
    J = scales.jacobian(evaluator.at(t, pose.q, angles=pose.angles).jacobian)
    space = subspaces(J)
    if not space.null.shape[1]:
        return space
    mass = evaluator.mass_matrix() * np.outer(scales.column, scales.column)
    values, vectors = np.linalg.eigh(space.null.T @ mass @ space.null)
    if values[0] > NO_INERTIA * max(float(np.max(np.diag(mass))), np.finfo(float).tiny):
        return space
    width = 3 if mechanism.planar else 6
    motion = (space.null @ vectors[:, 0]).reshape(-1, width)
    raise _no_inertia(mechanism.bodies[int(np.argmax(np.linalg.norm(motion, axis=1)))])
