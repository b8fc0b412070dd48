"""What moves out of the picture during a run is brought back, unless the user has chosen what to look at."""

from types import SimpleNamespace

import numpy as np

from app.viewport.motion.motion_framing import EVERY, MotionView
from app.viewport.scene.scene_view import SceneView
from app.viewport.session_picture import SessionPicture
from engine import Scene

ROD = [{"kind": "rod", "start": [0, 0, 0], "end": [1, 0, 0], "radius": 0.02}]


def scene() -> Scene:
    return (
        Scene(space="planar")
        .with_body("base", shapes=ROD)
        .with_body("lift", position=[0.0, 0.2], shapes=ROD)
        .with_body("stone", position=[0.5, 0.1], shapes=[{"kind": "sphere", "radius": 0.03}])
    )


class Hand:
    """Lifts the platform of a scene, and counts the time."""

    def __init__(self, view: SceneView) -> None:
        self.view, self.now = view, 0.0
        view.set_scene(scene())
        self.motion = MotionView(lambda: self.now)

    def put(self, height: float, fallen: float = 0.0) -> None:
        at = {"base": [0, 0, 0], "lift": [0, height, 0], "stone": [0.5, 0.1 - fallen, 0]}
        self.view.set_poses({name: (np.array(p, float), np.eye(3)) for name, p in at.items()}, 0.0)
        self.now += 2.0 * EVERY
        self.motion.look(self.view)

    def sees(self, *point: float) -> bool:
        return self.view.framing.frames(np.array([point]))


def test_a_lift_stays_in_the_picture(view: SceneView) -> None:
    hand = Hand(view)
    before = view.camera.state()
    steps = 0
    for height in np.linspace(0.2, 3.0, 57):
        camera = view.camera.state()
        hand.put(float(height))
        steps += view.camera.state() != camera
        assert hand.sees(0.0, float(height), 0.0)
        assert hand.sees(1.0, 0.0, 0.0)
    assert 1 <= steps <= 12  # not at every frame
    assert view.camera.state() != before


def test_who_looks_at_a_part_is_left_there(view: SceneView) -> None:
    hand = Hand(view)
    hand.put(0.2)
    view.camera.zoom(8.0)
    chosen = view.camera.state()
    for height in (0.5, 1.5, 3.0):
        hand.put(height)
        assert view.camera.state() == chosen


def test_what_falls_away_for_good_is_not_followed(view: SceneView) -> None:
    hand = Hand(view)
    for fallen in np.linspace(0.0, 400.0, 300):
        hand.put(0.2, float(fallen))
    assert view.camera.per_pixel * view.camera.size[1] < 20.0  # m


def test_where_it_stops_it_is_seen_whole(view: SceneView) -> None:
    hand = Hand(view)
    hand.put(0.2)
    hand.now -= 2.0 * EVERY  # no time passes until the end
    hand.put(1.2)
    hand.now -= 2.0 * EVERY
    hand.motion.look(view)
    assert not hand.sees(0.0, 1.2, 0.0) or not hand.sees(1.0, 0.0, 0.0)
    hand.motion.look(view, ends=True)
    assert hand.sees(0.0, 1.2, 0.0)
    assert hand.sees(1.0, 0.0, 0.0)


def test_the_first_look_is_at_the_start_however_slow_the_frames_are(view: SceneView) -> None:
    hand = Hand(view)
    picture = SimpleNamespace(
        view=view, _motion_view=hand.motion, _plays=False, changed=SimpleNamespace(emit=lambda: None)
    )
    SessionPicture._state_changed(picture, "playing")
    hand.put(3.0)  # the first frame of the run
    assert hand.sees(0.0, 3.0, 0.0)
