"""Reactions that redundancy leaves unique are those of the mechanism without the redundant rows."""

import json

import numpy as np
import pytest

from engine import Scene, dumps, loads
from tests.verification.runs import shipped, tight


def without_redundancy() -> Scene:
    """The spatial four-bar, hinge C replaced by a point that may slide along its axis: 17 rows in all."""
    raw = json.loads(dumps(shipped("spatial_four_bar")))
    for joint in raw["joints"]:
        if joint["name"] == "C":
            joint["kind"] = "point_on_line"
            joint["a"]["axis"] = [0, 0, 1]
            joint.pop("start", None)
    return loads(json.dumps(raw))


@pytest.mark.parametrize("joint", ["A", "B", "C", "D"])
def test_forces_in_the_plane_are_unique(joint):
    names = [f"joint.{joint}.reaction.f{axis}" for axis in "xy"]
    redundant = tight(shipped("spatial_four_bar"), 0.5, dt=0.05).table(names)
    plain = tight(without_redundancy(), 0.5, dt=0.05).table(names)
    planar = tight(shipped("four_bar"), 0.5, dt=0.05).table(names)
    # forces up to 10 N from accelerations that carry 1e-12 of the state and 1e-13 of the rows: 1e-9 is ample
    assert np.abs(plain - planar).max() < 1e-8
    assert np.abs(redundant - planar).max() < 1e-8


def test_the_reduced_mechanism_has_no_redundant_row():
    run = tight(without_redundancy(), 0.05)
    assert (run.conditioning.dof, run.conditioning.redundant) == (1, 0)
