"""The symbol of a wheel on a road is seen on the background of every theme."""

import numpy as np
import pytest

from app.document.element_ref import Ref
from app.viewport.canvas.style import DARK, LIGHT, Style, rgb
from app.viewport.scene.scene_view import SceneView
from engine import Scene

CONTRAST = 3.0  # of graphics and their ground: WCAG 2.1, 1.4.11


def luminance(color: np.ndarray) -> float:
    """Relative luminance of an sRGB colour of 0 … 1: WCAG 2.1."""
    linear = np.where(color <= 0.04045, color / 12.92, ((color + 0.055) / 1.055) ** 2.4)
    return float(linear @ (0.2126, 0.7152, 0.0722))


@pytest.mark.parametrize("dark", [False, True])
def test_the_wheel_stands_out_from_the_background(view: SceneView, dark: bool) -> None:
    scene = Scene(space="planar").with_body("wheel", mass=2.0, inertia=[0.05], position=[0.0, 0.3])
    ends = {"a": {"body": "world", "reference": [0.0, 1.0]}, "b": {"body": "wheel"}}
    view.set_style(Style(dark=dark))
    view.set_scene(scene.with_joint("road_wheel", "rolls", **ends, radius=0.3, road=0.0))
    wheel, _ = view.visuals[Ref("joints", "rolls")].parts
    shown = luminance(wheel.surface.colors.max(axis=0) / 255.0)
    look = DARK if dark else LIGHT
    for ground in (look.sky, look.floor):
        bright, low = sorted((luminance(np.array(rgb(ground))), shown), reverse=True)
        assert (bright + 0.05) / (low + 0.05) >= CONTRAST
