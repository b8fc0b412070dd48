"""Dragging with the mouse: 300 moves on a leg and on a platform, out of their reach and back."""

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import msgspec
import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from pytestqt.qtbot import QtBot

from app.document.document import Document, Ref
from app.edits import set_field
from app.platform.resources import scene_paths
from app.session.session import Session
from app.tools.interactive_viewport import ViewportWidget
from app.tools.select import SelectTool
from engine.compiled.layout import Array
from engine.model.files.scene_file import load_scene
from engine.model.scene import Scene
from engine.system.compiling.compile import compile_scene
from engine.system.equations.evaluator import Evaluator
from tests.linkages import JANSEN_DYADS, jansen_corners, jansen_leg, linkage, side

LEFT = Qt.MouseButton.LeftButton
MOVES = 300
PIXELS = 2.0
CLOSED = 1e-9  # m


@contextmanager
def shown(qtbot: QtBot, scene: Scene, tmp_path: Any, size: tuple[int, int] = (800, 600)) -> Iterator[Any]:
    session = Session(Document(autosave=tmp_path / "autosave"), warm=False)
    session.document.load(scene)
    widget = ViewportWidget(session)
    widget.resize(*size)
    widget.show()
    qtbot.waitExposed(widget)
    try:
        yield widget
    finally:
        widget.shutdown()
        session.close()
        widget.deleteLater()


@dataclass
class Mouse:
    """Presses, moves and releases the left button, and remembers where it is."""

    viewport: ViewportWidget
    qtbot: QtBot

    def press(self, at: QPoint) -> None:
        self.qtbot.mousePress(self.viewport, LEFT, pos=at)

    def move(self, to: QPoint) -> None:
        self.at = to
        self.qtbot.mouseMove(self.viewport, to)
        hand: Any = getattr(self.viewport.tool, "_hand", None)
        for _ in range(60):  # a timer would go on with a point that is still on its way
            if hand is None or not hasattr(hand, "linkage") or hand.linkage.arrived or hand.over:
                break
            hand._go_on()

    def release(self) -> None:
        self.qtbot.mouseRelease(self.viewport, LEFT, pos=self.at)

    def off(self, place: Array) -> float:
        """Pixels from the pointer to a world point."""
        x, y = self.viewport.view.camera.project(place)
        return math.hypot(x - self.at.x(), y - self.at.y())


def pixel(viewport: ViewportWidget, place: Any) -> QPoint:
    x, y = viewport.view.camera.project(np.array([*place, 0.0])[:3])
    return QPoint(round(x), round(y))


def world(session: Session, body: str, point: str) -> Array:
    origin, R = session.poses()[body]
    p = np.array(session.document.scene.body(body).point(point).position, float)
    return np.asarray(origin + R @ np.array([*p, 0.0])[:3])


def open_pins(session: Session) -> float:
    """Largest gap of a pin, from the poses that are shown."""
    worst = 0.0
    for joint in session.document.scene.joints:
        ends = [joint.a, joint.b]  # type: ignore[attr-defined]
        places = [
            np.array([*end.point, 0.0])[:3] if end.body == "world" else world(session, end.body, end.point)
            for end in ends
        ]
        worst = max(worst, float(np.linalg.norm(places[0] - places[1])))
    return worst


def test_a_jansen_leg_follows_its_foot_and_stops_at_the_end_of_its_reach(
    qtbot: QtBot, tmp_path: Any, record_property: Callable[[str, Any], None]
) -> None:
    with shown(qtbot, jansen_leg(0.3), tmp_path) as viewport:
        session, mouse = viewport._session, Mouse(viewport, qtbot)
        before, poses = session.document.scene, session.poses()
        homes = {
            "A": "crank",
            "B": "rocker",
            "C": "foot",
            "D": "rocker",
            "E": "foot",
            "F": "foot",
            "P": "stay",
        }

        def corners() -> dict[str, Array]:
            return {key: world(session, body, key)[:2] for key, body in homes.items()}

        def sides(places: dict[str, Array]) -> list[float]:
            return [math.copysign(1.0, side(*(places[key] for key in dyad))) for dyad in JANSEN_DYADS]

        signs, worst_gap, worst_off = sides(corners()), 0.0, 0.0
        mouse.press(pixel(viewport, jansen_corners(0.3)["F"]))
        for k in range(MOVES):
            inside = k < 200
            if inside:
                place = jansen_corners(0.3 + 0.035 * k)["F"]
            else:  # out of the reach by more than a leg's length, and back
                out = 0.9 * math.sin(math.pi * (k - 200) / 99)
                place = jansen_corners(0.3 + 0.035 * 199)["F"] + out * np.array([0.8, -0.6])
            mouse.move(pixel(viewport, place))
            if viewport.tool._hand is None:
                assert k < 8  # so far it may be a click
                continue
            gap, places = open_pins(session), corners()
            worst_gap = max(worst_gap, gap)
            assert gap <= CLOSED, k
            assert sides(places) == signs, k
            crank = math.atan2(places["A"][1], places["A"][0])
            np.testing.assert_allclose(places["F"], jansen_corners(crank)["F"], atol=1e-7)
            off = mouse.off(np.array([*places["F"], 0.0]))
            if inside:
                worst_off = max(worst_off, off)
                assert off < PIXELS, k
            else:  # as near as it gets: the neighbours on the foot's curve are no nearer
                others = [mouse.off(np.array([*jansen_corners(crank + d)["F"], 0.0])) for d in (-0.02, 0.02)]
                assert off <= min(others) + 1e-6, k
            assert session.document.scene is before
        record_property("worst gap [m]", worst_gap)
        record_property("worst distance inside [px]", worst_off)
        mouse.release()

        after = session.document.scene
        assert after is not before
        assert session.document.stack.count() == 1
        closed = compile_scene(after)
        assert np.abs(Evaluator(closed).at(0.0, closed.q).phi).max() <= CLOSED
        assert sides(corners()) == signs
        session.document.stack.undo()
        assert session.document.scene == before
        np.testing.assert_allclose(session.poses()["foot"][0], poses["foot"][0], atol=1e-9)


def stewart(held: int) -> Scene:
    """The shipped platform; only so many of its legs are driven."""
    scene = load_scene(scene_paths()["stewart_platform"])
    return msgspec.structs.replace(scene, motions=scene.motions[:held])


@pytest.mark.parametrize("held", [6, 3], ids=["all legs driven", "three legs driven"])
def test_a_stewart_platform_follows_and_never_turns_over(
    qtbot: QtBot, tmp_path: Any, held: int, record_property: Callable[[str, Any], None]
) -> None:
    with shown(qtbot, stewart(held), tmp_path) as viewport:
        session, mouse = viewport._session, Mouse(viewport, qtbot)
        mechanism = compile_scene(session.document.scene)
        evaluator = Evaluator(mechanism)
        joints = np.array([row.owner == "joint" for row in mechanism.rows])
        start = world(session, "platform", "head1")
        middle = np.array([*pixel(viewport, start).toTuple()], float)
        mouse.press(pixel(viewport, start))

        def lengths() -> Array:
            found = []
            for i in range(1, 7):
                foot, R = session.poses()[f"cylinder{i}"]
                found.append(float(R[:, 2] @ (world(session, "platform", f"head{i}") - foot)))
            return np.array(found)

        worst_gap, worst_off, ends, signs = 0.0, 0.0, 0, np.sign(lengths())
        driven = lengths()[:held]
        for k in range(0, MOVES, 3 if held == 6 else 1):
            turn = 2.0 * math.pi * k / 150
            if k < 150:
                to = middle + (40.0 if held == 6 else 12.0) * np.array([math.sin(turn), math.cos(turn) - 1.0])
            else:  # far beyond what legs of given length allow
                to = middle + (260.0 if held == 6 else 1500.0) * math.sin(0.5 * turn) * np.array([0.8, -0.6])
            mouse.move(QPoint(*map(round, to)))
            hand = viewport.tool._hand
            if hand is None:
                continue
            linkage = hand.linkage
            phi = evaluator.at(0.0, linkage._dragging.linkage.q).phi
            gap = float(np.abs(phi[joints]).max())
            worst_gap = max(worst_gap, gap)
            assert gap <= CLOSED, k
            assert (np.sign(lengths()) == signs).all(), k
            assert session.poses()["platform"][1][2, 2] > 0.0, k
            off = mouse.off(linkage.place)
            if linkage.reaches or held == 6:
                worst_off = max(worst_off, off)
                assert off < PIXELS, k
            if held == 3:
                assert np.abs(lengths()[:3] - driven).max() <= CLOSED, k
                ends += off > 20.0
        record_property("worst gap [m]", worst_gap)
        record_property("worst distance inside [px]", worst_off)
        if held == 3:
            assert ends > 20  # the way did lead out of the reach
            assert "drive1, drive2 … hold" in viewport.tool.hint
        else:
            assert len(viewport.tool._hand.linkage.released) == 6
            assert "start from here" in viewport.tool.hint
        mouse.release()
        closed = compile_scene(session.document.scene)
        assert np.abs(Evaluator(closed).at(0.0, closed.q).phi).max() <= CLOSED
        assert session.document.stack.count() == 1


def four_bar() -> Scene:
    at = {"O": (0.0, 0.0), "A": (0.1, 0.25), "B": (0.75, 0.55), "Q": (0.8, 0.0)}
    bars = {"crank": "OA", "coupler": "AB", "rocker": "QB"}
    return linkage({name: {k: at[k] for k in keys} for name, keys in bars.items()}, {k: at[k] for k in "OQ"})


def test_escape_puts_everything_back(qtbot: QtBot, tmp_path: Any) -> None:
    with shown(qtbot, four_bar(), tmp_path) as viewport:
        session, mouse = viewport._session, Mouse(viewport, qtbot)
        before = world(session, "crank", "A")
        mouse.press(pixel(viewport, before))
        mouse.move(pixel(viewport, before + np.array([0.3, 0.0, 0.0])))
        assert np.linalg.norm(world(session, "crank", "A") - before) > 0.05
        qtbot.keyClick(viewport, Qt.Key.Key_Escape)
        np.testing.assert_array_equal(world(session, "crank", "A"), before)
        mouse.move(pixel(viewport, before))  # the button is still down: nothing more follows
        mouse.release()
        assert session.document.stack.count() == 0
        assert not session.selection.refs


def test_a_motion_goes_on_from_where_its_crank_was_put(qtbot: QtBot, tmp_path: Any) -> None:
    scene = four_bar().with_motion("joint_motion", "drive", joint="O crank", function="2*t")
    with shown(qtbot, scene, tmp_path) as viewport:
        session, mouse = viewport._session, Mouse(viewport, qtbot)
        before = world(session, "crank", "A")
        mouse.press(pixel(viewport, before))
        turned = 0.5
        c, s = math.cos(turned), math.sin(turned)
        wanted = np.array([c * before[0] - s * before[1], s * before[0] + c * before[1], 0.0])
        mouse.move(pixel(viewport, wanted))
        assert "drive lets go" in viewport.tool.hint
        mouse.release()
        after = session.document.scene
        offset = float(after.motions[0].function.split(" ")[0])  # type: ignore[attr-defined]
        assert offset == pytest.approx(turned, abs=0.01)
        assert after.motions[0].function.endswith("+ (2*t)")  # type: ignore[attr-defined]
        closed = compile_scene(after)
        assert np.abs(Evaluator(closed).at(0.0, closed.q).phi).max() <= CLOSED


def test_springs_keep_their_free_lengths_and_joints_their_zero(qtbot: QtBot, tmp_path: Any) -> None:
    # hinge and spring take frame and length from the given pose: pulled aside, both are tense
    scene = (
        Scene(space="planar")
        .with_body(
            "rod",
            mass=1.0,
            com=[0.5, 0.0],
            inertia=[0.1],
            shapes=[{"kind": "rod", "start": [0.0, 0.0, 0.0], "end": [1.0, 0.0, 0.0], "radius": 0.04}],
        )
        .with_joint("revolute", "hinge", a={"body": "world"}, b={"body": "rod"})
        .with_force(
            "spring",
            "coil",
            a={"body": "world", "point": [1.0, -0.6]},
            b={"body": "rod", "point": [1.0, 0.0]},
            stiffness=50.0,
        )
    )
    with shown(qtbot, scene, tmp_path) as viewport:
        session, mouse = viewport._session, Mouse(viewport, qtbot)
        mouse.press(pixel(viewport, (0.8, 0.0)))
        mouse.move(pixel(viewport, (0.8 * math.cos(0.6), 0.8 * math.sin(0.6))))
        mouse.release()
        after = session.document.scene
        angle = after.bodies[0].angle
        assert angle == pytest.approx(0.6, abs=0.02)
        assert after.forces[0].free_length == pytest.approx(0.6)  # type: ignore[attr-defined]
        mechanism = compile_scene(after)
        coordinate_function = mechanism.coordinates["hinge", "angle"]
        found = Evaluator(mechanism).at(0.0, mechanism.q).coordinate_functions[coordinate_function, 0]
        assert found == pytest.approx(angle, abs=1e-12)


def test_what_cannot_move_says_so(qtbot: QtBot, tmp_path: Any) -> None:
    at = {"P": (0.0, 0.0), "R": (1.0, 0.0), "T": (0.4, 0.8)}
    truss = linkage(
        {"left": {k: at[k] for k in "PT"}, "right": {k: at[k] for k in "RT"}}, {k: at[k] for k in "PR"}
    )
    with shown(qtbot, truss, tmp_path) as viewport:
        mouse = Mouse(viewport, qtbot)
        mouse.press(pixel(viewport, (0.2, 0.4)))
        mouse.move(pixel(viewport, (0.5, 0.2)))
        assert "0 degrees of freedom" in viewport.tool.hint
        mouse.release()
        assert viewport._session.document.stack.count() == 0
        assert viewport.tool.hint == ""


def test_a_body_with_open_joints_is_moved_alone(qtbot: QtBot, tmp_path: Any) -> None:
    scene = four_bar()
    far = {"body": "world", "point": [9.0, 9.0]}
    scene = scene.with_joint("revolute", "impossible", a=far, b={"body": "coupler", "point": "A"})
    with shown(qtbot, scene, tmp_path) as viewport:
        session, mouse = viewport._session, Mouse(viewport, qtbot)
        middle = 0.5 * (world(session, "coupler", "A") + world(session, "coupler", "B"))
        others = session.poses()["crank"][0].copy()
        mouse.press(pixel(viewport, middle))
        mouse.move(pixel(viewport, middle + np.array([0.1, 0.1, 0.0])))
        assert "moved alone" in viewport.tool.hint
        mouse.release()
        now = 0.5 * (world(session, "coupler", "A") + world(session, "coupler", "B"))
        assert mouse.off(now) < PIXELS
        np.testing.assert_array_equal(session.poses()["crank"][0], others)
        assert session.document.stack.count() == 1


def test_a_scene_that_changes_or_a_window_that_closes_ends_the_drag(qtbot: QtBot, tmp_path: Any) -> None:
    with shown(qtbot, four_bar(), tmp_path) as viewport:
        session, mouse = viewport._session, Mouse(viewport, qtbot)
        before = world(session, "crank", "A")
        mouse.press(pixel(viewport, before))
        mouse.move(pixel(viewport, before + np.array([0.2, 0.0, 0.0])))
        session.document.apply(set_field(session.document.scene, [Ref("bodies", "rocker")], "mass", 3.0))
        mouse.move(pixel(viewport, before))
        mouse.release()
        np.testing.assert_allclose(world(session, "crank", "A"), before, atol=1e-12)
        assert session.document.stack.count() == 1
        mouse.press(pixel(viewport, before))
        mouse.move(pixel(viewport, before + np.array([0.2, 0.0, 0.0])))
        viewport.shutdown()
        assert session.document.stack.count() == 1


def test_an_empty_place_still_draws_a_rectangle(qtbot: QtBot, tmp_path: Any) -> None:
    with shown(qtbot, four_bar(), tmp_path) as viewport:
        mouse = Mouse(viewport, qtbot)
        assert isinstance(viewport.tool, SelectTool)
        mouse.press(QPoint(4, 4))
        mouse.move(QPoint(790, 590))
        mouse.release()
        assert {ref.name for ref in viewport._session.selection.refs} >= {"crank", "coupler", "rocker"}


def test_a_pause_in_the_middle_of_a_run_can_be_dragged_and_becomes_the_start(
    qtbot: QtBot, tmp_path: Any
) -> None:
    with shown(qtbot, four_bar(), tmp_path) as viewport:
        session, mouse = viewport._session, Mouse(viewport, qtbot)

        def until(condition: Callable[[], object]) -> None:
            qtbot.waitUntil(lambda: session.tick() or bool(condition()), timeout=150_000)

        until(lambda: session.state == "ready")
        session.transport.play()
        until(lambda: session.t > 0.15)
        session.transport.pause()
        until(lambda: session.state == "paused")
        run, at = session.current, world(session, "crank", "A")
        mouse.press(pixel(viewport, at))
        mouse.move(pixel(viewport, at + np.array([0.12, 0.02, 0.0])))
        assert open_pins(session) <= CLOSED
        held = {name: origin.copy() for name, (origin, _) in session.poses().items()}
        mouse.release()
        for name, origin in held.items():  # nothing jumps back while the new run is made
            np.testing.assert_allclose(session.poses()[name][0], origin, atol=1e-12)
        until(lambda: session.state == "ready")
        assert session.t == 0.0
        assert run in session.runs
        for name, origin in held.items():
            np.testing.assert_allclose(session.poses()[name][0], origin, atol=1e-9)


def test_bodies_without_mass_and_places_that_are_no_numbers(qtbot: QtBot, tmp_path: Any) -> None:
    scene = four_bar()
    bodies = [
        msgspec.structs.replace(b, mass=0.0, inertia=(0.0,)) if b.name == "coupler" else b
        for b in scene.bodies
    ]
    with shown(qtbot, msgspec.structs.replace(scene, bodies=tuple(bodies)), tmp_path) as viewport:
        session, mouse = viewport._session, Mouse(viewport, qtbot)
        at = 0.5 * (world(session, "coupler", "A") + world(session, "coupler", "B"))
        mouse.press(pixel(viewport, at))
        mouse.move(pixel(viewport, at + np.array([-0.1, 0.0, 0.0])))
        assert open_pins(session) <= CLOSED
        hand = viewport.tool._hand
        before = hand.linkage.place.copy()
        hand.linkage.follow(np.array([math.nan, 0.0, 0.0]))
        np.testing.assert_array_equal(hand.linkage.place, before)
        mouse.release()
        assert session.document.stack.count() == 1
