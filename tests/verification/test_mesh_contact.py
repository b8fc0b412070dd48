"""Meshes touch by their convex hulls: as the box that they are, and refused where they have no inside."""

import math
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from engine.errors import SceneError
from engine.model.files.scene_file import load_scene, save_scene
from engine.model.meshes.hull_corners import MAX_CORNERS, hull_corners
from engine.model.scene import Scene
from engine.simulation.simulation import simulate

G = 9.81
CORNERS = np.array(list(product((-1, 1), repeat=3))) * (0.15, 0.1, 0.2)


def write_mesh(path: Path, points: np.ndarray) -> None:
    """All triangles of the first points with each other: a surface with inner faces, of which none counts."""
    text = [f"v {x} {y} {z}" for x, y, z in points]
    text += [f"f 1 {k} {k + 1}" for k in range(2, len(points))]
    path.write_text("\n".join(text))


def falling(shape: dict) -> Scene:
    scene = Scene(space="spatial", gravity=(0.0, 0.0, -G))
    turned = {"axis": [0.3, 1.0, 0.2], "angle": 0.4}
    placed = {"position": [0.0, 0.0, 0.5], "orientation": turned}
    scene = scene.with_body("stone", mass=1.0, inertia=[0.01, 0.02, 0.015], shapes=[shape], **placed)
    plane = {"body": "world", "point": [0, 0, 0], "axis": [0, 0, 1]}
    law = {"law": "rigid", "restitution": 0.3, "friction": 0.4}
    return scene.with_force("contact", "floor", a=plane, shape_a="plane", b={"body": "stone"}, **law)


def test_a_mesh_of_a_box_falls_as_the_box_does(tmp_path: Path) -> None:
    write_mesh(tmp_path / "stone.obj", 1000.0 * CORNERS)
    mesh = falling({"kind": "mesh", "file": "stone.obj", "scale": 1e-3})
    save_scene(mesh, tmp_path / "mesh.json")
    opened = load_scene(tmp_path / "mesh.json")
    assert len(opened.bodies[0].shapes[0].hull) == 8
    box = falling({"kind": "box", "size": (2.0 * CORNERS.max(axis=0)).tolist()})
    method = "lagrange/rk4/projection"
    runs = [simulate(scene, method=method, dt=2e-3, duration=0.4) for scene in (opened, box)]
    hits = [[event.t for event in run.events if event.kind == "impact"] for run in runs]
    assert len(hits[1]) >= 1
    assert hits[0] == pytest.approx(hits[1], abs=1e-9)
    # the lowest corner, by hand
    angle, axis = 0.4, np.array([0.3, 1.0, 0.2]) / math.sqrt(0.09 + 1.0 + 0.04)
    K = np.cross(np.eye(3), axis)
    R = np.eye(3) + math.sin(angle) * K + (1.0 - math.cos(angle)) * K @ K
    lowest = 0.5 + (CORNERS @ R.T)[:, 2].min()
    assert hits[0][0] == pytest.approx(math.sqrt(2.0 * lowest / G), abs=1e-9)


@pytest.mark.parametrize(
    ("squeeze", "word"), [((1.0, 1.0, 1e-5), "flat"), ((1.0, 1e-5, 1e-5), "needle-shaped")]
)
def test_meshes_without_an_inside_are_refused(tmp_path: Path, squeeze: tuple, word: str) -> None:
    write_mesh(tmp_path / "stone.obj", CORNERS * squeeze)
    save_scene(falling({"kind": "mesh", "file": "stone.obj"}), tmp_path / "mesh.json")
    with pytest.raises(SceneError, match=r"the mesh 'stone.obj' has no hull"):
        load_scene(tmp_path / "mesh.json")
    with pytest.raises(ValueError, match=word):
        hull_corners(CORNERS * squeeze)


def test_a_fine_mesh_keeps_its_extremes() -> None:
    """A ball of a thousand corners: few are left, none of them far within."""
    points = np.random.default_rng(1).normal(size=(1000, 3))
    points /= np.linalg.norm(points, axis=1)[:, None]
    corners = hull_corners(points)
    assert len(corners) <= MAX_CORNERS
    directions = np.random.default_rng(2).normal(size=(200, 3))
    directions /= np.linalg.norm(directions, axis=1)[:, None]
    assert (corners @ directions.T).max(axis=0).min() > 0.75
