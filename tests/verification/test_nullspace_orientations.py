"""Null-space Newmark in sets of orientation coordinates: its equations, order, singular coordinates."""

import numpy as np
import pytest
from scipy.linalg import null_space
from scipy.spatial.transform import Rotation

from engine import Scene, simulate
from engine.compiled.layout import Array, StepStatus
from engine.maths.orientations import (
    EULER_ZXZ,
    GIBBS,
    MODIFIED_RODRIGUES,
    QUATERNION,
    ROTATION_VECTOR,
    WIENER_MILENKOVIC,
)
from engine.maths.orientations import SETS as NAMES
from engine.model.set_value import set_value
from engine.system.equations.evaluator import Evaluator
from tests.verification.runs import energy_error, finished, shipped, tight

METHOD = "newmark_nullspace"
SETS = range(4)
H = 2e-4  # s, of difference quotients


def pendulum(theta: float = np.pi / 4) -> Scene:
    """[UPV Newmark, §9.1.4.1]: between a quarter and three quarters of π all sets are regular."""
    return set_value(
        set_value(shipped("spatial_pendulum"), "parameters.theta", theta), "parameters.push", 1.0
    )


def parameters(kind: int, turn: Rotation) -> Array:
    """By SciPy, from the definition of each set."""
    if kind == QUATERNION:
        return np.roll(turn.as_quat(canonical=True), 1)
    if kind == EULER_ZXZ:
        return turn.as_euler("ZXZ")
    vector = turn.as_rotvec()
    half = np.linalg.norm(vector) / 2
    return vector / half * (np.tan(half) if kind == GIBBS else np.sin(half))


def path(kind: int, q: Array, v: Array, a: Array, t: float) -> Array:
    """x at t of bodies in space that pass q with v and a; angles in body axes to second order."""
    found = []
    for b in range(len(q) // 7):
        at, to = 7 * b, 6 * b
        move = t * v[to : to + 6] + t * t / 2 * a[to : to + 6]
        turn = Rotation.from_quat(np.roll(q[at + 3 : at + 7], -1)) * Rotation.from_rotvec(move[3:])
        found += [q[at : at + 3] + move[:3], parameters(kind, turn)]
    return np.concatenate(found)


def rates(kind: int, q: Array, v: Array, a: Array) -> tuple[Array, Array, Array]:
    """x, ẋ, ẍ by difference quotients."""
    seen = np.array([path(kind, q, v, a, t) for t in (-H, 0.0, H)])
    before, here, after = np.unwrap(seen, axis=0) if kind == EULER_ZXZ else seen
    return here, (after - before) / (2 * H), (after - 2 * here + before) / H**2


@pytest.mark.parametrize(
    ("scene", "kinds"), [("spatial_pendulum", SETS), ("bricard", (QUATERNION, 2, GIBBS))]
)
def test_a_step_solves_the_equations_of_the_method(scene: str, kinds: tuple[int, ...]) -> None:
    """Nᵀ(x − x₀ − hẋ₀ − h²(ẍ₀ + ẍ)/4) = 0, Nᵀ(ẋ − ẋ₀ − h(ẍ₀ + ẍ)/2) = 0 for N of SciPy and x of SciPy."""
    h, made = 0.02, pendulum() if scene == "spatial_pendulum" else shipped(scene)
    for kind in kinds:
        run = finished(made, METHOD, h, 6 * h, orientation=kind)
        layout, evaluator = run.segments[-1].channels.layout, Evaluator(run.segments[-1].mechanism)
        old, new = run.samples[-2:]
        x0, r0, s0 = rates(kind, old[layout.q], old[layout.v], old[layout.a])
        x1, r1, s1 = rates(kind, new[layout.q], new[layout.v], new[layout.a])
        evaluator.at(new[layout.t], new[layout.q], new[layout.v], new[layout.angles])
        still = np.zeros(len(new[layout.v]))
        free = [rates(kind, new[layout.q], n, still)[1] for n in null_space(evaluator.jacobian, rcond=1e-9).T]
        if kind == EULER_ZXZ:
            x0, x1 = np.unwrap([x0, x1], axis=0)
        gaps = (x1 - x0 - h * r0 - h * h / 4 * (s0 + s1), r1 - r0 - h / 2 * (s0 + s1))
        for gap, scale in zip(gaps, (h**3, h**2), strict=True):
            assert np.abs(np.array(free) @ gap).max() < 1e-3 * scale, kind  # of what a wrong rule leaves


@pytest.mark.parametrize("orientation", SETS)
@pytest.mark.parametrize("null_space", [0, 1])
def test_order_two_in_every_set(orientation: int, null_space: int) -> None:
    reference = tight(pendulum(), 1.0, dt=5e-3)
    layout = reference.segments[-1].channels.layout
    errors = []
    for k in (1, 2):
        run = finished(pendulum(), METHOD, 5e-3 / k, 1.0, orientation=orientation, null_space=null_space)
        gap = run.samples[::k] - reference.samples
        errors.append([np.abs(gap[:, p]).max() for p in (layout.q, layout.v, layout.multipliers)])
        assert run.channel("violation.position").max() < 1e-11
        assert run.channel("violation.velocity").max() < 1e-11
        assert run.channel("method.iterations")[1:].max() <= 4
    np.testing.assert_allclose(np.log2(np.divide(*errors)), 2.0, atol=0.1)


@pytest.mark.parametrize(("orientation", "end"), [(1, 0.0), (2, 1.163), (3, 1.163)])
def test_singular_coordinates_end_the_run_with_the_name_of_the_body(orientation: int, end: float) -> None:
    """From θ = 0 to π without a push: Euler angles are singular at once, the others as the bob arrives."""
    scene = set_value(pendulum(0.0), "parameters.push", 0.0)
    run = simulate(scene, method=METHOD, dt=1e-3, duration=4.0, options={"orientation": orientation})
    assert run.status is StepStatus.SINGULAR_COORDINATES
    assert run.t[-1] == pytest.approx(end, abs=0.03)
    assert "body 'bob': its orientation coordinates are singular here" in run.message
    assert energy_error(run) < 1e-3  # no wrong curve before the end


@pytest.mark.parametrize("orientation", [2, 3])
def test_a_redundant_loop_runs_without_quaternions(orientation: int) -> None:
    run = finished(shipped("bricard"), METHOD, 0.01, 1.0, orientation=orientation)
    assert energy_error(run) < 1e-3
    assert run.channel("violation.acceleration").max() < 1e-8


LATER = (ROTATION_VECTOR, WIENER_MILENKOVIC, MODIFIED_RODRIGUES, NAMES.index("Euler angles ZYZ"))


@pytest.mark.parametrize("orientation", LATER, ids=[NAMES[k] for k in LATER])
def test_order_two_in_the_later_sets(orientation: int) -> None:
    reference = tight(pendulum(), 1.0, dt=5e-3)
    layout = reference.segments[-1].channels.layout
    errors = []
    for k in (1, 2):
        run = finished(pendulum(), METHOD, 5e-3 / k, 1.0, orientation=orientation)
        # a quaternion and its negative are one orientation
        gap = run.samples[::k] - reference.samples
        errors.append([np.abs(gap[:, p]).max() for p in (layout.v, layout.multipliers)])
    np.testing.assert_allclose(np.log2(np.divide(*errors)), 2.0, atol=0.1)


@pytest.mark.parametrize("orientation", [1, 2, 3, *LATER, NAMES.index("Tait-Bryan angles XYZ")])
def test_runs_go_on_through_singular_coordinates_where_the_chart_may_change(orientation: int) -> None:
    """From θ = 0 to π without a push: half a turn about a fixed axis, there and back."""
    scene = set_value(pendulum(0.0), "parameters.push", 0.0)
    run = finished(scene, METHOD, 1e-3, 3.0, orientation=orientation, chart=1)
    assert energy_error(run) < 1e-3
    if orientation in LATER[:3]:  # whole turns alone are singular: they need no other chart
        alone = finished(scene, METHOD, 1e-3, 3.0, orientation=orientation)
        assert energy_error(alone) < 1e-3


def test_planar_scenes_know_no_difference() -> None:
    first, second = (finished(shipped("four_bar"), METHOD, 1e-3, 0.05, orientation=k) for k in (0, 3))
    np.testing.assert_array_equal(first.samples, second.samples)
