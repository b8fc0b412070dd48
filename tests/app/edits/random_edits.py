"""Random edits of a scene by every command there is. A new command joins by itself: its arguments are made by
name; one with an argument that is not known here fails `test_every_command_is_tried` until it has a maker."""

import importlib
import inspect
import math
import pkgutil
import random
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

import app.edits
from app.document.document import Edit, Ref, refs_of
from app.edits.building import draw as drawing
from app.edits.geometry import transform
from app.edits.races import first_race
from engine.analyses.answers.result import Mention, Suggestion
from engine.elements.base import Anchor, AxisAngle
from engine.elements.bodies.body import Body
from engine.elements.bodies.shapes import SHAPES
from engine.elements.drivers import MOTIONS
from engine.elements.fields import fields_of
from engine.elements.forces import FORCES
from engine.elements.joints import JOINTS
from engine.elements.measures import MEASURES
from engine.model.mass import rotation
from engine.model.races import MAX_LANES, Lane, Race
from engine.model.scene import LISTS, Scene

Command = Callable[..., Edit]
Maker = Callable[[Scene, random.Random], Any]
ENOUGH = 40  # elements; beyond, half of the edits remove some


class NotPossible(Exception):
    """The scene has nothing that the command needs."""


def commands() -> dict[str, Command]:
    """All functions of `app.edits` that make an edit."""
    found = {}
    for module in pkgutil.walk_packages(app.edits.__path__, "app.edits."):
        loaded = importlib.import_module(module.name)
        for name, made in vars(loaded).items():
            own = inspect.isfunction(made) and made.__module__ == loaded.__name__ and not name.startswith("_")
            if own and made.__annotations__.get("return") == "Edit":
                found[name] = made
    return found


def random_edit(scene: Scene, rng: random.Random) -> tuple[str, Edit]:
    """A command with random arguments; raises SceneError or NotPossible when it cannot be done."""
    if len(refs_of(scene)) > ENOUGH and rng.random() < 0.5:
        return "remove", KNOWN["remove"](scene, _some(scene, rng))
    name = rng.choice(sorted(KNOWN))
    return name, propose(name, scene, rng)


def propose(name: str, scene: Scene, rng: random.Random) -> Edit:
    command = KNOWN[name]
    if name in SPECIAL:
        return SPECIAL[name](command, scene, rng)
    given, named = [], {}
    for parameter in list(inspect.signature(command).parameters.values())[1:]:
        optional = parameter.default is not parameter.empty
        if parameter.kind is parameter.VAR_KEYWORD or (optional and rng.random() < 0.4):
            continue
        value = ARGUMENTS[parameter.name](scene, rng)
        if parameter.kind is parameter.KEYWORD_ONLY or optional:
            named[parameter.name] = value
        else:
            given.append(value)
    return command(scene, *given, **named)


def unknown_arguments() -> Iterator[str]:
    """Commands that cannot be tried."""
    for name, command in KNOWN.items():
        for parameter in list(inspect.signature(command).parameters.values())[1:]:
            loose = parameter.kind in (parameter.VAR_KEYWORD, parameter.VAR_POSITIONAL)
            if name not in SPECIAL and not loose and parameter.name not in ARGUMENTS:
                yield f"{name}({parameter.name})"


# arguments by name


def _any(items: Any, rng: random.Random) -> Any:
    listed = list(items)
    if not listed:
        raise NotPossible
    return rng.choice(listed)


def _ref(scene: Scene, rng: random.Random) -> Ref:
    return _any(refs_of(scene), rng)


def _some(scene: Scene, rng: random.Random) -> list[Ref]:
    where = rng.choice([*LISTS, None, None])
    refs = [ref for ref in refs_of(scene) if where in (None, ref.where)]
    return rng.sample(refs, min(len(refs), rng.randrange(4)))


def _body(scene: Scene, rng: random.Random) -> str:
    return _any(scene.bodies, rng).name


def _length(scene: Scene, rng: random.Random) -> float:
    return rng.choice([0.0, 0.1, 0.5, -0.25, rng.uniform(-2.0, 2.0)])


def _point(scene: Scene, rng: random.Random) -> tuple[float, ...]:
    return tuple(_length(scene, rng) for _ in range(2 if scene.space == "planar" else 3))


def _name(scene: Scene, rng: random.Random) -> str:
    return rng.choice(
        ["crank", "Rod 2", "a-b", "L", "L1", "t", "", "9", "world", "ü", f"n{rng.randrange(99)}"]
    )


def _kind(scene: Scene, rng: random.Random) -> str:
    return rng.choice([*(k.name for k in JOINTS), *(k.name for k in SHAPES)])


def _velocities(scene: Scene, rng: random.Random) -> dict[str, Any]:
    """Of some bodies; in the plane where the scene is planar."""
    plane = np.array([1.0, 1.0, 0.0]) if scene.space == "planar" else np.ones(3)
    spin = 1.0 - plane if scene.space == "planar" else np.ones(3)
    return {
        body.name: (plane * rng.gauss(0.0, 1.0), spin * rng.gauss(0.0, 1.0))
        for body in scene.bodies
        if rng.random() < 0.5
    }


def _poses(scene: Scene, rng: random.Random) -> dict[str, Any]:
    a = rng.uniform(-4.0, 4.0)
    R = np.array([[math.cos(a), -math.sin(a), 0.0], [math.sin(a), math.cos(a), 0.0], [0.0, 0.0, 1.0]])
    places = {body.name: (np.array([*_point(scene, rng), 0.0][:3]), R) for body in scene.bodies}
    return dict(rng.sample(sorted(places.items()), rng.randrange(len(places) + 1)))


def _piece(scene: Scene, rng: random.Random) -> Scene:
    from app.edits import as_text, fragment, from_text

    return from_text(as_text(fragment(scene, _some(scene, rng))))


def _placement(scene: Scene, rng: random.Random) -> Any:
    return drawing.Placement(np.array([*_point(scene, rng), 0.0][:3]))


def _drawn(scene: Scene, rng: random.Random) -> Any:
    place = _placement(scene, rng)
    if rng.random() < 0.5:
        meetings = [drawing.Meeting(own="A")] if rng.random() < 0.5 else []
        return drawing.drawn_bar(place, 0.4, 0.4, 0.01, meetings)
    return drawing.drawn_plate(place, np.array([[0.0, 0.0], [0.4, 0.0], [0.1, 0.3]]), 0.01)


def _suggestion(scene: Scene, rng: random.Random) -> Suggestion:
    ref = _ref(scene, rng)
    return Suggestion(title="Cure", effect="", removed=(Mention(ref.where, ref.name),))


def _shift(scene: Scene, rng: random.Random) -> Any:
    """In the plane, in planar scenes."""
    return np.array([0.1 * rng.random(), -0.2, 0.0 if scene.space == "planar" else 0.3])


def _turn(scene: Scene, rng: random.Random) -> Any:
    axis = (0.0, 0.0, 1.0) if scene.space == "planar" else (0.6, 0.0, 0.8)
    return rotation(AxisAngle(axis=axis, angle=rng.choice([0.0, 0.4, -2.0])))


def _race(scene: Scene, rng: random.Random) -> Race:
    """One of the scene's with room for a lane more and less, or the first."""
    known = [race for race in scene.races if 1 < len(race.lanes) < MAX_LANES]
    return rng.choice([*known, first_race(scene)])


ARGUMENTS: dict[str, Maker] = {
    "shown": lambda scene, rng: scene,
    "refs": _some,
    "ref": _ref,
    "key": lambda scene, rng: rng.choice([None, "drag"]),
    "name": _name,
    "names": lambda scene, rng: tuple(p.name for p in scene.parameters[: rng.randrange(3)]),
    "value": lambda scene, rng: rng.choice([0.2, -1.0, "L", "2*L1", "1/0"]),
    "visible": lambda scene, rng: rng.random() < 0.5,
    "plane": lambda scene, rng: rng.choice(["xy", "yz", "zx"]),
    "through": _point,
    "ground": lambda scene, rng: rng.random() < 0.5,
    "count": lambda scene, rng: rng.choice([0, 2, 3]),
    "step": _point,
    "angle": _length,
    "axis": lambda scene, rng: rng.choice([(0.0, 0.0, 1.0), (0.0, 0.0, -1.0), (1.0, 0.5, 0.2)]),
    "length": lambda scene, rng: rng.choice([0.3, 1.5, "L", "0.1 + L1", -1.0]),
    "piece": _piece,
    "drawn": _drawn,
    "frame": _placement,
    "kind": _kind,
    "index": lambda scene, rng: rng.randrange(2),
    "body": _body,
    "point": _point,
    "a": lambda scene, rng: Anchor(body=rng.choice(["world", _body(scene, rng)]), point=_point(scene, rng)),
    "b": lambda scene, rng: Anchor(body=_body(scene, rng)),
    "joint": lambda scene, rng: _any(scene.joints, rng).name,
    "joints": lambda scene, rng: tuple(_any(scene.joints, rng).name for _ in range(2)),
    "position": lambda scene, rng: (*_point(scene, rng), 0.0)[:3],
    "title": lambda scene, rng: "",
    "poses": _poses,
    "velocities": _velocities,
    "t": lambda scene, rng: rng.uniform(0.0, 5.0),
    "text": lambda scene, rng: "Move",
    "before": lambda scene, rng: None,
    "suggestion": _suggestion,
    "space": lambda scene, rng: rng.choice(["planar", "spatial"]),
    "shift": _shift,
    "turn": _turn,
    "about": _shift,
    "race": _race,
    "lane": lambda scene, rng: Lane(name="euler", method="euler", dt=rng.choice([None, 0.01, "2*L1"])),
    "indices": lambda scene, rng: {rng.randrange(2)},
}


# commands whose arguments belong together


def _set_field(command: Command, scene: Scene, rng: random.Random) -> Edit:
    ref = _ref(scene, rng)
    item = next(i for i in getattr(scene, ref.where) if i.name == ref.name)
    field = rng.choice([f for f in fields_of(type(item)) if f.name != "name"])
    others = [getattr(o, field.name) for o in getattr(scene, ref.where) if hasattr(o, field.name)]
    value = rng.choice([*others, 0.5, None, (0.1, 0.2), "L", True])
    return command(scene, [ref], field.name, value, rng.choice([None, "drag"]))


def _change_field(command: Command, scene: Scene, rng: random.Random) -> Edit:
    ref = Ref("bodies", _body(scene, rng))
    return command(scene, [ref], "layer", lambda old: (old or 0) + 1)


def _set_simulation(command: Command, scene: Scene, rng: random.Random) -> Edit:
    return command(scene, **rng.choice([{"dt": 0.01}, {"duration": 3.0}, {"speed": 0.5}, {"dt": -1.0}]))


def _add(command: Command, scene: Scene, rng: random.Random) -> Edit:
    return command(scene, Body(name=_name(scene, rng) or "body", mass=1.0))


def _add_force(command: Command, scene: Scene, rng: random.Random) -> Edit:
    kind = _any(FORCES, rng).name
    names = {info.name for info in fields_of(FORCES[kind].spec)}
    places = {name: ARGUMENTS[name](scene, rng) for name in ("a", "b", "body", "joint") if name in names}
    return command(scene, kind, **places)


def _add_measure(command: Command, scene: Scene, rng: random.Random) -> Edit:
    ends = {side: {"body": _body(scene, rng)} for side in ("a", "b")}
    return command(scene, rng.choice(["distance", "angle"]), **ends)


def _add_motion(command: Command, scene: Scene, rng: random.Random) -> Edit:
    kind = _any(MOTIONS, rng)
    names = kind.spec.__struct_fields__
    wanted = ("joint", "body", "point", "a", "b")
    places = {name: ARGUMENTS[name](scene, rng) for name in wanted if name in names}
    return command(scene, kind.name, **places)


def _measure_between(command: Command, scene: Scene, rng: random.Random) -> Edit:
    ends = [(_body(scene, rng), _point(scene, rng)) for _ in range(2)]
    return command(scene, _any(MEASURES, rng).name, *ends)


def _part_of(command: Command, scene: Scene, rng: random.Random) -> Edit:
    """Shapes are counted: ask for one that is there."""
    body = _any([body for body in scene.bodies if body.shapes], rng)
    return command(scene, Ref("bodies", body.name), rng.randrange(len(body.shapes)))


def _add_shape(command: Command, scene: Scene, rng: random.Random) -> Edit:
    return command(scene, Ref("bodies", _body(scene, rng)), _any(SHAPES, rng).name)


def _draw_into(command: Command, scene: Scene, rng: random.Random) -> Edit:
    return command(scene, Ref("bodies", _body(scene, rng)), _drawn(scene, rng), _placement(scene, rng))


def _insert_joint(command: Command, scene: Scene, rng: random.Random) -> Edit:
    kind = _any([kind for kind in JOINTS if kind.uses_anchors and kind.name != "lock"], rng).name
    return command(scene, kind, ARGUMENTS["a"](scene, rng), ARGUMENTS["b"](scene, rng))


def _couple(command: Command, scene: Scene, rng: random.Random) -> Edit:
    kind = rng.choice(["gear", "belt", "rack_pinion", "coupler"])
    return command(scene, kind, ARGUMENTS["joints"](scene, rng))


def _set_members(command: Command, scene: Scene, rng: random.Random) -> Edit:
    return command(scene, Ref("groups", _any(scene.groups, rng).name), _some(scene, rng))


def _change_kind(command: Command, scene: Scene, rng: random.Random) -> Edit:
    return command(scene, Ref("joints", _any(scene.joints, rng).name), _any(JOINTS, rng).name)


def _merge(command: Command, scene: Scene, rng: random.Random) -> Edit:
    """Now and then with a joint beside its own copy."""
    joint = Ref("joints", _any(scene.joints, rng).name)
    if rng.random() < 0.5:
        return command(scene, [Ref("joints", other.name) for other in scene.joints])
    copied = KNOWN["duplicate"](scene, [joint])
    return command(copied.after, [joint, *copied.made])


def _slider_block(command: Command, scene: Scene, rng: random.Random) -> Edit:
    place, planar = np.array([*_point(scene, rng), 0.0][:3]), scene.space == "planar"
    ground = tuple(place[:2]) if planar else tuple(place)
    guide = drawing.Meeting("P", "world", ground, (1.0, 0.0) if planar else (1.0, 0.0, 0.0), "prismatic")
    pin = drawing.Meeting("P", _body(scene, rng), _point(scene, rng)) if rng.random() < 0.5 else None
    return command(scene, place, np.eye(3), guide, pin, length=0.3)


def _with_actuator(scene: Scene, rng: random.Random) -> tuple[Scene, Ref]:
    ends = {"a": ARGUMENTS["a"](scene, rng), "b": Anchor(body=_body(scene, rng), point=_point(scene, rng))}
    after = KNOWN["add_force"](scene, "linear_actuator", **ends).after
    return after, Ref("forces", after.forces[-1].name)


def _line_up(command: Command, scene: Scene, rng: random.Random) -> Edit:
    where = rng.choice(["bodies", "joints"])
    refs = [ref for ref in refs_of(scene) if ref.where == where]
    return command(scene, refs, rng.choice("xyz"))


def _bodies(scene: Scene, rng: random.Random) -> list[Ref]:
    """All of them, or some."""
    refs = [Ref("bodies", body.name) for body in scene.bodies]
    return refs if rng.random() < 0.5 else rng.sample(refs, rng.randrange(len(refs) + 1))


def _move_together(command: Command, scene: Scene, rng: random.Random) -> Edit:
    turned = transform.turn((0.0, 0.0, 1.0), rng.choice([0.0, 0.4, math.pi / 2]))
    shifted = transform.shift(_point(scene, rng))
    return command(scene, _bodies(scene, rng), rng.choice([turned, shifted]))


def _scale(command: Command, scene: Scene, rng: random.Random) -> Edit:
    return command(scene, _bodies(scene, rng), rng.choice([2.0, 0.5, 0.0]), _point(scene, rng))


def _set_aside(command: Command, scene: Scene, rng: random.Random) -> Edit:
    return command(scene, KNOWN["duplicate"](scene, _bodies(scene, rng)), 1.0, None)


SPECIAL: dict[str, Callable[[Command, Scene, random.Random], Edit]] = {
    "set_field": _set_field,
    "change_field": _change_field,
    "set_simulation": _set_simulation,
    "choose_method": lambda command, scene, rng: command(scene, rng.choice(["rk4", "euler", "no such"])),
    "add": _add,
    "add_force": _add_force,
    "add_contact": lambda command, scene, rng: command(scene, _body(scene, rng), _body(scene, rng)),
    "add_floor": lambda command, scene, rng: command(
        scene,
        _body(scene, rng),
        np.array([rng.uniform(-1.0, 1.0) for _ in range(3)]),
        np.array([0.0, 1.0, 0.0]),
    ),
    "add_measure": _add_measure,
    "add_motion": _add_motion,
    "measure_between": _measure_between,
    "remove_shape": _part_of,
    "duplicate_shape": _part_of,
    "add_shape": _add_shape,
    "draw_into": _draw_into,
    "insert_joint": _insert_joint,
    "couple_joints": _couple,
    "set_members": _set_members,
    "change_joint_kind": _change_kind,
    "merge_joints": _merge,
    "slider_block": _slider_block,
    "drive_actuator": lambda command, scene, rng: command(
        *_with_actuator(scene, rng), rng.choice(["motion", "speed", "force"])
    ),
    "align": _line_up,
    "distribute": _line_up,
    "move_together": _move_together,
    "scale": _scale,
    "set_aside": _set_aside,
    "set_in_shapes": lambda command, scene, rng: command(
        scene, _bodies(scene, rng), rng.choice(["radius", "density"]), rng.choice([0.02, "L", -1.0])
    ),
}
KNOWN = commands()
