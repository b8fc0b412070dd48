"""Reactions that are rounding errors are no arrows: they were drawn as long as the largest force."""

import numpy as np

from app.viewport.motion.reaction_arrows import ReactionArrows, channel_names
from app.viewport.scene.scene_view import SceneView
from engine import TEMPLATES, simulate
from tests.app.viewport.scenes import shipped


def test_rounding_errors_of_weights_are_no_arrows(view: SceneView) -> None:
    view.set_scene(shipped("four_bar"))
    forces = {"joint.A.reaction.fx": 2e-15, "joint.B.reaction.fy": 3e-15}
    arrows = ReactionArrows()
    assert arrows.arrows(view, forces) == []
    assert arrows.length_per_unit(view) == 0.0
    (arrow,) = arrows.arrows(view, {**forces, "joint.C.reaction.fx": 2.0})
    assert arrow.size == 2.0


def test_a_block_on_a_belt_whose_guides_bear_nothing_has_no_arrows(view: SceneView) -> None:
    """Without weight nothing acts across its guides but rounding errors of spring and friction."""
    scene = TEMPLATES["stick_slip"].make().scene
    view.set_scene(scene)
    run = simulate(scene, duration=1.5)
    names = channel_names(scene, set(run.names()))
    values = {name: float(run.channel(name)[-1]) for name in names}
    reactions = [abs(value) for name, value in values.items() if ".reaction." in name]
    assert max(reactions) < 1e-12 < 0.1 < abs(values["spring.spring.force"])
    assert ReactionArrows().arrows(view, values) == []


def test_the_arrow_of_a_guide_stands_at_the_slide_that_feels_it(view: SceneView) -> None:
    """Channels are those on body B at the point of its frame; the arrow stood at the far end of the rail."""
    view.set_scene(TEMPLATES["latch"].make().scene)
    (arrow,) = ReactionArrows().arrows(view, {"joint.guide.reaction.fy": 2.943})
    np.testing.assert_allclose(arrow.origin[:2], [-0.16, 0.0], atol=1e-12)
