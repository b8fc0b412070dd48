"""Patterns of compiled mechanisms against the matrices themselves."""

import numpy as np
import pytest

from engine.compiled.columns import bodies as BODY
from engine.model.files.scene_file import load_scene
from engine.system.compiling.compile import compile_scene
from engine.system.compiling.patterns import (
    complement_pattern,
    jacobian_pattern,
    joints_and_bodies,
    penalised_pattern,
    saddle_pattern,
)
from engine.system.equations.evaluator import Evaluator
from tests.paths import ROOT


@pytest.mark.parametrize("name", ["four_bar", "bricard", "stewart_platform", "andrews", "bicycle", "tether"])
def test_patterns_hold_every_entry(name: str) -> None:
    mechanism = compile_scene(load_scene(ROOT / "scenes" / f"{name}.json"))
    system, evaluator = mechanism.system, Evaluator(mechanism)
    J = evaluator.at(0.0, mechanism.q).jacobian
    pattern = jacobian_pattern(system)
    assert pattern.shape == J.shape
    assert not J[~pattern.dense()].any()
    # as many as there are blocks of J, not one more: bodies that a row does not touch have no place
    width = int(system.bodies[0, BODY.NV])
    touched = np.abs(J).reshape(len(J), -1, width).any(axis=2)
    assert pattern.entries >= width * touched.sum()

    full = np.where(pattern.dense(), 1.0, 0.0)  # nothing cancels
    m, n = full.shape
    mass = np.kron(np.eye(n // width), np.ones((width, width)))
    assert np.array_equal(complement_pattern(system).dense(), full @ mass @ full.T + np.eye(m) > 0)
    assert np.array_equal(penalised_pattern(system).dense(), mass + full.T @ full > 0)
    saddle = np.block([[mass, full.T], [full, np.zeros((m, m))]])
    assert np.array_equal(saddle_pattern(system).dense(), saddle > 0)


def test_joints_and_bodies_of_a_four_bar() -> None:
    mechanism = compile_scene(load_scene(ROOT / "scenes" / "four_bar.json"))
    names, pattern = joints_and_bodies(mechanism)
    touched = {name: [mechanism.bodies[b] for b in pattern.row(i)] for i, name in enumerate(names)}
    for joint in mechanism.scene.joints:
        bodies = {joint.a.body, joint.b.body} & set(mechanism.bodies)
        assert set(touched[f"joints.{joint.name}"]) == bodies
