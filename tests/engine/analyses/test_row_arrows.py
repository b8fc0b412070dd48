"""Arrows of rows, checked by moving a body: only what has a part along the arrow changes the row."""

import numpy as np
import pytest

from engine.analyses.instant.row_arrows import RowArrow, row_arrows
from engine.analyses.kinematics.poses import body_poses
from engine.elements.base import WORLD
from engine.system.compiling.compile import compile_scene
from engine.system.equations.evaluator import Evaluator
from tests.engine.analyses.test_redundancy import answer
from tests.engine.system.mechanisms import shipped

STEP = 1e-5  # m, rad; the second order leaves about its square


def in_world(arrow: RowArrow, poses: dict) -> tuple[np.ndarray, np.ndarray]:
    p, R = poses.get(arrow.body, (np.zeros(3), np.eye(3)))
    return p + R @ np.array(arrow.point), R @ np.array(arrow.direction)


@pytest.mark.parametrize("name", ["spatial_slider_crank", "four_bar", "slider_crank"])
def test_a_row_feels_what_moves_along_its_arrow_and_nothing_else(name: str) -> None:
    mechanism = compile_scene(shipped(name))
    evaluator = Evaluator(mechanism)
    q, width = mechanism.q, 3 if mechanism.planar else 6
    poses = body_poses(evaluator, q)
    arrows = row_arrows(mechanism, evaluator, 0.0, q)
    before = evaluator.at(0.0, q).phi
    assert set(arrows) == {row for row in mechanism.rows if row.owner == "joint"}
    for k, row in enumerate(mechanism.rows):
        arrow, (A, B) = arrows[row], mechanism.joint_frames[row.name]
        assert arrow.turns == row.unit.startswith("rad") or row.unit == ""
        at, way = in_world(arrow, poses)
        assert np.linalg.norm(way) == pytest.approx(1.0)
        b = B.body if B.body < len(mechanism.bodies) else A.body
        R = poses[mechanism.bodies[b]][1]
        com = poses[mechanism.bodies[b]][0] + R @ mechanism.com[b]
        across = np.cross(way, [0.3, -0.5, 0.8])
        across /= np.linalg.norm(across)
        shares = {}
        for title, push, turn in (
            ("along", way, np.zeros(3)),
            ("beside", across, np.zeros(3)),
            ("about", np.zeros(3), way),
            ("tilted", np.zeros(3), across),
        ):
            v = push - np.cross(turn, at - com)  # the marker stays while the body turns
            w = R.T @ turn
            if mechanism.planar and (v[2] or w[0] or w[1]):
                continue
            step = np.zeros(mechanism.nv)
            step[width * b : width * b + width] = STEP * (
                np.array([v[0], v[1], w[2]]) if mechanism.planar else np.concatenate([v, w])
            )
            moved = evaluator.at(0.0, evaluator.retract(q, step)).phi
            shares[title] = abs(moved[k] - before[k]) / STEP
        felt = "about" if arrow.turns else "along"
        if felt in shares:
            assert shares.pop(felt) > 0.1, (row, shares)
        # of a length that is no coordinate of the marker
        shares.pop("about" if not arrow.turns else "", None)
        shares.pop("tilted" if not arrow.turns else "", None)
        for title, share in shares.items():
            assert share < 10.0 * STEP, (row, title, share)


def test_the_spatial_four_bar_is_held_across_its_plane() -> None:
    """Three rows too many: shifts along the hinges' axis, and turns about axes in the plane of the bars."""
    given, result = answer("spatial_four_bar")
    mechanism = compile_scene(given)
    poses = body_poses(Evaluator(mechanism), mechanism.q)
    axis = next(frames[0].axes[:, 2] for frames in mechanism.joint_frames.values() if frames[0].body >= 3)
    mentioned = [m for row, others, _ in result.tables[0].rows for m in (row, *others)]
    assert mentioned
    for mention in mentioned:
        assert mention.arrow is not None
        assert mention.arrow.body in (*mechanism.bodies, WORLD)
        share = abs(float(in_world(mention.arrow, poses)[1] @ axis))
        assert share == pytest.approx(0.0 if mention.arrow.turns else 1.0, abs=1e-9), mention
