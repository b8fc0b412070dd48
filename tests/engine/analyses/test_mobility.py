"""Degrees of freedom, redundant rows and their names, of mechanisms whose answers are known."""

import json
import math
from typing import Any

import numpy as np
import pytest

from engine.analyses.check import Report, check_scene
from engine.model.files.scene_file import loads
from engine.model.scene import Scene
from engine.system.assembly.scaling import scales_of, subspaces
from engine.system.equations.evaluator import Evaluator
from tests.engine.system.mechanisms import SCENES, bar, hinge, scene, shipped, solid

# dof, mobility, redundant
KNOWN = {
    "andrews": (1, 1, 0),
    "bicycle": (3, 3, 0),
    "bricard": (1, 1, 1),
    "cardan_shaft": (1, 1, 0),
    "double_four_bar": (1, 1, 6),
    "double_pendulum": (2, 2, 0),
    "flyball_governor": (4, 4, 0),
    "four_bar": (1, 1, 0),
    "pantograph": (0, 2, 0),
    "slider_crank": (1, 1, 0),
    "spatial_four_bar": (1, 1, 3),
    "spatial_slider_crank": (1, 1, 0),
    "spinning_top": (3, 3, 0),
    "stewart_platform": (0, 6, 0),
}


def horizontal_double_four_bar() -> Scene:
    """The shipped scene with all cranks at angle zero: every bar on one line."""
    raw: dict[str, Any] = json.loads((SCENES / "double_four_bar.json").read_text())
    shift = {"coupler0": 1, "coupler1": 2}
    for body in raw["bodies"]:
        body["orientation"]["angle"] = 0
        body["velocity"] = body["angular_velocity"] = [0, 0, 0]
    couplers = [body for body in raw["bodies"] if "crank" not in body["name"]]
    assert len(couplers) == len(shift)
    for k, body in enumerate(couplers):
        body["position"] = [f"{k + 1}*L", 0, 0]
    return loads(json.dumps(raw))


def rssr() -> Scene:
    """Crank and rocker on skew hinges, a coupler between two balls."""
    crank = solid("crank", [0, 0, 0])
    coupler = solid("coupler", [0.5, 0.2, 0.3])
    rocker = solid("rocker", [1, 0, 0])
    joints = [
        {**hinge("A", "world", [0, 0, 0], "crank", [0, 0, 0]), "a": {"body": "world", "axis": [0, 1, 0]}},
        hinge("B", "crank", [0, 0, 0.4], "coupler", [-0.5, -0.2, 0.1], kind="spherical"),
        hinge("C", "coupler", [0.5, 0.2, 0.3], "rocker", [0, 0.4, 0.6], kind="spherical"),
        {
            **hinge("D", "world", [1, 0, 0], "rocker", [0, 0, 0]),
            "a": {"body": "world", "point": [1, 0, 0], "axis": [1, 0.3, 0]},
        },
    ]
    return scene("spatial", [crank, coupler, rocker], joints)


def triangle() -> Scene:
    """Three bars, one of them the ground."""
    bars = [bar("left", (0.0, 0.0), math.pi / 3), bar("right", (1.0, 0.0), 2 * math.pi / 3)]
    joints = [
        hinge("A", "world", [0, 0], "left", [0, 0]),
        hinge("B", "world", [1, 0], "right", [0, 0]),
        hinge("C", "left", [1, 0], "right", [1, 0]),
    ]
    return scene("planar", bars, joints)


@pytest.mark.parametrize("name", KNOWN)
def test_freedoms_and_redundancy_of_the_shipped_scenes(name: str) -> None:
    found = check_scene(shipped(name)).mobility
    assert (found.dof, found.mobility, found.redundant) == KNOWN[name]
    assert found.generic_redundant == found.redundant
    assert not found.singular_pose
    assert len(found.dependencies) == found.redundant
    assert all(dependency.generic for dependency in found.dependencies)


def test_double_four_bar_on_one_line_is_singular() -> None:
    found = check_scene(horizontal_double_four_bar()).mobility
    assert (found.dof, found.redundant) == (3, 8)
    assert (found.generic_dof, found.generic_redundant) == (1, 6)
    assert found.singular_pose
    assert len(found.dependencies) == 8
    assert [dependency.generic for dependency in found.dependencies].count(True) == 6


@pytest.mark.parametrize("name", ["spatial_four_bar", "double_four_bar", "bricard"])
def test_without_the_removable_rows_the_rest_is_independent_and_well_conditioned(name: str) -> None:
    report = check_scene(shipped(name))
    mechanism, removable = report.mechanism, [d.removable for d in report.mobility.dependencies]
    scales = scales_of(mechanism)
    J = scales.jacobian(Evaluator(mechanism).at(0.0, report.start.q).jacobian)
    kept = [r for r, row in enumerate(mechanism.rows) if row not in removable]
    whole, rest = subspaces(J), subspaces(J[kept])
    assert rest.rank == len(kept) == whole.rank
    assert rest.singular[len(kept) - 1] > 0.1 * whole.singular[whole.rank - 1]


@pytest.mark.parametrize("name", ["spatial_four_bar", "double_four_bar", "bricard"])
def test_every_row_of_a_dependency_takes_part(name: str) -> None:
    """The rows of one dependency have rank one less than their number, and full rank without one."""
    report = check_scene(shipped(name))
    mechanism = report.mechanism
    J = scales_of(mechanism).jacobian(Evaluator(mechanism).at(0.0, report.start.q).jacobian)
    for dependency in report.mobility.dependencies:
        rows = [mechanism.rows.index(row) for row in dependency.rows]
        assert subspaces(J[rows]).rank == len(rows) - 1
        for leave in rows:
            rest = [r for r in rows if r != leave]
            assert subspaces(J[rest]).rank == len(rest)


def test_each_loop_of_the_double_four_bar_has_its_own_three() -> None:
    texts = [d.text for d in check_scene(shipped("double_four_bar")).mobility.dependencies]
    assert sum("A0" in text for text in texts) == 3
    assert sum("A2" in text for text in texts) == 3


def test_dependencies_read_like_sentences() -> None:
    texts = [d.text for d in check_scene(shipped("spatial_four_bar")).mobility.dependencies]
    assert "D: rotation about x repeats A, B, C" in texts


def test_the_coupler_between_two_balls_spins_idly() -> None:
    report = check_scene(rssr())
    assert report.mobility.dof == 2
    assert report.mobility.redundant == 0
    (note,) = report.mobility.notes
    assert note.startswith("coupler spins idly about the line through B and C")


def test_a_rotor_in_two_bearings_is_not_idle() -> None:
    joints = [
        hinge("A", "world", [0, 0, 0], "rotor", [0, 0, 0]),
        hinge("B", "world", [0, 0, 1], "rotor", [0, 0, 1]),
    ]
    found = check_scene(scene("spatial", [solid("rotor", [0, 0, 0])], joints)).mobility
    assert (found.dof, found.redundant, found.notes) == (1, 5, ())


def test_a_triangle_does_not_move() -> None:
    found = check_scene(triangle()).mobility
    assert (found.dof, found.redundant, found.gruebler, found.poses) == (0, 0, 0, 1)


def test_a_body_without_joints_is_remarked() -> None:
    found = check_scene(scene("planar", [bar("stone", (0.0, 0.0), 0.0)], [])).mobility
    assert found.dof == 3
    assert found.notes == ("stone has no joint",)


def report_of(name: str) -> Report:
    return check_scene(shipped(name))


def test_the_report_is_plain_data() -> None:
    data = report_of("spatial_four_bar").to_dict()
    assert json.loads(json.dumps(data)) == data
    assert data["gruebler"] == -2
    assert data["dependencies"][0]["removable"] in data["dependencies"][0]["rows"]
    wanted = """scene space bodies joints forces motions velocities rows gruebler dof mobility redundant
    generic_redundant singular_pose dependencies remarks violation_position violation_velocity moved solver
    method dt duration"""
    assert set(wanted.split()) <= set(data)


@pytest.mark.parametrize("name", ["double_four_bar", "stewart_platform"])
def test_the_report_fits_on_a_screen(name: str) -> None:
    lines = report_of(name).text().splitlines()
    assert len(lines) < 24
    assert max(map(len, lines)) <= 120


def test_the_singular_pose_is_told() -> None:
    text = check_scene(horizontal_double_four_bar()).text()
    assert "this pose is singular: in general 6 redundant" in text
    assert "(only at this pose)" in text


def test_null_space_of_an_empty_matrix_is_everything() -> None:
    assert np.array_equal(subspaces(np.zeros((0, 4))).null, np.eye(4))
