"""The rails of a slider lie where the slider is, wherever the frame of its joint is."""

import numpy as np
import pytest

from app.document.element_ref import Ref
from app.viewport.scene.scene_view import SceneView
from engine import load_scene
from engine.analyses.kinematics.travels import travels
from tests.paths import ROOT


def test_rails_cover_the_stroke_of_a_slider_whose_joint_frame_is_at_the_crank(view: SceneView) -> None:
    scene = load_scene(ROOT / "docs/studies/offset_slider_crank.json")
    r, rod, h, half = 0.05, 0.2, 0.03, 0.025  # half: of the slider's box
    near, far = (np.sqrt((rod + sign * r) ** 2 - h**2) for sign in (-1.0, 1.0))
    view.set_scene(scene)
    view.set_travels(travels(scene))
    rails = view.visuals[Ref("joints", "guide")].parts[0].world_points()[:, 0]
    assert rails.min() == pytest.approx(near - half, abs=0.01)
    assert rails.max() == pytest.approx(far + half, abs=0.01)
