"""Numbers by expression, and values by path."""

import json

import pytest

from engine import Scene, SceneError, loads, parameter_values, resolve, set_value
from engine.elements.base import Table
from engine.model.resolve import resolve_leniently
from tests.engine.model.good import planar, spatial


@pytest.fixture
def scene() -> Scene:
    return loads(json.dumps(planar()))


def test_expressions_become_numbers_and_vectors_get_three_components(scene):
    resolved = resolve(scene)
    crank = resolved.body("crank")
    assert crank.position == (0.2, 0.0, 0.0)
    assert crank.inertia == (pytest.approx(1.5 * 0.16 / 12),)
    assert crank.point("tip").position == (0.2, 0.0, 0.0)
    assert crank.shapes[0].start == (-0.2, 0.0, 0.0)
    assert resolved.parameter("half").value == 0.2
    assert resolved.joint("J3").a.point == (0.4, 0.0, 0.0)
    assert resolve(resolved) == resolved


def test_functions_of_variables_stay_text_and_constants_do_not(scene):
    scene = set_value(scene, "forces.F.components.1", "10*L")
    resolved = resolve(scene)
    assert resolved.force("F").components == ("sin(t)", 4.0, 0.0)
    assert resolved.force("S").force == "-v*x"
    assert resolved.motion("M").function == Table(points=((0.0, 0.0), (1.0, 6.0)))
    assert parameter_values(scene) == {"L": 0.4, "half": 0.2}
    assert parameter_values(resolved) == parameter_values(scene)


@pytest.mark.parametrize(
    ("space", "gravity", "expected", "up"),
    [
        ("planar", None, (0.0, -9.81, 0.0), "y"),
        ("spatial", None, (0.0, 0.0, -9.81), "z"),
        ("planar", (0.0, 0.0), (0.0, 0.0, 0.0), "y"),
        ("spatial", (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), "z"),
        ("spatial", ("2*3", 0.0, 0.0), (6.0, 0.0, 0.0), "-x"),
    ],
)
def test_gravity_and_up_are_filled_in(space, gravity, expected, up):
    resolved = resolve(Scene(space=space, gravity=gravity))
    assert (resolved.gravity, resolved.up) == (expected, up)
    assert resolve(Scene(space=space, gravity=gravity, up="-z")).up == "-z"


def test_parameters_in_any_order():
    scene = Scene().with_parameter("a", "b+1").with_parameter("b", "2*c").with_parameter("c", 3)
    assert parameter_values(scene) == {"a": 7.0, "b": 6.0, "c": 3.0}
    with pytest.raises(SceneError, match="a → b → c → a"):
        resolve(set_value(scene, "parameters.c", "a"))


SETTINGS = [
    ("bodies.crank.mass", 2, lambda s: s.body("crank").mass, 2.0),
    ("bodies.crank.mass", "L+1", lambda s: s.body("crank").mass, "L+1"),
    ("bodies.crank.position.0", "0.5", lambda s: s.body("crank").position, (0.5, 0.0)),
    ("bodies.crank.points.tip.position.1", 3, lambda s: s.body("crank").point("tip").position, ("half", 3.0)),
    ("bodies.crank.shapes.0.radius", 0.1, lambda s: s.body("crank").shapes[0].radius, 0.1),
    ("bodies.crank.fixed", "true", lambda s: s.body("crank").fixed, True),
    ("bodies.crank.com", [1, 2], lambda s: s.body("crank").com, (1.0, 2.0)),
    ("parameters.L", 0.3, lambda s: s.parameter("L").value, 0.3),
    ("parameters.L.max", "2", lambda s: s.parameter("L").max, 2.0),
    ("joints.J3.a.point.1", 9, lambda s: s.joint("J3").a.point, (0.4, 9.0)),
    ("joints.J1.start.angle.speed", 4, lambda s: s.joint("J1").start["angle"].speed, 4.0),
    ("motions.M.function.points.1.1", 7, lambda s: s.motion("M").function.points[1], (1.0, 7.0)),
    ("simulation.dt", "1e-4", lambda s: s.simulation.dt, 1e-4),
    ("simulation.options.beta", 7, lambda s: s.simulation.options, {"alpha": 5.0, "beta": 7.0}),
    ("simulation.sample_every", "5", lambda s: s.simulation.sample_every, 5),
    ("simulation.method", "euler", lambda s: s.simulation.method, "euler"),
    ("gravity", [0, -1.6], lambda s: s.gravity, (0.0, -1.6)),
]


@pytest.mark.parametrize(("path", "value", "read", "expected"), SETTINGS)
def test_a_value_is_set_by_its_path(scene, path, value, read, expected):
    assert read(set_value(scene, path, value)) == expected


@pytest.mark.parametrize(
    ("path", "value", "told"),
    [
        ("bodies.crnk.mass", 1, "did you mean 'crank'"),
        ("bodies.crank.maas", 1, "did you mean 'mass'"),
        ("bodies.crank", 1, "whole element"),
        ("bodies.crank.com.0", 1, "it is null"),
        ("bodies.crank.position.7", 1, "known: 0 to 1"),
        ("bodies.crank.position.0.0", 1, "single value"),
        ("bodies.crank.mass", [1], "a number or an expression"),
        ("simulation.sample_every", "often", "whole number"),
        ("nothing", 1, "known: "),
        ("version", 2, "no 'version'"),
        ("", 1, "known: "),
    ],
)
def test_a_wrong_path_is_told_with_what_exists(scene, path, value, told):
    with pytest.raises(SceneError, match=told):
        set_value(scene, path, value)


def test_a_spatial_scene_resolves_its_orientations():
    resolved = resolve(loads(json.dumps(spatial())))
    assert resolved.body("one").orientation.axis == (0.0, 0.0, 1.0)
    assert resolved.body("two").orientation == (1.0, 0.0, 0.0, 0.0)


def test_only_edited_elements_are_looked_at_again(scene, monkeypatch):
    from engine.model import resolve as module

    resolve(scene)
    looked, rebuild = [], module.Resolver.rebuild
    monkeypatch.setattr(
        module.Resolver,
        "rebuild",
        lambda self, node, path: looked.append(path) or rebuild(self, node, path),
    )

    def elements() -> set[str]:
        found = {path for path in looked if path.endswith('"') and "." not in path}
        looked.clear()
        return found

    lighter = set_value(scene, "gravity", (0.0, -1.5))
    assert resolve(lighter).gravity == (0.0, -1.5, 0.0)
    assert elements() == set()
    heavier = set_value(lighter, "bodies.crank.mass", 7.0)
    assert resolve(heavier).body("crank").mass == 7.0
    assert elements() == {'bodies[0] "crank"'}
    longer = set_value(heavier, "parameters.L.value", 0.6)  # may stand in any of them
    assert resolve(longer).body("crank").position == (0.3, 0.0, 0.0)
    assert len(elements()) > len(scene.bodies)


def test_a_fault_is_told_each_time_though_its_element_stayed(scene):
    broken = set_value(scene, "bodies.crank.mass", "-L")
    told = resolve_leniently(broken)[1]
    again = resolve_leniently(set_value(broken, "gravity", (0.0, -1.5)))[1]
    assert told == again
    assert "mass" in told[0].path
