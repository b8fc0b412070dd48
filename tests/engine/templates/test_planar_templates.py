"""Planar templates against closed forms and published figures."""

import math

import numpy as np
import pytest
from scipy.optimize import fsolve
from scipy.special import ellipk

from engine import simulate
from engine.templates import TEMPLATES
from engine.templates.four_bar import grashof


def path(run, body, point):
    return np.array([run.channel(f"body.{body}.point.{point}.pos.{axis}") for axis in "xy"]).T


@pytest.mark.parametrize(
    ("lengths", "title", "turns"),
    [
        ((0.4, 0.1, 0.4, 0.3), "crank-rocker", True),
        ((0.1, 0.4, 0.3, 0.4), "double crank (drag link)", True),
        ((0.4, 0.3, 0.1, 0.4), "double rocker", False),
        ((0.4, 0.3, 0.4, 0.1), "rocker-crank (the rocker can turn)", False),
        ((0.4, 0.3, 0.25, 0.2), "triple rocker (not Grashof)", False),
        ((0.4, 0.2, 0.4, 0.2), "change point", False),
        ((0.3, 0.3, 0.3, 0.3), "change point", False),
    ],
)
def test_grashof_classes(lengths, title, turns):
    # s + l < p + q: the shortest link turns fully against its neighbours
    found = grashof(*lengths)
    assert found.title == title
    assert found.crank_turns == turns


def test_the_crank_of_every_class_turns_as_far_as_stated():
    # by trying all crank angles: |L3 - L2| < diagonal < L3 + L2
    rng = np.random.default_rng(3)
    for _ in range(300):
        ground, crank, coupler, rocker = rng.uniform(0.1, 1.0, 4)
        phi = np.linspace(0.0, 2.0 * np.pi, 721)
        diagonal = np.sqrt(crank**2 + ground**2 - 2.0 * crank * ground * np.cos(phi))
        free = bool(np.all((diagonal < coupler + rocker) & (diagonal > abs(coupler - rocker))))
        assert grashof(ground, crank, coupler, rocker).crank_turns == free


def test_a_crank_rocker_swings_and_transmits_as_its_facts_say():
    made = TEMPLATES["four_bar"].make()
    facts = {fact.title: fact.value for fact in made.facts}
    run = simulate(made.scene, duration=2.0)
    b, c, d = (path(run, body, point) for body, point in (("crank", "B"), ("rocker", "C"), ("rocker", "D")))
    rocker = np.unwrap(np.arctan2(*(c - d).T[::-1]))
    assert np.ptp(rocker) == pytest.approx(facts["Swing of the rocker"], abs=1e-5)
    u, w = b - c, d - c
    angle = np.arccos((u * w).sum(axis=1) / np.linalg.norm(u, axis=1) / np.linalg.norm(w, axis=1))
    assert angle.min() == pytest.approx(facts["Transmission angle from"], abs=1e-5)
    assert angle.max() == pytest.approx(facts["Transmission angle to"], abs=1e-5)


def test_a_crank_that_cannot_turn_is_released_instead_of_driven():
    made = TEMPLATES["four_bar"].make(crank=0.35, coupler=0.3, rocker=0.3)
    assert made.scene.motions == ()
    assert made.scene.joints


@pytest.mark.parametrize("offset", [0.0, 0.08])
def test_the_slider_crank_has_its_stroke_and_time_ratio(offset):
    made = TEMPLATES["slider_crank"].make(offset=offset, speed=2.0 * math.pi)
    facts = {fact.title: fact.value for fact in made.facts}
    run = simulate(made.scene, duration=1.0)
    x = path(run, "piston", "C")[:, 0]
    assert np.ptp(x) == pytest.approx(facts["Stroke"], abs=2e-6)
    forward = float(np.mean(np.diff(x) > 0.0))  # share of the turn
    ratio = max(forward, 1.0 - forward) / min(forward, 1.0 - forward)
    assert ratio == pytest.approx(facts["Slow stroke to quick stroke, in time"], abs=0.01)


def test_peaucellier_draws_a_straight_line_by_inversion():
    values = TEMPLATES["peaucellier"].defaults
    made = TEMPLATES["peaucellier"].make()
    run = simulate(made.scene, duration=2.0)
    p, q = path(run, "crank", "P"), path(run, "AQ", "Q")
    power = values["arm"] ** 2 - values["side"] ** 2
    assert np.abs(q[:, 0] - power / (2.0 * values["crank"])).max() < 1e-9
    product = np.linalg.norm(p, axis=1) * np.linalg.norm(q, axis=1)
    assert np.abs(product - power).max() < 1e-9
    drawn = next(fact.value for fact in made.facts if fact.title == "Length of the drawn line")
    assert np.ptp(q[:, 1]) == pytest.approx(drawn, rel=1e-4)


@pytest.mark.parametrize("ratio", [1.5, 2.0])
def test_the_pantograph_enlarges_exactly(ratio):
    run = simulate(TEMPLATES["pantograph"].make(ratio=ratio).scene, duration=2.0)
    assert np.abs(path(run, "arm EQ", "Q") - ratio * path(run, "bar CP", "P")).max() < 1e-9


def test_the_foot_of_jansen_follows_his_lengths():
    # the eleven published distances as equations, solved by another program along the turn
    a, b, c, d, e, f, g = 38, 41.5, 39.3, 40.1, 55.8, 39.4, 36.7
    h, i, j, k, low, m = 65.7, 49, 50, 61.9, 7.8, 15
    made = TEMPLATES["jansen_leg"].make(crank=0.15, speed=2.0 * math.pi, start=0.0)
    run = simulate(made.scene, duration=1.0)
    foot = path(run, "foot", "X") * 100.0
    fixed = np.array([-a, -low])
    guess = np.array([-20.0, 33.0, -75.0, 5.0, -20.0, -40.0, -65.0, -35.0, -40.0, -85.0])

    def equations(u, pin):
        r, s, t, v, x = u.reshape(5, 2)
        pairs = [(pin, r, j), (fixed, r, b), (fixed, s, d), (r, s, e), (pin, t, k), (fixed, t, c)]
        pairs += [(s, v, f), (t, v, g), (v, x, h), (t, x, i)]
        return [np.hypot(*(p - q)) - size for p, q, size in pairs]

    for row in range(0, 1001, 50):
        phi = 2.0 * math.pi * row / 1000.0
        guess = fsolve(equations, guess, args=(m * np.array([math.cos(phi), math.sin(phi)]),), xtol=1e-12)
        np.testing.assert_allclose(foot[row], guess[8:], atol=1e-6)
    # what the leg is known for: more than half of the turn near the ground, on a flat and long stretch
    low = foot[:, 1] < foot[:, 1].min() + 0.1 * np.ptp(foot[:, 1])
    assert low.mean() > 0.5
    assert np.ptp(foot[low, 0]) > 0.8 * np.ptp(foot[:, 0])
    assert np.ptp(foot[low, 1]) < 0.05 * np.ptp(foot[low, 0])
    assert np.ptp(foot[:, 0]) / np.ptp(foot[:, 1]) == pytest.approx(3.0, abs=0.1)


def test_klann_stands_as_in_his_patent():
    # US 6,260,862, leg stretched out: elbow, knee, hip and foot, with the axle at (1.599, 0.750)
    made = TEMPLATES["klann_leg"].make(crank=0.268, speed=-2.0 * math.pi)
    run = simulate(made.scene, duration=1.0)
    table = {("lower rocker", "E"): (0.741, 0.750), ("leg", "K"): (0.232, 0.866)}
    table |= {("leg", "H"): (0.866, 1.500), ("leg", "X"): (0.0, 0.0)}
    for (body, point), (x, y) in table.items():
        np.testing.assert_allclose(path(run, body, point)[0] + [1.599, 0.75], [x, y], atol=1e-9)
    # half a turn of the crank moves the foot along the ground: nearly straight, most of the step
    foot = path(run, "leg", "X")[:501]
    assert np.ptp(foot[:, 1]) < 0.08 * np.ptp(foot[:, 0])
    assert np.ptp(foot[:, 0]) > 0.9 * np.ptp(path(run, "leg", "X")[:, 0])


def test_the_dwell_linkage_turns_and_rests():
    made = TEMPLATES["dwell_linkage"].make(speed=2.0 * math.pi, start=math.radians(168))
    run = simulate(made.scene, duration=1.0)
    arm = path(run, "output", "F") - path(run, "output", "G")
    angle = np.unwrap(np.arctan2(arm[:, 1], arm[:, 0]))
    assert abs(angle[-1] - angle[0]) == pytest.approx(2.0 * math.pi, abs=1e-6)
    assert np.ptp(angle[:334]) < math.radians(0.6)
    rest = next(fact.value for fact in made.facts if fact.title == "Rests within ±")
    assert np.ptp(angle[:334]) / 2.0 == pytest.approx(rest, rel=0.02)


def test_the_gear_train_divides_by_its_teeth():
    made = TEMPLATES["gear_train"].make(z1=12, z2=30, z3=15, z4=45, speed=6.0)
    run = simulate(made.scene, duration=1.0)
    out = run.channel("joint.output axle.angle")
    assert out[-1] - out[0] == pytest.approx(6.0 * 12 * 15 / (30 * 45), abs=1e-9)
    middle = run.channel("joint.middle axle.angle")
    assert middle[-1] - middle[0] == pytest.approx(-6.0 * 12 / 30, abs=1e-9)


def test_one_pendulum_swings_with_the_period_of_a_bar():
    # T = 4 K(sin²(α/2)) sqrt(I/(m g s)); a rod of radius r: I = m (L²/3 + r²/4)
    length, start = 0.5, 1.2
    scene = TEMPLATES["pendulum_chain"].make(count=1, length=length, start=start).scene
    radius = length / 20.0
    ratio = (length**2 / 3.0 + radius**2 / 4.0) / (9.81 * length / 2.0)
    period = 4.0 * ellipk(math.sin(start / 2.0) ** 2) * math.sqrt(ratio)
    run = simulate(scene, duration=period)
    assert run.channel("joint.P0.angle")[-1] == pytest.approx(0.0, abs=1e-7)
    assert TEMPLATES["pendulum_chain"].make(count=12).mobility == 12
