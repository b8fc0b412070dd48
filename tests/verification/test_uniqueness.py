"""Reactions that redundant constraints leave open are marked, and only those."""

import numpy as np
import pytest

from engine import Trajectory, set_value, simulate
from tests.verification.runs import shipped

IN_PLANE, ACROSS = ("fx", "fy"), ("fz", "tx", "ty")


def reactions(run: Trajectory, words: tuple[str, ...]) -> set[str]:
    return {name for name in run.names() if ".reaction." in name and name.endswith(words)}


def test_across_the_plane_of_a_spatial_four_bar_reactions_are_open():
    run = simulate(shipped("spatial_four_bar"), duration=0.2)
    assert run.not_unique == reactions(run, ACROSS)


def test_what_is_not_marked_does_not_depend_on_how_redundancy_is_solved():
    # in the plane the twin without redundant rows says the same
    spatial, planar = (simulate(shipped(name), duration=0.2) for name in ("spatial_four_bar", "four_bar"))
    for name in reactions(planar, IN_PLANE):
        assert spatial.channel(name) == pytest.approx(planar.channel(name), abs=1e-7), name


@pytest.mark.parametrize("name", ["four_bar", "stewart_platform", "andrews", "double_pendulum"])
def test_without_redundancy_everything_is_unique(name):
    assert simulate(shipped(name), duration=0.01).not_unique == frozenset()


def test_a_singular_start_does_not_count():
    # upright, both bars on each other: the rank drops there and nowhere else
    scene = set_value(shipped("slider_crank"), "parameters.theta", "pi/2")
    scene = set_value(scene, "parameters.omega", 2.0)
    run = simulate(scene, method="rk4", duration=0.3)
    assert len(run) > 1
    assert run.not_unique == frozenset()


def test_a_measure_of_an_open_reaction_is_open():
    scene = shipped("spatial_four_bar")
    raw = {"name": "push", "kind": "expression", "expression": "abs(joint.A.reaction.fz)"}
    run = simulate(set_value(scene, "measures", [raw]), duration=0.05)
    assert "measure.push" in run.not_unique
    assert np.isfinite(run.channel("measure.push")).all()
