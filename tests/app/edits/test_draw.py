"""Commands that add things: masses in closed form, what is refused, and that every kind can be inserted."""

import numpy as np
import pytest

from app.document.document import Ref
from app.edits import (
    Meeting,
    Placement,
    add_force,
    add_motor,
    add_trace,
    couple_joints,
    draw,
    draw_into,
    drawn_bar,
    drawn_plate,
    ground,
    insert_joint,
    set_space,
)
from app.edits.building.draw import DENSITY, crossing
from engine.elements.base import Anchor
from engine.elements.forces import FORCES
from engine.elements.joints import JOINTS
from engine.errors import SceneError
from engine.model.mass import mass_properties
from engine.model.resolve import resolve
from engine.model.scene import Scene
from engine.model.validate import validate

ANGLE = 0.6
TURNED = np.array(
    [[np.cos(ANGLE), -np.sin(ANGLE), 0.0], [np.sin(ANGLE), np.cos(ANGLE), 0.0], [0.0, 0.0, 1.0]]
)


def bar(scene: Scene, x: float, y: float, *meetings: Meeting, length: float = 0.4) -> Scene:
    place = Placement(np.array([x, y, 0.0]), TURNED)
    return draw(scene, drawn_bar(place, length, length, 0.01, meetings)).after


@pytest.fixture
def chain() -> Scene:
    """Two bars, pinned to the ground and to each other."""
    scene = bar(Scene(space="planar"), 0.1, 0.2, Meeting("A", point=(0.1, 0.2)))
    return bar(scene, 0.1 + 0.4 * np.cos(ANGLE), 0.2 + 0.4 * np.sin(ANGLE), Meeting("A", "bar 1", "B"))


def test_a_bar_weighs_what_its_rod_does() -> None:
    scene = bar(Scene(space="planar"), 0.1, 0.2)
    found = mass_properties(scene.body("bar 1"), "planar")
    mass = DENSITY * np.pi * 0.01**2 * 0.4
    assert found.mass == pytest.approx(mass)
    assert found.com == pytest.approx([0.2, 0.0, 0.0])
    assert found.inertia[2, 2] == pytest.approx(mass * (3 * 0.01**2 + 0.4**2) / 12)


def test_bars_get_names_colours_and_layers_of_their_own(chain: Scene) -> None:
    one, two = chain.bodies
    assert (one.name, two.name) == ("bar 1", "bar 2")
    assert one.color != two.color
    assert one.layer != two.layer
    assert [joint.name for joint in chain.joints] == ["revolute 1", "revolute 2"]
    assert not validate(chain)


def test_a_length_stays_an_expression() -> None:
    scene = Scene(space="planar").with_parameter("L1", 0.3)
    made = draw(scene, drawn_bar(Placement(np.zeros(3)), "L1", 0.3, 0.01)).after
    assert made.body("bar 1").point("B").position == ("L1", 0.0)
    assert resolve(made).body("bar 1").point("B").position[0] == pytest.approx(0.3)


def test_in_space_the_bar_lies_along_its_axes() -> None:
    axes = np.column_stack([[0.0, 0.6, 0.8], [1.0, 0.0, 0.0], [0.0, 0.8, -0.6]])
    made = draw(Scene(), drawn_bar(Placement(np.ones(3), axes), 0.5, 0.5, 0.01)).after
    from engine.system.compiling.frames import Frames, named_point

    body = made.body("bar 1")
    end = Frames(made).places["bar 1"].point(named_point(body, "B"))
    assert end == pytest.approx(np.ones(3) + 0.5 * axes[:, 0])


@pytest.mark.parametrize(
    ("corners", "reason"),
    [
        ([(0, 0), (1, 0)], "three corners"),
        ([(0, 0), (1, 0), (1, 0), (0, 1)], "one place"),
        ([(0, 0), (1, 0), (2, 0)], "no area"),
        ([(0, 0), (1, 1), (1, 0), (0, 2)], "cross"),
    ],
)
def test_outlines_that_are_refused(corners: list[tuple[float, float]], reason: str) -> None:
    with pytest.raises(SceneError, match=reason):
        drawn_plate(Placement(np.zeros(3)), np.array(corners, float), 0.01)


def test_a_star_outline_does_not_cross_itself() -> None:
    turns = np.linspace(0.0, 2 * np.pi, 10, endpoint=False)
    radii = np.where(np.arange(10) % 2, 0.4, 1.0)
    assert not crossing(np.column_stack([radii * np.cos(turns), radii * np.sin(turns)]))


def test_a_bar_of_no_length_is_refused() -> None:
    with pytest.raises(SceneError, match="two different ends"):
        drawn_bar(Placement(np.zeros(3)), 0.0, 0.0, 0.01)


@pytest.mark.parametrize("space", ["planar", "spatial"])
def test_a_shape_added_to_a_turned_body_lies_where_it_was_drawn(space: str) -> None:
    scene = Scene(space=space)
    scene = draw(scene, drawn_bar(Placement(np.array([0.1, 0.2, 0.0]), TURNED), 0.4, 0.4, 0.01)).after
    square = drawn_plate(
        Placement(np.array([0.5, 0.5, 0.0])), np.array([(0, 0), (1, 0), (1, 1), (0, 1)]), 0.01
    )
    frame = Placement(np.array([0.1, 0.2, 0.0]), TURNED)
    body = draw_into(scene, Ref("bodies", "bar 1"), square, frame).after.body("bar 1")
    # the centre of mass of both, by hand
    m_bar, m_plate = DENSITY * np.pi * 0.01**2 * 0.4, DENSITY * 0.01
    bar_at = np.array([0.1, 0.2, 0.0]) + 0.2 * TURNED[:, 0]
    expected = (m_bar * bar_at + m_plate * np.array([1.0, 1.0, 0.0])) / (m_bar + m_plate)
    found = mass_properties(body, space)
    assert frame.origin + TURNED @ found.com == pytest.approx(expected)


@pytest.mark.parametrize("space", ["planar", "spatial"])
@pytest.mark.parametrize("kind", list(JOINTS), ids=lambda kind: kind.name)
def test_every_kind_of_joint_can_be_inserted(kind, space: str) -> None:
    scene = Scene(space=space)
    for x in (0.0, 1.0):
        scene = draw(scene, drawn_bar(Placement(np.array([x, 0.0, 0.0])), 0.4, 0.4, 0.01)).after
    if space == "planar" and kind.planar_rows is None:
        with pytest.raises(SceneError, match="in the plane"):
            insert_joint(scene, kind.name, Anchor(body="world"), Anchor(body="bar 1"))
        return
    if kind.uses_anchors:
        made = insert_joint(
            scene, kind.name, Anchor(body="bar 1", point="B"), Anchor(body="bar 2", point="A")
        ).after
    else:
        for name in ("bar 1", "bar 2"):
            revolute = kind.name != "rack_pinion" or name == "bar 1"
            scene = insert_joint(
                scene, "revolute" if revolute else "prismatic", Anchor(body="world"), Anchor(body=name)
            ).after
        made = couple_joints(scene, kind.name, tuple(joint.name for joint in scene.joints)).after
    assert len(made.joints) == len(scene.joints) + 1
    assert not validate(made)


@pytest.mark.parametrize("space", ["planar", "spatial"])
@pytest.mark.parametrize("kind", list(FORCES), ids=lambda kind: kind.name)
def test_every_kind_of_force_can_be_inserted(kind, space: str) -> None:
    scene = Scene(space=space)
    for x in (0.0, 1.0):
        scene = draw(scene, drawn_bar(Placement(np.array([x, 0.0, 0.0])), 0.4, 0.4, 0.01)).after
    for bar in ("bar 1", "bar 2"):
        scene = insert_joint(scene, "revolute", Anchor(body="world"), Anchor(body=bar, point="A")).after
    hinges = tuple(joint.name for joint in scene.joints)
    scene = couple_joints(scene, "gear", hinges).after
    names = kind.spec.__struct_fields__
    places = {
        # losses are those of a coupling, all else acts on a joint
        "joint": scene.joints[-1].name if kind.name == "mesh_loss" else hinges[0],
        "body": "bar 1",
        "point": "B",
        "a": Anchor(body="bar 1", point="B"),
        "b": Anchor(body="bar 2", point="A"),
    }
    made = add_force(scene, kind.name, **{name: places[name] for name in names if name in places}).after
    assert len(made.forces) == 1
    assert not validate(made)


def test_a_motor_begins_at_the_angle_that_the_joint_has(chain: Scene) -> None:
    made = add_motor(chain, "revolute 1").after
    assert made.motion("motor 1").function == "2*t"
    turned = chain.joint("revolute 2")
    import msgspec

    # with a direction of its own on each body the angle is not zero
    bent = msgspec.structs.replace(
        turned,
        a=msgspec.structs.replace(turned.a, reference=(1.0, 0.0)),
        b=msgspec.structs.replace(turned.b, reference=(np.cos(0.25), -np.sin(0.25))),
    )
    function = add_motor(chain.replace(bent), "revolute 2").after.motion("motor 1").function
    assert float(function.split(" + ")[0]) == pytest.approx(-0.25)
    with pytest.raises(SceneError, match="motor already"):
        add_motor(made, "revolute 1")


def test_a_trace_and_the_ground_are_one_step(chain: Scene) -> None:
    made = add_trace(chain, "bar 2", "B").after
    assert made.trace("trace 1").body == "bar 2"
    assert ground(made, "bar 1").after.body("bar 1").fixed


def test_space_and_plane(chain: Scene) -> None:
    there = set_space(chain, "spatial").after
    assert there.gravity == pytest.approx((0.0, -9.81, 0.0))  # as it was
    assert set_space(there, "planar").after.space == "planar"
    assert set_space(Scene(), "planar").after.gravity is None
    ball = insert_joint(there, "universal", Anchor(body="world"), Anchor(body="bar 2", point="B")).after
    with pytest.raises(SceneError):
        set_space(ball, "planar")
