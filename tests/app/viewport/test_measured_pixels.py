"""Cranks in the picture are where closed-form kinematics says, within two pixels, at every scale.

The engine assembles the shipped mechanism at a crank angle; a red ball marks a point of one body, and the
middle of the red pixels is compared with the projection of the point as the geometry of the linkage gives it.
"""

from collections.abc import Callable
from functools import cache

import msgspec
import numpy as np
import pytest

from app.viewport.pictures.picture import poses_of
from app.viewport.scene.scene_view import SceneView
from engine import Scene, simulate
from engine.compiled.layout import Array
from engine.elements.bodies.shapes import Sphere
from engine.model.resolve import resolve
from engine.model.set_value import set_value
from tests.app.viewport.scenes import RED, red_blob, shipped

ANGLES = (0.3, 0.8, 1.4)  # of the crank against the x axis [rad]; at π/2 the slider-crank has two ways on
CRANK, COUPLER, ROCKER, BASE = 0.1, 0.4, 0.3, 0.4  # m, of both four-bars


def crank_end(angle: float) -> Array:
    return CRANK * np.array([np.cos(angle), np.sin(angle), 0.0])


def rocker_end(angle: float) -> Array:
    """Where the circles about the ends of crank and base meet, above the line between them."""
    begin, end = crank_end(angle), np.array([BASE, 0.0, 0.0])
    distance = np.linalg.norm(end - begin)
    along = (end - begin) / distance
    foot = (COUPLER**2 - ROCKER**2 + distance**2) / (2.0 * distance)
    across = np.array([-along[1], along[0], 0.0])
    return np.asarray(begin + foot * along + np.sqrt(COUPLER**2 - foot**2) * across)


def unit_crank_end(angle: float) -> Array:
    return np.array([np.cos(angle), np.sin(angle), 0.0])


def slider(angle: float) -> Array:
    """Crank and rod are both 1 m long."""
    return np.array([2.0 * np.cos(angle), 0.0, 0.0])


# scene, joint of the crank, body, point of it that is marked, radius of the mark [m], where it must be
CASES = [
    ("four_bar", "A", "crank", (CRANK, 0.0, 0.0), 0.02, crank_end),
    ("four_bar", "A", "rocker", (ROCKER, 0.0, 0.0), 0.02, rocker_end),
    ("slider_crank", "P1", "crank", (1.0, 0.0, 0.0), 0.15, unit_crank_end),
    ("slider_crank", "P1", "slider", (0.0, 0.0, 0.0), 0.2, slider),
    ("spatial_four_bar", "A", "crank", (CRANK, 0.0, 0.0), 0.02, crank_end),
    ("spatial_four_bar", "A", "rocker", (ROCKER, 0.0, 0.0), 0.02, rocker_end),
]


def marked(name: str, body: str, point: tuple[float, ...], radius: float) -> Scene:
    """The shipped scene with a red ball on one body, and nothing else that is red or lies in front."""
    scene = resolve(shipped(name))
    ball = Sphere(position=point, radius=radius, color=RED, density=None)
    bodies = tuple(
        msgspec.structs.replace(
            item, color="#2060A0", shapes=(ball,) if item.name == body else (), mass=1.0, inertia=(0.1,) * 3
        )
        if item.name == body
        else msgspec.structs.replace(item, color="#2060A0", visible=False)
        for item in scene.bodies
    )
    joints = tuple(msgspec.structs.replace(joint, visible=False) for joint in scene.joints)
    return msgspec.structs.replace(scene, bodies=bodies, joints=joints, traces=(), motions=())


@cache
def assembled(name: str, joint: str, angle: float) -> tuple[Scene, object]:
    """The shipped scene and its pose when the crank stands at an angle, by the engine."""
    scene = resolve(shipped(name))
    crank = scene.body("crank")
    given = crank.orientation.angle if hasattr(crank.orientation, "angle") else crank.angle
    turned = set_value(scene, f"joints.{joint}.start.angle.value", angle - float(given))
    return scene, poses_of(simulate(turned, duration=0.0), scene, [0])[0]


def well_inside(view: SceneView, point: Array) -> bool:
    """Whether a point is in the picture, with room around it for a ball."""
    share = np.asarray(view.camera.project(point)) / view.camera.size
    return bool((share > 0.15).all() and (share < 0.85).all())


@pytest.mark.parametrize("scale", [1.0, 1.5, 2.0])
@pytest.mark.parametrize(("name", "joint", "body", "point", "radius", "where"), CASES)
def test_a_point_is_drawn_where_the_geometry_puts_it(
    name: str,
    joint: str,
    body: str,
    point: tuple[float, ...],
    radius: float,
    where: Callable[[float], Array],
    scale: float,
) -> None:
    view = SceneView((round(640 * scale), round(480 * scale)), scale)
    try:
        view.set_scene(marked(name, body, point, radius))
        while not all(well_inside(view, where(angle)) for angle in ANGLES):
            view.camera.zoom(0.8)  # a ball alone goes further than a first picture of it reaches
        for angle in ANGLES:
            _scene, poses = assembled(name, joint, angle)
            view.set_poses(poses)  # type: ignore[arg-type]
            miss = np.array(red_blob(view.render())) - view.camera.project(where(angle))
            assert np.hypot(*miss) < 2.0, (angle, miss)
    finally:
        view.close()
