"""Copies move as physics says: like their originals, shifted, turned or seen in the mirror."""

import math

import msgspec
import numpy as np
import pytest

from app.document.document import Edit, Ref, refs_of
from app.edits import duplicate, mirror, pattern_circular, pattern_linear, swap_bodies
from app.platform.resources import scene_paths
from engine import Scene, SceneError, Trajectory, load_scene, resolve, simulate, validate
from engine.model.mass import mass_properties

DURATION = 0.05  # s
MOVING = ("bodies", "joints", "forces", "motions")


def shipped(name: str) -> Scene:
    return load_scene(scene_paths()[name])


def moving(scene: Scene) -> tuple[Ref, ...]:
    return tuple(ref for ref in refs_of(scene) if ref.where in MOVING)


def compare(scene: Scene, edit: Edit, Q: np.ndarray, d: np.ndarray) -> None:
    """Each copy is where Q p + d says, and turns with det(Q) Q ω, at all times."""
    assert validate(edit.after) == []
    spin = Q * round(float(np.linalg.det(Q)))
    run = simulate(edit.after, duration=DURATION)
    copies = [ref.name for ref in edit.made if ref.where == "bodies"]
    for body, copy in zip(scene.bodies, copies, strict=True):
        if body.fixed:
            continue
        for what, turned, offset in (("pos", Q, d), ("vel", Q, 0.0 * d), ("omega", spin, 0.0 * d)):
            mine, theirs = (vectors(run, f"body.{name}.{what}") for name in (body.name, copy))
            assert np.abs(mine).max() < np.inf
            error = np.abs(mine @ turned.T + offset - theirs).max()
            assert error < 1e-7 * (1.0 + np.abs(mine).max()), (body.name, what)


def vectors(run: Trajectory, name: str) -> np.ndarray:
    """Three components at all times; those that a planar scene has not are zero."""
    known = set(run.names())
    columns = [run.channel(f"{name}.{axis}") if f"{name}.{axis}" in known else 0.0 * run.t for axis in "xyz"]
    assert any(f"{name}.{axis}" in known for axis in "xyz")
    return np.stack(columns, axis=1)


MIRRORED = {
    "four_bar": "yz",
    "driven_four_bar": "yz",
    "slider_crank": "yz",
    "four_bar_spring_damper": "yz",
    "flyball_governor": "zx",
    "spatial_slider_crank": "yz",
    "bicycle": "zx",
    "cardan_shaft": "yz",
    "bricard": "yz",
}


@pytest.mark.parametrize(("name", "plane"), MIRRORED.items(), ids=MIRRORED)
def test_a_mirror_image_moves_as_the_original_seen_in_the_mirror(name, plane):
    scene = shipped(name)
    axis = {"yz": 0, "zx": 1}[plane]
    through = (0.3, -0.2, 0.1)
    edit = mirror(scene, moving(scene), plane, through)
    Q, d = np.eye(3), np.zeros(3)
    Q[axis, axis], d[axis] = -1.0, 2.0 * through[axis]
    assert np.allclose(Q @ resolve(scene).gravity, resolve(scene).gravity)  # else it would not fall alike
    compare(scene, edit, Q, d)


TURNED = {
    "four_bar": (0.0, 0.0),
    "flyball_governor": None,
    "spatial_slider_crank": None,
    "cardan_shaft": None,
}


@pytest.mark.parametrize("name", TURNED)
def test_a_pattern_around_the_direction_of_gravity_moves_as_its_original(name):
    scene = shipped(name)
    if scene.space == "planar":  # the only axis is z, so there must be no gravity
        scene = msgspec.structs.replace(scene, gravity=(0.0, 0.0))
    angle, through = 0.7, (0.2, 0.1, 0.0)
    edit = pattern_circular(scene, moving(scene), 2, angle, (0.0, 0.0, 2.0), through)
    c, s = math.cos(angle), math.sin(angle)
    Q = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
    compare(scene, edit, Q, np.array(through) - Q @ through)


@pytest.mark.parametrize("name", ["driven_four_bar", "stewart_platform"])
def test_a_row_moves_as_its_original(name):
    scene = shipped(name)
    step = (0.5, -0.25) if scene.space == "planar" else (0.5, -0.25, 0.125)
    edit = pattern_linear(scene, moving(scene), 2, step)
    compare(scene, edit, np.eye(3), np.array((*step, 0.0)[:3]))


SWAPPED = ("driven_four_bar", "slider_crank", "four_bar_spring_damper", "flyball_governor", "cardan_shaft")


@pytest.mark.parametrize("name", SWAPPED)
def test_swapped_bodies_change_nothing_in_the_motion(name):
    scene = shipped(name)
    kinds = ("revolute", "prismatic", "cylindrical", "spherical", "spring", "screw")
    refs = [
        Ref(where, item.name)
        for where in ("joints", "forces")
        for item in getattr(scene, where)
        if item.__struct_config__.tag in kinds
    ]
    after = swap_bodies(scene, refs).after
    assert after.joint(refs[0].name).a.body == scene.joint(refs[0].name).b.body
    assert validate(after) == []
    names = [f"body.{body.name}.{what}" for body in scene.bodies if not body.fixed for what in ("pos", "vel")]
    runs = [simulate(one, duration=DURATION) for one in (scene, after)]
    mine, theirs = (np.stack([vectors(run, name) for name in names]) for run in runs)
    assert np.abs(mine - theirs).max() < 1e-7 * (1.0 + np.abs(mine).max())


def test_the_mirror_image_of_a_body_has_the_mirrored_mass():
    shape = {
        "kind": "outline",
        "points": [[0.0, 0.0], [0.3, 0.0], [0.1, 0.4]],
        "thickness": 0.02,
        "density": 700.0,
    }
    turned = {"axis": [0.3, -0.5, 0.8], "angle": 0.9}
    scene = Scene().with_body(
        "wedge",
        position=[0.4, 0.5, 0.6],
        orientation={"axis": [1.0, 2.0, -1.0], "angle": 0.6},
        shapes=[{**shape, "position": [0.1, 0.2, 0.3], "orientation": turned}],
    )
    given = Scene().with_body("lump", mass=2.0, com=[0.1, 0.2, 0.3], inertia=[3.0, 2.5, 2.0, 0.1, -0.2, 0.3])
    for axis, plane in enumerate(("yz", "zx", "xy")):
        S = np.eye(3)
        S[axis, axis] = -1.0
        for one, name in ((scene, "wedge"), (given, "lump")):
            after = mirror(one, [Ref("bodies", name)], plane).after
            mine, copy = (mass_properties(resolve(after).body(n)) for n in (name, f"{name} 2"))
            # in body axes, which are mirrored too
            assert copy.mass == pytest.approx(mine.mass, rel=1e-12)
            np.testing.assert_allclose(copy.com, S @ mine.com, atol=1e-12)
            np.testing.assert_allclose(copy.inertia, S @ mine.inertia @ S, atol=1e-12)


def test_expressions_stay_expressions_in_a_mirror_image():
    scene = shipped("four_bar")
    after = mirror(scene, [Ref("bodies", "crank")], "yz").after
    crank = after.body("crank 2")
    assert crank.angle == "-phi1"
    assert crank.points[1].position == ("-L1", 0.0)
    assert crank.mass == "rho*L1"


def test_what_sits_on_a_body_that_stays_goes_to_the_mirrored_place():
    scene = (
        Scene(space="planar")
        .with_body("hull", position=[0.0, 1.0], angle=0.5, mass=1.0, inertia=[1.0])
        .with_body("leg", position=[0.6, 0.4], mass=1.0, inertia=[1.0])
        .with_joint(
            "revolute", "hip", a={"body": "hull", "point": [0.4, 0.2]}, b={"body": "leg", "point": [0.0, 0.3]}
        )
    )
    after = mirror(scene, [Ref("bodies", "leg"), Ref("joints", "hip")], "yz").after
    c, s = math.cos(0.5), math.sin(0.5)
    world = np.array([0.4 * c - 0.2 * s, 1.0 + 0.4 * s + 0.2 * c]) * (-1.0, 1.0)
    back = np.array([[c, s], [-s, c]]) @ (world - (0.0, 1.0))
    assert after.joint("hip 2").a.body == "hull"
    assert after.joint("hip 2").a.point == pytest.approx(tuple(back))


def test_copies_hold_together():
    scene = shipped("driven_four_bar")
    bodies = [Ref("bodies", body.name) for body in scene.bodies]
    edit = duplicate(scene, bodies[:2])
    joints = [after for after in edit.made if after.where == "joints"]
    assert len(joints) == 1
    joint = edit.after.joint(joints[0].name)
    assert {joint.a.body, joint.b.body} == {ref.name for ref in edit.made if ref.where == "bodies"}


@pytest.mark.parametrize(
    ("make", "word"),
    [
        (lambda s: mirror(s, moving(s), "xy"), "plane"),
        (lambda s: mirror(s, moving(s), "up"), "plane"),
        (lambda s: pattern_linear(s, moving(s), 1, (1.0, 0.0)), "pattern"),
        (lambda s: pattern_linear(s, moving(s), 10**6, (1.0, 0.0)), "pattern"),
        (lambda s: pattern_linear(s, moving(s), 2, (1.0, 0.0, 1.0)), "plane"),
        (lambda s: pattern_linear(s, moving(s), 2, (math.nan, 0.0)), "finite"),
        (lambda s: pattern_circular(s, moving(s), 3, 1.0, (1.0, 0.0, 0.0)), "about z"),
        (lambda s: pattern_circular(s, moving(s), 3, 1.0, (0.0, 0.0, 0.0)), "direction"),
        (lambda s: swap_bodies(s, [Ref("bodies", "crank")]), "joins"),
    ],
)
def test_what_cannot_be_is_refused_with_a_reason(make, word):
    with pytest.raises(SceneError, match=word):
        make(shipped("four_bar"))
