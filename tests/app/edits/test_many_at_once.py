"""Several bodies at once: moved with their ground pins, scaled, lined up, given one length."""

import numpy as np
import pytest

from app.document.document import Ref
from app.edits import align, as_text, distribute, fragment, from_text, move_together, paste, scale
from app.edits.building.bars.bar_sizes import set_in_shapes, set_lengths
from app.edits.geometry.set_aside import set_aside
from app.edits.geometry.transform import shift, turn
from engine.analyses.kinematics.whole_motion import whole_motion
from engine.errors import SceneError
from engine.model.poses import given_poses
from engine.model.scene import Scene
from engine.model.validate import validate
from engine.system.assembly.assemble import assemble
from engine.system.prepared import prepare
from tests.linkages import linkage

GROUND = {"A": (0.0, 0.0), "D": (0.4, 0.0)}
BODIES = {
    "crank": {"A": (0.0, 0.0), "B": (0.1, 0.0)},
    "coupler": {"B": (0.1, 0.0), "C": (0.35, 0.2)},
    "rocker": {"C": (0.35, 0.2), "D": (0.4, 0.0)},
}
ALL = [Ref("bodies", name) for name in BODIES]


def four_bar() -> Scene:
    return linkage(BODIES, GROUND)


def opening(scene: Scene) -> float:
    return float(assemble(prepare(scene).mechanism).violation_before)


def curve(scene: Scene) -> np.ndarray:
    """Places that the joint of coupler and rocker passes."""
    found = whole_motion(prepare(scene).mechanism)
    assert found is not None
    return found.path("rocker", np.array([*scene.body("rocker").point("C").position, 0.0][:3]))


def test_bodies_move_with_their_ground_pins() -> None:
    scene = four_bar()
    moved = move_together(scene, ALL, shift((0.2, -0.1))).after
    assert validate(moved) == []
    assert opening(moved) < 1e-12
    np.testing.assert_allclose(moved.joint("D rocker").a.point, (0.6, -0.1))
    np.testing.assert_allclose(curve(moved), curve(scene) + np.array([0.2, -0.1, 0.0]), atol=1e-9)
    turned = move_together(scene, ALL, turn((0.0, 0.0, 1.0), np.pi / 2)).after
    assert opening(turned) < 1e-12
    np.testing.assert_allclose(turned.joint("D rocker").a.point, (0.0, 0.4), atol=1e-12)


def test_a_body_that_stays_behind_is_named() -> None:
    with pytest.raises(SceneError, match="joins coupler to rocker, which is not selected") as error:
        move_together(four_bar(), ALL[:2], shift((0.2, 0.0)))
    assert "select rocker too" in error.value.problems[0].remedy


def test_a_scaled_mechanism_traces_the_scaled_curve_with_the_mass_of_its_material() -> None:
    scene = four_bar()
    large = scale(scene, ALL, 2.0, (0.1, 0.0)).after
    assert validate(large) == []
    assert opening(large) < 1e-12
    about = np.array([0.1, 0.0, 0.0])
    np.testing.assert_allclose(curve(large), about + 2.0 * (curve(scene) - about), atol=1e-9)
    assert large.body("crank").mass == pytest.approx(8.0 * scene.body("crank").mass)
    assert large.body("crank").inertia[0] == pytest.approx(32.0 * scene.body("crank").inertia[0])
    back = scale(large, ALL, 0.5, (0.1, 0.0)).after
    np.testing.assert_allclose(curve(back), curve(scene), atol=1e-9)
    with pytest.raises(SceneError, match="positive"):
        scale(scene, ALL, 0.0)


def test_ground_pins_are_lined_up_and_the_linkage_follows() -> None:
    scene = linkage({**BODIES, "rocker": {"C": (0.35, 0.2), "D": (0.4, 0.07)}}, {**GROUND, "D": (0.4, 0.07)})
    after = align(scene, [Ref("joints", "A crank"), Ref("joints", "D rocker")], "y").after
    np.testing.assert_allclose(after.joint("D rocker").a.point, (0.4, 0.0), atol=1e-15)
    assert opening(after) < 1e-9  # closed again, with bars as long as before
    assert after.body("rocker").points == scene.body("rocker").points


def boxes(*places: float) -> Scene:
    scene = Scene(space="planar")
    for i, x in enumerate(places):
        scene = scene.with_body(f"box {i}", position=[x, 0.1 * i], mass=1.0, inertia=[1.0])
    return scene


def test_linkages_are_lined_up_as_a_whole_and_put_at_equal_distances() -> None:
    scene = boxes(0.0, 0.1, 1.0)
    refs = [Ref("bodies", body.name) for body in scene.bodies]
    spread = given_poses(distribute(scene, refs, "x").after)
    assert [spread[ref.name][0][0] for ref in refs] == pytest.approx([0.0, 0.5, 1.0])
    level = given_poses(align(scene, refs, "y").after)
    assert [level[ref.name][0][1] for ref in refs] == pytest.approx([0.0, 0.0, 0.0])
    with pytest.raises(SceneError, match="belong to one linkage"):
        align(four_bar(), ALL, "y")


def test_several_bars_get_one_radius_one_density_and_one_length() -> None:
    scene = four_bar()
    thick = set_in_shapes(scene, ALL, "radius", 0.02).after
    assert {shape.radius for body in thick.bodies for shape in body.shapes} == {0.02}
    long = set_lengths(scene, ALL[1:], 0.33).after
    for name in ("coupler", "rocker"):
        ends = [np.array(point.position) for point in long.body(name).points]
        assert np.linalg.norm(ends[1] - ends[0]) == pytest.approx(0.33)
    with pytest.raises(SceneError, match="cannot be put together"):
        set_lengths(scene, ALL, 0.05)  # three bars of 50 mm do not span 400 mm


def test_a_copy_lies_beside_what_it_is_a_copy_of() -> None:
    scene = four_bar()
    piece = from_text(as_text(fragment(scene, [*ALL, *(Ref("joints", j.name) for j in scene.joints)])))
    pasted = set_aside(scene, paste(scene, piece), 0.4).after
    poses = given_poses(pasted)
    new = [body.name for body in pasted.bodies[3:]]
    d = {tuple(np.round(poses[b][0] - poses[a][0], 12)) for a, b in zip(BODIES, new, strict=True)}
    ((x, y, _),) = d  # all by one step
    assert (x, y) == pytest.approx((0.05, -0.05))
    assert opening(pasted) < 1e-12
