"""A linear actuator that is longer than its stroke has a red rod, selected or not."""

import numpy as np
import pytest

from app.document.element_ref import Ref
from app.viewport.canvas.style import rgb
from app.viewport.scene.scene_view import SceneView
from app.viewport.visuals.forces.cylinder_rod import WRONG
from engine.model.scene import Scene

JACK = Ref("motions", "jack")


def lifting(stroke: float) -> Scene:
    """0.5 m between its ends, 0.4 m closed."""
    bar = {"mass": 1.0, "inertia": [0.1], "points": [{"name": "tip", "position": [0.5, 0.0]}]}
    scene = Scene(space="planar").with_body("bar", **bar)
    scene = scene.with_joint("revolute", "pin", a={"body": "world"}, b={"body": "bar"})
    ends = {"a": {"body": "world", "point": [0.5, -0.5]}, "b": {"body": "bar", "point": "tip"}}
    length = {"closed_length": 0.4, "stroke": stroke}
    return scene.with_motion("linear_motion", "jack", function="0.5", **length, **ends)


@pytest.mark.parametrize("stroke", [0.05, 0.2])
def test_the_warning_outlives_a_selection(view: SceneView, stroke: float) -> None:
    view.set_scene(lifting(stroke))

    def red() -> bool:
        colors = [part.colors for part in view.visuals[JACK].parts if part.colors is not None]
        return any((np.abs(c[:, :3] - 255.0 * rgb(WRONG)) < 1.0).all() for c in colors)

    wrong = 0.4 + stroke < 0.5
    assert red() is wrong
    view.set_selection([JACK])
    view.render()
    view.set_selection([])
    view.render()
    assert red() is wrong
