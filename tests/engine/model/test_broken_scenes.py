"""Broken scene files: each gives a one-screen message with the place and the remedy."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from engine import Scene, check_scene
from engine.errors import SceneError
from engine.model.files.scene_file import load_scene, loads
from tests.engine.model.good import planar, spatial

Change = Callable[[dict[str, Any]], object]
SCREEN = 25  # lines


def put(path: str, value: Any) -> Change:
    """Set the value at a path such as `bodies.0.mass`."""

    def change(raw: Any) -> None:
        *above, last = path.split(".")
        for part in above:
            raw = raw[int(part)] if isinstance(raw, list) else raw[part]
        raw[int(last) if isinstance(raw, list) else last] = value

    return change


def drop(path: str) -> Change:
    def change(raw: Any) -> None:
        *above, last = path.split(".")
        for part in above:
            raw = raw[int(part)] if isinstance(raw, list) else raw[part]
        del raw[last]

    return change


def gears(raw: dict[str, Any]) -> None:
    for a, b in (("G1", "G2"), ("G2", "G1")):
        raw["joints"].append({"name": a, "kind": "gear", "joint_a": "J1", "joint_b": b, "ratio": 2})


def rings(raw: dict[str, Any]) -> None:
    raw["parameters"] += [
        {"name": "p", "value": "q+1"},
        {"name": "q", "value": "r"},
        {"name": "r", "value": "2*p"},
    ]


def move_fixed(raw: dict[str, Any]) -> None:
    raw["bodies"].append({"name": "base", "fixed": True})
    raw["motions"].append(
        {"name": "N", "kind": "body_motion", "body": "base", "coordinate": "x", "function": "t"}
    )


def again(list_name: str) -> Change:
    return lambda raw: raw[list_name].append(raw[list_name][0])


# name, change to a sound scene, fragment of the path or message, fragment of the remedy
Row = tuple[str, Change, str, str]
PLANAR: list[Row] = [
    ("format missing", drop("format"), "format", "trammel-scene"),
    ("other format", put("format", "urdf"), "format", "trammel-scene"),
    ("version missing", drop("version"), "version", "write"),
    ("newer version", put("version", 99), "version", "update the program"),
    ("version as text", put("version", "1"), "version", "write"),
    ("unknown field", put("gravty", [0, 0]), "did you mean 'gravity'", "correct its name"),
    ("unknown body field", put("bodies.0.maas", 1), 'bodies[0] "crank".maas', "correct its name"),
    ("unknown anchor field", put("joints.1.a.bdy", 1), 'joints[1] "J2".a.bdy', "correct its name"),
    ("bodies are no list", put("bodies", 3), "bodies", "list"),
    ("body is no object", put("bodies.1", "rod"), "bodies[1]", "object"),
    ("name missing", drop("bodies.0.name"), "bodies[0].name", "add 'name'"),
    ("name is a number", put("bodies.0.name", 7), "bodies[0].name", "text"),
    ("name with a dot", put("bodies.1.name", "a.b"), "bodies[1]", "letters"),
    ("empty name", put("traces.0.name", ""), "traces[0]", "letter"),
    ("reserved name", put("groups.0.name", "world"), "groups[0]", "another name"),
    ("duplicate body", again("bodies"), 'bodies[3] "crank".name', "its own name"),
    ("duplicate joint", again("joints"), 'joints[5] "J1".name', "its own name"),
    (
        "duplicate point",
        put("bodies.0.points", [{"name": "P", "position": [0, 0]}] * 2),
        "points[1]",
        "own name",
    ),
    ("spring without an end", drop("forces.0.b.point"), 'forces[0] "S".b.point', '"point": [0, 0]'),
    ("parameter named t", put("parameters.0.name", "t"), "parameters[0]", "another name"),
    ("parameter named sin", put("parameters.0.name", "sin"), "parameters[0]", "another name"),
    ("parameter with a blank", put("parameters.0.name", "L 1"), "parameters[0]", "letters"),
    ("parameter ring", rings, "p → q → r → p", "give one of them a number"),
    ("parameter out of range", put("parameters.0.value", 3), 'parameters[0] "L".value', "range"),
    ("parameter range upside down", put("parameters.0.min", 3), "parameters[0]", "exchange"),
    ("mass as a list", put("bodies.0.mass", [1]), 'bodies[0] "crank".mass', "a number or an expression"),
    ("mass as a flag", put("bodies.0.mass", True), 'bodies[0] "crank".mass', "a number or an expression"),
    ("negative mass", put("bodies.0.mass", -1), 'bodies[0] "crank".mass', "≥ 0"),
    ("negative mass by expression", put("bodies.0.mass", "L-2"), "'L-2' = -1.6", "≥ 0"),
    ("no mass", drop("bodies.1.mass"), 'bodies[1] "rod".mass', "density"),
    ("negative inertia", put("bodies.0.inertia", [-1]), "inertia", "positive"),
    ("spatial inertia in the plane", put("bodies.0.inertia", [1, 1, 1]), "inertia", "[Izz]"),
    ("zero density", put("bodies.2.shapes.0.density", 0), "density", "> 0"),
    ("negative radius", put("bodies.0.shapes.0.radius", -1), "shapes[0].radius", "> 0"),
    ("box with two sizes", put("bodies.2.shapes.0.size", [1, 2]), "shapes[0].size", "3 numbers"),
    ("unknown shape", put("bodies.0.shapes.0.kind", "rodd"), "did you mean 'rod'", "cylinder"),
    ("rod without length", put("bodies.0.shapes.0.end", ["-half", 0]), "shapes[0].end", "move one end"),
    (
        "flat outline",
        put("bodies.0.shapes.0", {"kind": "outline", "points": [[0, 0], [1, 0], [2, 0]], "thickness": 1}),
        "shapes[0].points",
        "in order",
    ),
    ("colour by name", put("bodies.0.color", "red"), "color", "#3366cc"),
    ("opacity above one", put("bodies.0.opacity", 2), "opacity", "≤ 1"),
    ("position of four numbers", put("bodies.0.position", [1, 2, 3, 4]), "position", "2 or 3 numbers"),
    ("position out of the plane", put("bodies.0.position", [1, 2, 3]), "position[2]", "spatial"),
    ("orientation in the plane", put("bodies.0.orientation", [0, 1, 0, 0]), "orientation", "angle"),
    ("gravity out of the plane", put("gravity", [0, 0, -9.81]), "gravity[2]", "spatial"),
    ("unknown space", put("space", "flat"), "space", "planar"),
    ("unknown joint kind", put("joints.0.kind", "revolut"), "did you mean 'revolute'", "use one of"),
    ("kind missing", drop("joints.0.kind"), "joints[0]", "use one of"),
    ("joint of space in the plane", put("joints.0.kind", "cylindrical"), 'joints[0] "J1".kind', "revolute"),
    ("unknown body", put("joints.1.b.body", "rood"), "did you mean 'rod'", "exists"),
    ("unknown point", put("joints.1.a.point", "tap"), "did you mean 'tip'", "tip"),
    ("point of the world", put("joints.0.a.point", "tip"), "a.point", "coordinates"),
    ("joint with itself", put("joints.1.b.body", "crank"), "itself", "another body"),
    ("joint of world and world", put("joints.0.b.body", "world"), "ground", "can move"),
    ("joint of world and fixed body", put("bodies.0.fixed", True), "ground", "can move"),
    ("planar axis out of the plane", put("joints.3.a.axis", [0, 0, 1]), "a.axis", "in the plane"),
    ("planar hinge with another axis", put("joints.0.a.axis", [1, 0, 0]), "a.axis", "leave the axis out"),
    ("gear ring", gears, "G1 → G2 → G1", "angle"),
    ("pinion that slides", put("joints.4.pinion", "J4"), "no angle", "revolute"),
    ("unknown pinion", put("joints.4.pinion", "J9"), "pinion", "J1"),
    (
        "start of a missing coordinate",
        put("joints.0.start", {"angel": {"speed": 1}}),
        "did you mean 'angle'",
        "use angle",
    ),
    (
        "lock of z in the plane",
        put("joints.4", {"name": "K", "kind": "lock", "b": {"body": "rod"}, "coordinates": ["z"]}),
        "coordinates",
        "x, y and angle",
    ),
    (
        "lock with too few values",
        put(
            "joints.4",
            {"name": "K", "kind": "lock", "b": {"body": "rod"}, "coordinates": ["x", "y"], "values": [1]},
        ),
        "values",
        "one value per coordinate",
    ),
    ("negative stiffness", put("forces.0.stiffness", -3), 'forces[0] "S".stiffness', "≥ 0"),
    ("force on the world", put("forces.1.body", "world"), "forces[1]", "name a body"),
    ("motor with nothing", drop("forces.2.effort"), "forces[2]", "speed"),
    (
        "motion of a missing coordinate",
        put("motions.0.coordinate", "displacement"),
        "no displacement",
        "prismatic",
    ),
    (
        "two motions of one angle",
        lambda raw: raw["motions"].append({**raw["motions"][0], "name": "N"}),
        "motions[1]",
        "remove one",
    ),
    ("motion of a fixed body", move_fixed, 'motions[1] "N".body', "remove"),
    ("force frame out of the plane", put("forces.0.a.axis", [1, 0, 0]), "a.axis", "leave"),
    ("table goes back", put("motions.0.function.points", [[0, 0], [1, 1], [1, 2]]), "points[2]", "sort"),
    ("table of one point", put("motions.0.function.points", [[0, 0]]), "points", "add points"),
    (
        "periodic spline with a jump",
        put(
            "motions.0.function",
            {"points": [[0, 0], [1, 1]], "interpolation": "cubic", "outside": "periodic"},
        ),
        "points[1]",
        "end at",
    ),
    ("hostile import", put("bodies.0.mass", "__import__('os').system('true')"), "unknown function", "known"),
    ("hostile power", put("bodies.0.mass", "9**9**9"), "too large", "change the numbers"),
    ("hostile nesting", put("bodies.0.mass", "(" * 900 + "1" + ")" * 900), "nesting", "parameters"),
    ("hostile length", put("bodies.0.mass", "1+" * 100_000 + "1"), "characters", "parameters or a table"),
    ("hostile attribute", put("bodies.0.mass", "L.__class__"), "unknown name", ""),
    ("expression cut short", put("bodies.0.mass", "2*(L+1"), "column 3", "add ')'"),
    ("unknown parameter", put("bodies.0.mass", "2*LL"), "column 3", "did you mean 'L'"),
    ("division by zero", put("bodies.0.mass", "1/(L-L)"), "divides by zero", "change the numbers"),
    ("time in a mass", put("bodies.0.mass", "1+t"), "'t' has a value only", "write a number"),
    ("speed in a motion", put("motions.0.function", "v*t"), "'v' has a value only", "variables are t"),
    ("hostile measure", put("measures.0.expression", "__import__('os')"), "measures[0]", ""),
    ("measure of a missing joint", put("measures.0.expression", "joint.J9.angle"), "no joint 'J9'", "J1"),
    ("trace of a missing body", put("traces.0.body", "cranc"), "traces[0]", "crank"),
    ("group of a missing body", put("groups.0.members", ["bodies.x"]), "members[0]", "bodies.crank"),
    ("zero step", put("simulation.dt", 0), "simulation.dt", "> 0"),
    ("negative duration", put("simulation.duration", -1), "simulation.duration", "> 0"),
    ("too many steps", put("simulation.dt", 1e-12), "simulation.dt", "larger step"),
    ("sample every zero", put("simulation.sample_every", 0), "simulation.sample_every", "whole number"),
    ("option as a list", put("simulation.options", {"alpha": [1]}), "simulation.options.alpha", "a number"),
    ("hold unknown", put("bodies.0.hold", "pos"), "hold", "did you mean 'pose'"),
]
SPATIAL: list[Row] = [
    ("two numbers in space", put("bodies.1.position", [1, 2]), 'bodies[1] "two".position', "z component"),
    ("planar inertia in space", put("bodies.0.inertia", [1]), "inertia", "Ixx"),
    ("inertia breaks the triangle", put("bodies.0.inertia", [1, 1, 3]), "inertia", "at most the sum"),
    ("inertia not positive", put("bodies.0.inertia", [1, 1, 1, 2, 0, 0]), "inertia", "check signs"),
    ("inertia without mass", put("bodies.0.mass", 0), "inertia", "give it a mass"),
    (
        "mesh with density",
        put("bodies.0", {"name": "one", "shapes": [{"kind": "mesh", "file": "a.stl", "density": 1}]}),
        "shapes[0].density",
        "inertia",
    ),
    ("angle in space", put("bodies.0.angle", 1), "angle", "orientation"),
    ("zero quaternion", put("bodies.0.orientation", [0, 0, 0, 0]), "orientation", "[1, 0, 0, 0]"),
    (
        "axis of orientation zero",
        put("bodies.0.orientation", {"axis": [0, 0, 0], "angle": 1}),
        "orientation.axis",
        "[0, 0, 1]",
    ),
    ("zero axis", put("joints.1.a.axis", [0, 0, 0]), 'joints[1] "C".a.axis', "[0, 0, 1]"),
    ("reference along the axis", put("joints.1.a.reference", [0, 3, 4]), "a.reference", "across the axis"),
    ("universal without second arm", drop("joints.0.b.axis"), "b.axis", "perpendicular"),
]


@pytest.mark.parametrize(("change", "place", "remedy"), [pytest.param(*row[1:], id=row[0]) for row in PLANAR])
def test_a_broken_planar_scene_names_the_place_and_the_remedy(change, place, remedy):
    raw = planar()
    change(raw)
    check_message(json.dumps(raw), place, remedy)


@pytest.mark.parametrize(
    ("change", "place", "remedy"), [pytest.param(*row[1:], id=row[0]) for row in SPATIAL]
)
def test_a_broken_spatial_scene_names_the_place_and_the_remedy(change, place, remedy):
    raw = spatial()
    change(raw)
    check_message(json.dumps(raw), place, remedy)


GOOD = json.dumps(planar())
TEXTS = [
    ("empty file", "", "line 1", "backup"),
    ("truncated", GOOD[:700], "line 1, column", "restore the missing end"),
    ("truncated in a name", GOOD[: GOOD.index("crank") + 3], "line 1, column", "restore the missing end"),
    ("comma at the end", '{"format": "trammel-scene",}', "line 1", "remove the comma"),
    ("missing comma", '{\n"format": "trammel-scene"\n"version": 1}', "line 3", "comma"),
    ("text after the end", GOOD + "x", "line 1", "remove what follows"),
    ("a list", "[1, 2]", "object", "format"),
    ("not text", b"\x80\x81\xff", "UTF-8", "UTF-8"),
    ("NaN", GOOD.replace('"mass": 1.5', '"mass": NaN'), 'bodies[0] "crank".mass', "finite"),
    ("infinity", GOOD.replace('"mass": 1.5', '"mass": -Infinity'), 'bodies[0] "crank".mass', "finite"),
    ("overflow", GOOD.replace('"mass": 1.5', '"mass": 1e999'), 'bodies[0] "crank".mass', "finite"),
    (
        "huge whole number",
        GOOD.replace('"mass": 1.5', '"mass": 1' + "0" * 400),
        'bodies[0] "crank".mass',
        "finite",
    ),
    ("endless digits", GOOD.replace('"mass": 1.5', '"mass": 1' + "0" * 9000), "digits", "write"),
    (
        "double key",
        GOOD.replace('"mass": 1.5', '"mass": 1.5, "mass": 2'),
        'bodies[0] "crank".mass',
        "keep one",
    ),
    ("deep", '{"view": ' + "[" * 200 + "]" * 200 + "}", "nested", "flatten"),
    ("deeper than Python", "[" * 100_000, "nested", "flatten"),
]


@pytest.mark.parametrize(("text", "place", "remedy"), [pytest.param(*row[1:], id=row[0]) for row in TEXTS])
def test_broken_text_names_the_place_and_the_remedy(text, place, remedy):
    check_message(text, place, remedy)


def check_message(text: str | bytes, place: str, remedy: str) -> None:
    with pytest.raises(SceneError) as caught:
        loads(text, "my.json")
    message = str(caught.value)
    assert message.startswith("my.json: ")
    assert len(message.splitlines()) <= SCREEN
    assert all(len(line) < 400 for line in message.splitlines())
    told = [p for p in caught.value.problems if place in p.path or place in p.message]
    assert told, message
    assert any(remedy in p.remedy or remedy in p.message for p in told), message
    assert all(p.remedy for p in caught.value.problems)


def test_the_good_scenes_are_good():
    loads(json.dumps(planar()))
    loads(json.dumps(spatial()))


def test_a_file_of_100_megabytes_is_refused_without_reading_it(tmp_path):
    path = tmp_path / "big.json"
    with open(path, "wb") as file:
        file.truncate(100_000_000)
    with pytest.raises(SceneError, match=r"100 MB.*\n.*scene file"):
        load_scene(path)


def test_a_missing_file_and_a_folder_are_told(tmp_path):
    with pytest.raises(SceneError, match="No such file"):
        load_scene(tmp_path / "none.json")
    with pytest.raises(SceneError, match="cannot be read"):
        load_scene(tmp_path)


def test_all_problems_are_told_at_once():
    raw = planar()
    raw["bodies"][0]["mass"] = [1]  # type
    raw["bodies"][1]["mass"] = -1  # limit
    raw["bodies"][2]["shapes"][0]["sise"] = 1  # unknown field
    raw["joints"][0]["b"]["body"] = "crnk"  # reference
    raw["joints"][4]["radius"] = "LL"  # expression
    raw["simulation"]["dt"] = 0
    with pytest.raises(SceneError) as caught:
        loads(json.dumps(raw))
    paths = {problem.path for problem in caught.value.problems}
    assert paths == {
        'bodies[0] "crank".mass',
        'bodies[1] "rod".mass',
        'bodies[2] "slider".shapes[0].sise',
        'joints[0] "J1".b.body',
        'joints[4] "R".radius',
        "simulation.dt",
    }


def test_an_element_that_cannot_be_read_is_not_missed_by_others():
    raw = planar()
    raw["bodies"][0]["mass"] = {}
    raw["parameters"][0]["value"] = []
    with pytest.raises(SceneError) as caught:
        loads(json.dumps(raw))
    assert [p.path for p in caught.value.problems] == ['parameters[0] "L".value', 'bodies[0] "crank".mass']
    assert [p.element for p in caught.value.problems] == [("parameters", 0), ("bodies", 0)]


def test_many_problems_still_fit_on_a_screen():
    raw = planar()
    raw["bodies"] = [{"name": f"b{i}", "mass": -1} for i in range(500)]
    with pytest.raises(SceneError) as caught:
        loads(json.dumps(raw))
    message = str(caught.value)
    assert len(message.splitlines()) <= SCREEN
    assert "more" in message.splitlines()[-1]
    assert len(caught.value.problems) >= 500


def test_a_remedy_never_offers_names_where_there_are_none():
    raw = planar()
    raw["joints"], raw["motions"], raw["measures"], raw["simulation"] = [], [], [], {}
    raw["forces"] = [{"kind": "friction", "name": "rub", "joint": "hinge", "kinetic": 1.0}]
    with pytest.raises(SceneError) as caught:
        loads(json.dumps(raw))
    (told,) = [p for p in caught.value.problems if p.path.endswith(".joint")]
    assert told.remedy == "there is none to name: make one, or remove what names it"


@pytest.mark.parametrize("slip", ["slide"])  # of joints that no planar scene has
def test_a_remedy_never_offers_joints_where_no_kind_has_it(slip):
    raw = planar()
    raw["forces"] = [
        {
            "kind": "friction",
            "name": "rub",
            "joint": raw["joints"][0]["name"],
            "coordinate": slip,
            "kinetic": 1.0,
        }
    ]
    with pytest.raises(SceneError) as caught:
        loads(json.dumps(raw))
    (told,) = [p for p in caught.value.problems if p.path.endswith(".coordinate")]
    assert told.remedy.startswith("no joint of a planar scene has one: use ")
    assert not told.remedy.endswith("use ")


def test_a_centre_of_mass_without_digits_to_move_is_refused() -> None:
    """It was 1e40 m away, and joints were open by 1e26 m without a word."""
    scene = Scene(space="spatial").with_body("far", mass=1.0, inertia=[1.0, 1.0, 1.0], com=[1e40, 0.0, 0.0])
    with pytest.raises(SceneError, match="1e\\+40 m from the origin of its body"):
        check_scene(scene)
    check_scene(Scene(space="spatial").with_body("near", mass=1.0, inertia=[1.0] * 3, com=[1e3, 0.0, 0.0]))
