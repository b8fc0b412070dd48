"""What no choice of axes or of order may change: balance of forces, rigid motions, exchange of A and B."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given

from engine.compiled.columns import ranges as SPAN
from engine.elements.joints import JOINTS
from engine.elements.primitives import PRIMITIVES
from engine.model.scene import Scene
from engine.system.compiling.compile import compile_scene
from engine.system.compiling.mechanism import LAW_STATES
from engine.system.equations.evaluator import Evaluator
from tests.contract.cases import CASES, FORCE_CASES, JOINT_CASES, NAME, ROW_CASES, Case, quick
from tests.contract.numerics import (
    assembled,
    evaluate,
    few,
    gyroscopic,
    moved,
    random_state,
    resultant,
    row_space,
    same,
    seeds,
)
from tests.contract.sweep import stencil

CLOSED_ROWS = [case for case in ROW_CASES if case.closed]
CLOSED_FORCES = [case for case in FORCE_CASES if case.closed]
OBJECTIVE = [case for case in CASES if not case.ground and not case.example.absolute]


@pytest.mark.parametrize("case", CLOSED_ROWS, ids=lambda case: case.id)
@few
@given(seed=seeds)
def test_reactions_of_a_joint_balance(case: Case, seed: int) -> None:
    """On the constraints: off them a point on a point is pulled along the world's axes."""
    ev = case.evaluator
    state = assembled(ev, random_state(ev, seed))
    evaluate(ev, state)
    force, moment = resultant(ev, ev.jacobian.T @ state.multipliers)
    same("forces of A and B", np.zeros(3), force, 1e-12)
    same("moments about the origin", np.zeros(3), moment, 1e-10)


@pytest.mark.parametrize("case", CLOSED_FORCES, ids=lambda case: case.id)
@few
@given(seed=seeds)
def test_forces_on_two_bodies_balance(case: Case, seed: int) -> None:
    ev = case.evaluator
    state = random_state(ev, seed)
    evaluate(ev, state)
    Q = ev.forces() - gyroscopic(ev, state.v)
    if ev.system.rows[len(ev.mechanism.rows) :].size and np.abs(Q).max() < 1e-12:
        return  # a rigid limit pushes by its row alone
    assert np.abs(Q).max() > 1e-3
    force, moment = resultant(ev, Q / np.abs(Q).max())
    same("forces of A and B", np.zeros(3), force, 1e-12)
    same("moments about the origin", np.zeros(3), moment, 1e-12)


@pytest.mark.parametrize("case", FORCE_CASES, ids=lambda case: case.id)
@few
@given(seed=seeds)
def test_power_of_forces_is_accounted_for(case: Case, seed: int) -> None:
    """Q·v = −d(potential)/dt − dissipation + work, gravity included."""
    ev = case.heavy
    state = random_state(ev, seed)
    evaluate(ev, state)
    Q = ev.forces()
    states = {at for key, at in ev.mechanism.quadratures.items() if key[0] == LAW_STATES}  # no work
    dissipated, *work = (power for at, power in enumerate(ev.power) if at not in states)
    assert dissipated >= 0.0
    v = state.v[None, :]
    along = stencil(ev, state.t, state.q, state.v, dt=np.ones(1), dq=v, dv=np.zeros_like(v))
    potential_rate = along.energy[0, 1:].sum()
    same("power", np.array(Q @ state.v), np.array(-potential_rate - dissipated + sum(work)))


@pytest.mark.parametrize("case", OBJECTIVE, ids=lambda case: case.id)
@few
@given(seed=seeds)
def test_a_rigid_motion_of_the_whole_changes_nothing_relative(case: Case, seed: int) -> None:
    ev = case.evaluator
    state = random_state(ev, seed)
    rng = np.random.default_rng(seed)
    turn = rng.normal(size=4) * (np.array([1.0, 0.0, 0.0, 1.0]) if ev.mechanism.planar else 1.0)
    elsewhere, T = moved(ev, state, turn / np.linalg.norm(turn), rng.normal(size=3))

    evaluate(ev, state)
    coordinate_functions, gradients, Q = ev.coordinate_functions, ev.coordinate_gradients, ev.forces()
    evaluate(ev, elsewhere)
    # the components of a point on a point, and of the slip of a ball, are those along the world's axes; all
    # other coordinate functions are relative
    relative = np.ones(len(coordinate_functions), dtype=bool)
    for name in ("point", "spin"):
        span = ev.system.ranges[PRIMITIVES.names.index(name)]
        for entry in ev.system.entries[span[SPAN.BEGIN] : span[SPAN.END]]:
            relative[entry[3] : entry[3] + entry[4]] = False
    same("coordinate_functions", coordinate_functions[relative], ev.coordinate_functions[relative], 1e-11)
    same("gradients", gradients[relative], (ev.coordinate_gradients @ T)[relative], 1e-11)
    same("forces", T @ Q, ev.forces(), 1e-11)


@pytest.mark.parametrize("case", OBJECTIVE, ids=lambda case: case.id)
def test_a_rigid_motion_keeps_an_assembled_mechanism_assembled(case: Case) -> None:
    ev = case.evaluator
    state = assembled(ev, random_state(ev, 3))
    turn = np.array([0.6, 0.3, -0.5, 0.7]) * (np.array([1.0, 0.0, 0.0, 1.0]) if ev.mechanism.planar else 1.0)
    elsewhere, T = moved(ev, state, turn / np.linalg.norm(turn), np.array([0.7, -1.3, 0.4]))
    evaluate(ev, state)
    J = ev.jacobian
    evaluate(ev, elsewhere)
    same("violation", np.zeros(len(J)), ev.phi, 1e-10)
    same("rate of violation", np.zeros(len(J)), ev.phi_rate, 1e-9)
    same("row space", row_space(J), row_space(ev.jacobian @ T), 1e-8)


def anchors(ev: Evaluator, *, swap: bool, planar: bool) -> dict[str, Any]:
    """The frames of the joint under test, written out."""
    out = {}
    frames = ev.mechanism.joint_frames[NAME]
    in_plane = JOINTS[ev.mechanism.scene.joint(NAME).__struct_config__.tag].planar_axis_is_x  # type: ignore[index]
    for side, frame in zip("ba" if swap else "ab", frames, strict=True):
        point, axes, width = frame.point.copy(), frame.axes, 2 if planar else 3
        body = "world"
        if frame.body < len(ev.mechanism.bodies):
            body, point = ev.mechanism.bodies[frame.body], point + ev.mechanism.com[frame.body]
        anchor = {"body": body, "point": point[:width].tolist()}
        if not planar:
            anchor |= {"axis": axes[:, 2].tolist(), "reference": axes[:, 0].tolist()}
        else:
            anchor |= {"axis" if in_plane else "reference": axes[:2, 0].tolist()}
        out[side] = anchor
    return out


def with_anchors(scene: Scene, kind: str, given: Any, frames: dict[str, Any]) -> Evaluator:
    own = {key: value for key, value in given.items() if key not in ("a", "b")}
    return quick(compile_scene(scene.remove("joints", NAME).with_joint(kind, NAME, **own, **frames)))


SYMMETRIC = [case for case in JOINT_CASES if case.example.symmetric and not case.ground]


@pytest.mark.parametrize("case", SYMMETRIC, ids=lambda case: case.id)
def test_exchanging_the_bodies_keeps_the_freedoms(case: Case) -> None:
    ev = case.evaluator
    given = case.example.planar if case.space == "planar" else case.example.spatial
    frames = anchors(ev, swap=True, planar=case.space == "planar")
    other = with_anchors(case.scene(), case.kind, given, frames)
    for seed in range(5):
        state = assembled(ev, random_state(ev, seed))
        evaluate(ev, state)
        J = ev.jacobian
        evaluate(other, state)
        same("row space", row_space(J), row_space(other.jacobian), 1e-8)


TWINS = [case for case in JOINT_CASES if case.space == "planar" and case.example.spatial is not None]


def twin(case: Case) -> Evaluator:
    """The planar example as a spatial scene."""
    ev, plane = case.evaluator, case.evaluator.mechanism.scene
    scene = Scene(space="spatial", gravity=(0.0, 0.0, 0.0))
    for body in plane.bodies:
        fields = {"position": body.position, "mass": body.mass, "com": body.com}
        about_z = {"axis": [0.0, 0.0, 1.0], "angle": body.angle}
        scene = scene.with_body(body.name, orientation=about_z, inertia=[0.3, 0.4, 0.5], **fields)
    for joint in plane.joints:
        tag = str(joint.__struct_config__.tag)
        fields = {
            key: getattr(joint, key)
            for key in joint.__struct_fields__
            if key not in ("a", "b", "name", "start")
        }
        if joint.name in ev.mechanism.joint_frames:
            for side, frame in zip("ab", ev.mechanism.joint_frames[joint.name], strict=True):
                moving = frame.body < len(plane.bodies)
                com = ev.mechanism.com[frame.body] if moving else np.zeros(3)
                x, y, z = frame.axes.T.tolist()
                axis, reference = (x, y) if JOINTS[tag].planar_axis_is_x else (z, x)
                if tag == "rolling" and side == "b":
                    axis, reference = z, x  # the axle
                name = plane.bodies[frame.body].name if moving else "world"
                point = (frame.point + com).tolist()
                fields[side] = {"body": name, "point": point, "axis": axis, "reference": reference}
        scene = scene.with_joint(tag, joint.name, **fields)
    return quick(compile_scene(scene))


@pytest.mark.parametrize("case", TWINS, ids=lambda case: case.id)
def test_a_planar_joint_is_the_spatial_one_in_the_plane(case: Case) -> None:
    ev, other = case.evaluator, twin(case)
    columns = [6 * b + c for b in range(len(ev.mechanism.bodies)) for c in (0, 1, 5)]
    for seed in range(5):
        state = assembled(ev, random_state(ev, seed))
        evaluate(ev, state)
        q = np.zeros(other.mechanism.nq)
        for b, (x, y, angle) in enumerate(state.q.reshape(-1, 3)):
            q[7 * b : 7 * b + 7] = [x, y, 0.0, np.cos(angle / 2), 0.0, 0.0, np.sin(angle / 2)]
        spatial = other.at(state.t, q).jacobian[:, columns]
        same("row space", row_space(ev.jacobian), row_space(spatial), 1e-8)
