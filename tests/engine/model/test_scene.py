"""Building scenes by calls, and the public names of the engine."""

import subprocess
import sys

import numpy as np
import pytest

import engine
from engine import JOINTS, Scene, SceneError, validate
from engine.elements.base import Anchor
from engine.elements.joints.revolute import RevoluteSpec
from engine.registry import Registry


def pendulum() -> Scene:
    return (
        Scene(space="planar")
        .with_parameter("L", 2.0, unit="m")
        .with_body("bob", mass=1, inertia=[0], position=["L", 0])
        .with_joint("revolute", "J", a={"body": "world"}, b={"body": "bob", "point": ["-L", 0]})
    )


def test_a_scene_is_built_by_calls():
    scene = pendulum().with_simulation(dt=0.01, method="rk2").with_trace("path", body="bob")
    assert validate(scene) == []
    assert scene.body("bob").mass == 1.0
    assert scene.joint("J").name == "J"
    assert scene.parameter("L").value == 2.0
    assert scene.trace("path").body == "bob"
    assert scene.simulation.dt == 0.01
    assert Scene(space="planar") == Scene(space="planar")


def test_arrays_and_whole_numbers_are_taken_as_numbers():
    scene = Scene().with_body("b", mass=np.float64(2), inertia=np.array([1, 1, 1]), position=np.arange(3))
    assert scene.body("b").position == (0.0, 1.0, 2.0)
    assert scene.body("b").inertia == (1.0, 1.0, 1.0)
    joint = RevoluteSpec(name="J", a=Anchor(body="world", point=(0, 1, 2)), b=Anchor(body="b"))
    assert scene.add(joint).joints[0].a.point == (0.0, 1.0, 2.0)


def test_elements_are_replaced_and_removed():
    scene = pendulum()
    other = Scene().with_body("heavy", mass=5).body("heavy")
    assert [b.name for b in scene.replace(other, "bob").bodies] == ["heavy"]
    assert scene.remove("joints", "J").joints == ()
    assert scene.joints != ()


def test_wrong_calls_are_told():
    with pytest.raises(SceneError, match=r'joints "K"\.a\.bdy: unknown field'):
        pendulum().with_joint("revolute", "K", a={"bdy": "world"}, b={"body": "bob"})
    with pytest.raises(KeyError, match="did you mean 'revolute'"):
        pendulum().with_joint("revolut", "K")
    with pytest.raises(KeyError, match=r"no body 'bub'; did you mean 'bob'\? \(known: bob\)"):
        pendulum().body("bub")


def test_a_registry_keeps_order_and_lists_what_it_knows():
    assert list(JOINTS) == sorted(JOINTS, key=lambda kind: kind.name)
    assert "revolute" in JOINTS
    assert "hinge" not in JOINTS
    assert len(JOINTS) == len(JOINTS.names)
    with pytest.raises(KeyError, match=r"unknown joint 'hinge'.*known: belt, .*universal"):
        JOINTS["hinge"]
    with pytest.raises(ValueError, match="same name"):
        Registry("joint", JOINTS["gear"], JOINTS["gear"])


def test_public_names_are_listed_and_unknown_ones_refused():
    assert set(engine.__all__) <= set(dir(engine))
    with pytest.raises(AttributeError, match="nonsense"):
        engine.nonsense  # noqa: B018


def test_loading_a_scene_needs_no_compiled_code():
    code = (
        "import sys\n"
        "from engine import JOINTS, FORCES, MOTIONS, Scene, load_scene, resolve, set_value, validate\n"
        "heavy = {'numba', 'scipy', 'PySide6', 'vtkmodules'} & set(sys.modules)\n"
        "sys.exit(f'imported {heavy}' if heavy else 0)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
