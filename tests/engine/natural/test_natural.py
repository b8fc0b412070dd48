"""Natural and mixed coordinates: Jacobians against differences, motions against this program's own bodies."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from app.platform.resources import scene_paths
from engine import load_scene, simulate
from engine.analyses.base import NoOptions, Question
from engine.errors import SceneError
from engine.maths.sparse.orderings import ORDERINGS, Hints, Reordering
from engine.natural.equations import NaturalEquations
from engine.natural.hinge_chain import hinge_chain
from engine.natural.mechanisms import NATURAL_MECHANISMS, NaturalMechanism
from engine.natural.mechanisms.bars import ANGLES
from engine.natural.mechanisms.tether import tether
from engine.natural.natural_motion import FULL, NaturalMotion
from tests.verification.references import mixed_coordinates as written_out

by_mechanism = pytest.mark.parametrize("kind", list(NATURAL_MECHANISMS), ids=lambda kind: kind.name)


@by_mechanism
def test_sizes_and_rank_are_the_published_ones(kind: NaturalMechanism) -> None:
    equations = NaturalEquations(kind.make())
    equations.at(equations.q, np.zeros_like(equations.q))
    J = equations.matrix().toarray()
    assert J.shape == (kind.published.rows, kind.published.columns)
    assert np.linalg.matrix_rank(J) == kind.published.rank
    assert np.abs(equations.phi).max() < 1e-14
    assert len(kind.independent) == J.shape[1] - kind.published.rank  # degrees of freedom


@by_mechanism
def test_jacobian_and_bias_are_derivatives(kind: NaturalMechanism) -> None:
    equations = NaturalEquations(kind.make())
    random = np.random.default_rng(1)
    q = equations.q + 0.05 * random.normal(size=len(equations.q))
    v, h = np.zeros_like(q), 1e-6
    v[equations.free] = random.normal(size=len(equations.free))

    def rates(x: np.ndarray) -> np.ndarray:
        equations.at(x, v)
        return np.asarray(equations.matrix() @ v[equations.free])

    J = np.empty(equations.pattern.shape)
    for column, place in enumerate(equations.free):
        step = np.zeros_like(q)
        step[place] = h
        equations.at(q + step, v)
        forward = equations.phi.copy()
        equations.at(q - step, v)
        J[:, column] = (forward - equations.phi) / (2.0 * h)
    equations.at(q, v)
    np.testing.assert_allclose(equations.matrix().toarray(), J, atol=1e-8)
    c = equations.c.copy()
    np.testing.assert_allclose(c, -(rates(q + h * v) - rates(q - h * v)) / (2.0 * h), atol=1e-7)


@pytest.mark.parametrize(
    ("name", "reference"),
    [
        ("pendulum", written_out.five_bars),
        ("bricard 1", written_out.bricard_1),
        ("bricard 2", written_out.bricard_2),
        ("vehicle", written_out.vehicle),
    ],
)
def test_patterns_are_those_written_out_by_hand(name: str, reference: type[written_out.Mixed]) -> None:
    equations, other = NaturalEquations(NATURAL_MECHANISMS[name].make()), reference()
    assert equations.free_names == other.columns()
    np.testing.assert_array_equal(equations.pattern.dense(), other.pattern().dense())
    equations.at(equations.q, np.zeros_like(equations.q))
    J, expected = equations.matrix().toarray(), other.jacobian()
    plain = [not row.angle for row in equations.model.rows]  # angles there are all positive
    np.testing.assert_allclose(J[plain], expected[plain], atol=1e-14)


def test_both_forms_of_an_angle_agree_along_the_motion() -> None:
    """θ leaves the range of one form and comes back in the other: no jump of Φ."""
    motion = NaturalMotion(NATURAL_MECHANISMS["pendulum"])
    run = motion.run(1.5, tolerance=1e-9, instants=40)
    angles = run.q[:, [motion.equations.number[name] for name in ANGLES]]
    sine = np.abs(np.cos(angles)) >= np.sqrt(0.5)
    assert sine.any()
    assert (~sine).any()
    assert run.violation.max() < 1e-6


@pytest.mark.parametrize("state", ["index two", "index three"])
@pytest.mark.parametrize("scheme", ["dopri5", "adams"])
def test_the_pendulum_moves_as_in_coordinates_of_bodies(state: str, scheme: str) -> None:
    scene = load_scene(scene_paths()["five_bar_pendulum"])
    own = simulate(scene, duration=1.0, dt=1e-3, method="lagrange/rk4/projection")
    motion = NaturalMotion(NATURAL_MECHANISMS["pendulum"])
    run = motion.run(1.0, state=state, scheme=scheme, tolerance=1e-9, instants=11)  # type: ignore[arg-type]
    assert np.abs(run.energy - run.energy[0]).max() < 1e-4
    tip = [motion.equations.number[f"P4.{axis}"] for axis in "xyz"]
    rod = [own.channel(f"body.rod5.pos.{axis}") for axis in "xyz"]
    for k, t in enumerate(run.t):
        at = int(np.argmin(np.abs(own.t - t)))
        np.testing.assert_allclose(run.q[k, tip], [values[at] for values in rod], atol=2e-5)


@pytest.mark.parametrize("name", ["bricard 1", "bricard 2"])
@pytest.mark.parametrize("ordering", [FULL, "bordered", "p5", "bordered_by_blocks"])
def test_bricard_moves_as_in_coordinates_of_bodies(name: str, ordering: str) -> None:
    """Two redundant rows; every solver has the same motion."""
    scene = load_scene(scene_paths()["bricard"])
    own = simulate(scene, duration=1.0, dt=1e-3, method="lagrange/rk4/projection")
    motion = NaturalMotion(NATURAL_MECHANISMS[name], ordering)
    run = motion.run(1.0, tolerance=1e-9, instants=6)
    place = [motion.equations.number[f"P2.{axis}"] for axis in "xyz"]
    point = [own.channel(f"body.rod3.pos.{axis}") for axis in "xyz"]
    for k, t in enumerate(run.t):
        at = int(np.argmin(np.abs(own.t - t)))
        np.testing.assert_allclose(run.q[k, place], [values[at] for values in point], atol=2e-5)
    assert np.abs(run.energy - run.energy[0]).max() < 1e-5


def test_a_free_tether_keeps_energy_and_momentum_about_its_hinge() -> None:
    kind = replace(NATURAL_MECHANISMS["tether"], make=lambda: tether(springs=False))
    motion = NaturalMotion(kind)
    rates = np.zeros(len(kind.independent))
    rates[0], rates[-3:] = 2.0, (3.0, 0.0, 0.0)
    run = motion.run(0.2, state="index three", scheme="dopri5", tolerance=1e-9, rates=rates, instants=11)
    assert np.abs(run.energy - run.energy[0]).max() < 1e-6 * run.energy[0]
    # all motion is about u0 = y: the moment of momentum about the hinge, Σ r × M q̇ over triples
    mass = motion.equations.mass
    about = []
    for q, v in zip(run.q, run.v, strict=True):
        p = mass @ v
        triples = [name for name, value in motion.equations.model.values.items() if len(value) == 3]
        total = np.zeros(3)
        for name in triples:
            first = motion.equations.number[f"{name}.x"]
            total += np.cross(q[first : first + 3], p[first : first + 3])
        about.append(total[1])
    np.testing.assert_allclose(about, about[0], rtol=1e-6)


def test_the_vehicle_settles_where_its_forces_balance() -> None:
    motion = NaturalMotion(NATURAL_MECHANISMS["vehicle"])
    run = motion.run(3.0, state="index three", scheme="adams", tolerance=1e-6, instants=31)
    assert run.energy[-1] < run.energy[0]
    assert np.abs(run.v[-1]).max() < 0.02
    # weight on the tyres: the vertical forces sum to the weight
    e = motion.equations
    total = e.forces(run.q[-1], np.zeros_like(run.q[-1]))
    tyres = [e.number[s.coordinate] for s in e.model.springs if s.coordinate.endswith(".z")]
    carried = sum(
        s.stiffness * (s.rest - run.q[-1][e.number[s.coordinate]])
        for s in e.model.springs
        if s.coordinate.endswith(".z")
    )
    assert len(tyres) == 4
    assert np.isfinite(total).all()
    assert carried == pytest.approx((1200.0 + 4 * 40.0) * 9.81, rel=2e-3)


@by_mechanism
def test_velocity_constraints_hold_by_construction(kind: NaturalMechanism) -> None:
    motion = NaturalMotion(kind)
    rates = np.random.default_rng(2).normal(size=len(kind.independent))
    v = motion.velocities(motion.q, rates)
    motion.equations.at(motion.q, v)
    assert np.abs(motion.equations.matrix() @ v[motion.equations.free]).max() < 1e-11


@pytest.mark.parametrize(
    ("name", "ordering", "sizes", "border", "bottom"),
    [
        ("pendulum", "bordered", {3: 10}, 0, 0),
        ("tether", "bordered", {3: 28}, 0, 0),
        ("bricard 1", "bordered", {1: 10, 2: 3, 3: 5}, 3, 5),
        ("bricard 1", "p5", {1: 10, 2: 3, 3: 5}, 3, 5),
        ("bricard 2", "bordered", {1: 4, 2: 3, 3: 5}, 3, 5),
        ("vehicle", "bordered", {1: 127, 2: 13, 3: 7}, 18, 18),
    ],
)
def test_forms_of_the_dependent_part(
    name: str, ordering: str, sizes: dict[int, int], border: int, bottom: int
) -> None:
    kind = NATURAL_MECHANISMS[name]
    pattern, _, _ = NaturalEquations(kind.make()).dependent(kind.independent)
    found = ORDERINGS[ordering].order(pattern, Hints())
    assert (found.sizes(), found.border, found.bottom) == (sizes, border, bottom)


def test_an_unknown_independent_coordinate_is_told() -> None:
    with pytest.raises(ValueError, match=r"not free coordinates: P0\.x"):
        NaturalEquations(NATURAL_MECHANISMS["pendulum"].make()).dependent(["P0.x"])


# orderings along a motion


def _worst_condition(found: Reordering, J: np.ndarray) -> float:
    worst, at = 0.0, 0
    for size in found.blocks:
        block = J[np.ix_(found.rows[at : at + size], found.columns[at : at + size])]
        worst = max(worst, float(np.linalg.cond(block)))
        at += size
    return worst


@pytest.mark.parametrize("angle", ANGLES)
def test_pivot_rows_by_values_stay_regular_along_the_motion(angle: str) -> None:
    """Bricard over 1.2 rad: chosen by number a redundant row makes a block singular in every pose."""
    motion = NaturalMotion(replace(NATURAL_MECHANISMS["bricard 1"], independent=(angle,)))
    e, q = motion.equations, motion.q.copy()
    pattern, entries, columns = e.dependent([angle])
    rows = np.repeat(np.arange(pattern.shape[0]), np.diff(pattern.starts))

    def matrix() -> np.ndarray:
        motion.close(q)
        e.at(q, np.zeros_like(q))
        full = np.zeros(pattern.shape)
        full[rows, pattern.columns] = e.jacobian[entries]
        return full

    order, start = ORDERINGS["bordered"].order, matrix()
    relative = frozenset(k for k, c in enumerate(columns) if e.free_names[int(c)] in e.model.relative)
    forms = {
        "by number": order(pattern, Hints()),
        "relative flagged": order(pattern, Hints(None, relative)),
        "closures flagged too": order(pattern, Hints(None, relative, e.closures())),
        "by values": order(pattern, Hints(start)),
        "by values, flagged": order(pattern, Hints(start, relative)),
    }
    worst: dict[str, list[float]] = {name: [] for name in forms}
    for step in np.linspace(0.0, 1.2, 20):
        q[e.number[angle]] = motion.q[e.number[angle]] + step
        J = matrix()
        for name, form in forms.items():
            worst[name].append(_worst_condition(form, J))
    assert min(worst["by number"]) > 1e12
    assert min(worst["relative flagged"]) > 1e12
    for name in ("closures flagged too", "by values", "by values, flagged"):
        assert max(worst[name]) < 10.0


# scenes in natural coordinates


@pytest.mark.parametrize(
    ("scene", "shape", "entries", "rank"),
    [("five_bar_pendulum", (30, 35), 203, 30), ("bricard", (30, 29), 182, 28)],
)
def test_a_row_of_hinged_bodies_has_the_counts_of_the_source(
    scene: str, shape: tuple[int, int], entries: int, rank: int
) -> None:
    asked = Question(load_scene(scene_paths()[scene]), NoOptions())
    chain = hinge_chain(asked.mechanism, asked.evaluator, asked.start.q)
    equations = NaturalEquations(chain.model)
    equations.at(equations.q, np.zeros_like(equations.q))
    assert equations.pattern.shape == shape
    assert equations.pattern.entries == entries
    assert np.linalg.matrix_rank(equations.matrix().toarray()) == rank
    np.testing.assert_allclose(
        equations.energy(equations.q, np.zeros_like(equations.q)),
        asked_potential(asked),
        atol=1e-12,
    )


def asked_potential(asked: Question) -> float:
    """Of gravity, by the bodies themselves."""
    evaluator = asked.evaluator.at(0.0, asked.start.q)
    evaluator.forces()
    return float(evaluator.energy[1])


@pytest.mark.parametrize(
    ("scene", "reason"),
    [("four_bar", "planar"), ("stewart_platform", "no revolute joint"), ("spatial_four_bar", "span space")],
)
def test_other_scenes_are_refused_with_the_reason(scene: str, reason: str) -> None:
    asked = Question(load_scene(scene_paths()[scene]), NoOptions())
    with pytest.raises(SceneError, match=reason):
        hinge_chain(asked.mechanism, asked.evaluator, asked.start.q)
