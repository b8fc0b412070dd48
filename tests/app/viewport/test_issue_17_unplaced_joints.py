"""A joint at a point that its body no longer has, as another body in the inspector leaves it for a moment."""

import msgspec

from app.document.element_ref import Ref
from app.viewport.motion.reaction_arrows import ReactionArrows
from app.viewport.scene.scene_view import SceneView
from tests.app.viewport.scenes import shipped


def test_it_has_no_place_and_no_arrow_and_the_others_do(view: SceneView) -> None:
    scene = shipped("four_bar")
    first, *others = scene.joints
    lost = msgspec.structs.replace(first, b=msgspec.structs.replace(first.b, point="nowhere"))
    view.set_scene(msgspec.structs.replace(scene, joints=(lost, *others)))
    assert view.queries.frames_of(Ref("joints", lost.name)) == []
    assert view.queries.frames_of(Ref("joints", "not there at all")) == []
    forces = {f"joint.{joint.name}.reaction.fx": 1.0 for joint in scene.joints}
    arrows = ReactionArrows().arrows(view, forces)
    assert [arrow.ref.name for arrow in arrows] == [joint.name for joint in others]
