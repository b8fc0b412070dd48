"""Coupler curves from the joints alone, against the four-bar by circles."""

import msgspec
import numpy as np
import pytest

from engine.analyses.kinematics.curve_family import COUNT, curve_family, family_values
from engine.analyses.kinematics.travels import travels
from engine.analyses.kinematics.whole_motion import whole_motion
from engine.errors import SceneError
from engine.model.scene import Scene
from engine.system.prepared import prepare
from engine.templates import TEMPLATES
from tests.linkages import third

A, D = np.array([0.0, 0.0]), np.array([0.4, 0.0])
CRANK, ROCKER, COUPLER = 0.1, 0.3, 0.35


def coupled() -> Scene:
    """A crank-rocker whose coupler is as long as the parameter `c`; its middle is traced."""
    B = A + CRANK * np.array([np.cos(1.0), np.sin(1.0)])
    C = third(B, D, COUPLER, ROCKER, 1.0)
    scene = Scene(space="planar").with_parameter("c", COUPLER, unit="m", min=0.3, max=0.6)
    for name, start, end, length in (
        ("crank", A, B, CRANK),
        ("coupler", B, C, "c"),
        ("rocker", D, C, ROCKER),
    ):
        way = end - start
        tip = {"name": "tip", "position": [length, 0.0]}
        middle = {"name": "middle", "position": ["0.5*c", 0.0]}
        angle = float(np.arctan2(way[1], way[0]))
        scene = scene.with_body(
            name, mass=1.0, inertia=[0.1], position=list(start), angle=angle, points=[tip, middle]
        )
    pins = (("A", "world", [0, 0], "crank", [0, 0]), ("B", "crank", "tip", "coupler", [0, 0]))
    pins += (("C", "coupler", "tip", "rocker", "tip"), ("D", "world", list(D), "rocker", [0, 0]))
    for name, a, p, b, q in pins:
        scene = scene.with_joint("revolute", name, a={"body": a, "point": p}, b={"body": b, "point": q})
    return scene.with_trace("curve", body="coupler", point="middle")


def middle_of_coupler(c: float) -> np.ndarray:
    found = []
    for phi in np.linspace(0.0, 2.0 * np.pi, 1500):
        B = A + CRANK * np.array([np.cos(phi), np.sin(phi)])
        found.append(0.5 * (B + third(B, D, c, ROCKER, 1.0)))
    return np.array(found)


def test_a_family_is_that_of_the_closed_form_at_every_value() -> None:
    values = [0.32, 0.4, 0.5]
    curves = curve_family(coupled(), "c", values)
    assert [curve.value for curve in curves] == values
    for curve in curves:
        exact = middle_of_coupler(curve.value)
        gaps = np.linalg.norm(curve.points[:, None, :2] - exact[None], axis=2)
        assert gaps.min(axis=1).max() < 5e-4  # every point lies on it; the exact one is drawn in 0.4 mm steps
        assert gaps.min(axis=0).max() < 5e-3  # and all of it is passed
        np.testing.assert_allclose(curve.points[0], curve.points[-1], atol=1e-9)  # closed


def test_values_at_which_the_joints_do_not_close_have_no_curve() -> None:
    assert [curve.value for curve in curve_family(coupled(), "c", [0.4, 5.0])] == [0.4]
    assert curve_family(coupled(), "c", [0.4], wanted=lambda: False) == []


def test_values_go_evenly_from_limit_to_limit() -> None:
    scene = coupled()
    values = family_values(scene.parameter("c"))
    assert len(values) == COUNT
    assert (values[0], values[-1]) == pytest.approx((0.3, 0.6))
    free = scene.with_parameter("d", 2.0).with_parameter("e", "2*d")
    assert family_values(free.parameter("d"), 3) == pytest.approx([1.4, 2.0, 2.6])
    with pytest.raises(SceneError, match="expression"):
        family_values(free.parameter("e"))


def test_the_swing_of_a_rocker_is_known_and_two_freedoms_have_no_curve() -> None:
    """The rocker turns back where crank and coupler are in line: angles by the law of cosines."""
    scene = coupled()
    found = whole_motion(prepare(scene).mechanism)
    assert found is not None
    assert found.closed
    low, high = found.travel("D", "angle")
    reach = (COUPLER - CRANK, COUPLER + CRANK)
    swing = [np.arccos((0.4**2 + ROCKER**2 - r**2) / (2 * 0.4 * ROCKER)) for r in reach]
    assert high - low == pytest.approx(abs(swing[1] - swing[0]), rel=1e-3)
    open_chain = msgspec.structs.replace(scene, joints=scene.joints[:2])
    assert whole_motion(prepare(open_chain).mechanism) is None


def test_a_slider_goes_only_as_far_as_its_motion_leads_it() -> None:
    """The rails of a lift were drawn for all that its joints would let it do, far beyond its other end."""
    template = TEMPLATES["scissor_lift"]
    arm, start, stroke = (template.defaults[name] for name in ("arm", "start", "stroke"))
    closed, opened = arm * np.cos([start, start + stroke])
    near, far = travels(template.make().scene)["guide"]
    assert far - near == pytest.approx(closed - opened, rel=0.1)
    assert near <= opened - closed
    assert far >= 0.0


@pytest.mark.parametrize(("turn", "part"), [(2.0 * np.pi, 1.0), (20.0, 1.0), (-0.5 * np.pi, 0.5)])
def test_a_crank_that_turns_less_leads_its_slider_less_far(turn: float, part: float) -> None:
    scene = TEMPLATES["slider_crank"].make(start=0.5 * np.pi, speed=1.0).scene
    motion = msgspec.structs.replace(scene.motions[0], level="position", function=f"{turn}*t/10")
    low, high = travels(msgspec.structs.replace(scene, motions=(motion,)))["guide"]
    r, rod = (TEMPLATES["slider_crank"].defaults[name] for name in ("crank", "rod"))
    inner = rod - r if part == 1.0 else np.sqrt(rod**2 - r**2)  # from upright to the outer dead point, or all
    assert (low, high) == pytest.approx((inner, rod + r), abs=0.004)
