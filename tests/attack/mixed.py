"""What a hurried user makes of a sound scene: values and units mixed up, parts of two scenes, odd dimensions.

Every value stays of the type that its place asks for and mostly of the size, so that little of it is refused
as a file: what is wrong is what it means. Templates with any dimensions and values set by their path, too.
"""

import copy
import json
import math
import random
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache, partial
from pathlib import Path
from typing import Any

from engine import TEMPLATES, SceneError, dumps, load_scene, set_value
from engine.elements.contact import CONTACT_LAWS
from engine.templates import TemplateError
from tests.attack.case import Case, judged
from tests.attack.plausible import FUNCTIONS
from tests.attack.scenes import METHODS, attempt
from tests.attack.structure import places
from tests.paths import SCENES

Content = dict[str, Any]
UNITS = (1e3, 1e-3, 1e6, 1e-6, math.degrees(1.0), math.radians(1.0), 9.81, 25.4e-3)
LISTS = ("bodies", "joints", "forces", "motions")
MAX_BYTES = 60_000  # bytes of a scene: larger ones take most of the time and say nothing else
COORDINATES = ("angle", "displacement", "distance")
LAWS = CONTACT_LAWS.names


@cache
def shipped() -> dict[str, str]:
    """Every shipped scene of a usual size, by its name."""
    texts = {file.stem: file.read_text(encoding="utf-8") for file in sorted(SCENES.glob("*.json"))}
    return {name: text for name, text in texts.items() if len(text) < MAX_BYTES}


def attacked(cases: int, seed: int, folder: Path, *, first: int = 0) -> Iterator[Case]:
    for number in range(first, cases):
        rng = random.Random(f"{seed} {number}")
        way = rng.random()
        method = rng.choice(METHODS) if rng.random() < 0.3 else None
        if way < 0.2:
            name = rng.choice(TEMPLATES.names)
            made = partial(_template, name, _dimensions(name, rng), method)
        elif way < 0.35:
            name = rng.choice(list(shipped()))
            made = partial(_set, name, *_path(name, rng), method)
        else:
            name, text = mutated(rng)
            made = partial(attempt, text, method)
        yield judged(f"{seed} {number} {name} {method or ''}", made, (SceneError, TemplateError))


def mutated(rng: random.Random) -> tuple[str, str]:
    """The name of a shipped scene and its text after one to three mistakes."""
    name = rng.choice(list(shipped()))
    content = json.loads(shipped()[name])
    for _ in range(rng.choice((1, 1, 2, 3))):
        with suppress(TypeError, AttributeError, KeyError):  # what was exchanged is no longer a scene
            rng.choice(IDEAS)(content, rng)
    return name, json.dumps(content)


# mistakes


def swapped(content: Content, rng: random.Random) -> None:
    """Two values of one type exchanged: within an element, or between two."""
    found = [(holder, key, _type(holder[key])) for holder, key in places(content) if key != "kind"]
    if not found:
        return
    holder, key, kind = rng.choice(found)
    near = [(h, k) for h, k, other in found if other == kind and (h, k) != (holder, key)]
    near = [(h, k) for h, k in near if k == key or h is holder] or near
    if near:
        other, name = rng.choice(near)
        holder[key], other[name] = copy.deepcopy(other[name]), copy.deepcopy(holder[key])


def mistaken_unit(content: Content, rng: random.Random) -> None:
    """One number, or those of one element, in another unit."""
    elements = [item for where in LISTS for item in content.get(where, ())]
    factor = rng.choice(UNITS)
    branch = rng.choice(elements) if elements and rng.random() < 0.5 else content
    found = [
        (h, k) for h, k in places(branch) if type(h[k]) in (int, float) and k not in ("layer", "version")
    ]
    for holder, key in found if branch is not content else rng.sample(found, min(1, len(found))):
        holder[key] *= factor


def linked(content: Content, rng: random.Random) -> None:
    """A copy of an element that holds another body, or another joint."""
    where = rng.choice(LISTS[1:])
    if not content.get(where):
        return
    copied = copy.deepcopy(rng.choice(content[where]))
    copied["name"] = f"{copied['name']}_again"
    bodies = [body["name"] for body in content.get("bodies", ())] + ["world"]
    joints = [joint["name"] for joint in content.get("joints", ())] or [""]
    for holder, key in list(places(copied)):
        if key == "body" and rng.random() < 0.6:
            holder[key] = rng.choice(bodies)
        elif key == "joint" and rng.random() < 0.6:
            holder[key] = rng.choice(joints)
    content[where].append(copied)


def spliced(content: Content, rng: random.Random) -> None:
    """Elements of another scene that has bodies of the same names, or not."""
    same = [t for t in shipped().values() if json.loads(t).get("space") == content.get("space")]
    other = json.loads(rng.choice(same))
    taken = {item["name"] for where in LISTS for item in content.get(where, ())}
    for where in (*LISTS, "parameters", "measures"):
        for item in other.get(where, ()):
            if rng.random() < 0.7 and item["name"] not in taken:
                content.setdefault(where, []).append(item)


def stopped(content: Content, rng: random.Random) -> None:
    """Stops, ropes, friction and contacts where nobody has thought of them."""
    joints = [joint["name"] for joint in content.get("joints", ())]
    bodies = [body["name"] for body in content.get("bodies", ())]
    size = 3 if content.get("space") != "planar" else 2
    numbers = {
        "law": rng.choice(LAWS),
        "stiffness": 10 ** rng.uniform(2, 9),
        "restitution": rng.choice((0.0, 0.3, 0.7, 1.0)),
    }
    forces = content.setdefault("forces", [])
    kind = rng.choice(("stop", "friction", "rope", "contact"))
    if kind in ("stop", "friction") and joints:
        where = {"joint": rng.choice(joints), "coordinate": rng.choice(COORDINATES)}
        low = rng.uniform(-1.0, 1.0)
        if kind == "stop":
            force = {**where, **numbers, "lower": low, "upper": low + rng.choice((-0.5, 0.0, 1e-6, 0.3, 2.0))}
        else:
            held = {"model": rng.choice(("held", "regularised", "lugre"))}
            force = {
                **where,
                "kinetic": rng.choice((0.0, 0.2, 5.0)),
                "static": rng.choice((0.0, 0.3, 9.0)),
                **held,
            }
    elif bodies:
        ends = [{"body": rng.choice([*bodies, "world"]), "point": [0.0] * size} for _ in range(2)]
        force = {"a": ends[0], "b": ends[1], **numbers}
        if kind == "rope":
            force["longest"] = rng.choice((1e-9, 0.1, 1.0, 100.0))
        else:
            force["friction"] = rng.choice((0.0, 0.3, 3.0))
    else:
        return
    if numbers["law"] == "rigid":
        force.pop("stiffness", None)
    else:
        force.pop("restitution", None)
    forces.append({"kind": kind, "name": f"added_{rng.randrange(10**6)}", **force})


def driven(content: Content, rng: random.Random) -> None:
    """A joint follows what another function says, or two motions move one joint."""
    joints = [joint["name"] for joint in content.get("joints", ())]
    found = [(h, k) for h, k in places(content) if k == "function"]
    function = copy.deepcopy(rng.choice(FUNCTIONS))
    if found and rng.random() < 0.5:
        holder, key = rng.choice(found)
        holder[key] = function
    elif joints:
        motion = {
            "kind": "joint_motion",
            "name": f"added_{rng.randrange(10**6)}",
            "joint": rng.choice(joints),
        }
        content.setdefault("motions", []).append(
            {**motion, "coordinate": rng.choice(COORDINATES), "function": function}
        )


def otherwise_run(content: Content, rng: random.Random) -> None:
    """Other steps, methods, conditions and groups, all of which there are."""
    chosen = content.setdefault("simulation", {})
    names = [body["name"] for body in content.get("bodies", ())]
    what = rng.randrange(4)
    if what == 0:
        chosen["dt"] = 10 ** rng.uniform(-6, 0)
    elif what == 1:
        chosen["sample_every"] = rng.choice((1, 3, 1000))
    elif what == 2 and names:
        chosen["stop_when"] = [f"body.{rng.choice(names)}.pos.x - {rng.uniform(-1, 1):.3f}"]
    elif names:
        members = [f"bodies.{name}" for name in rng.sample(names, min(2, len(names)))]
        content.setdefault("groups", []).append({"name": f"group_{rng.randrange(10**6)}", "members": members})


def turned(content: Content, rng: random.Random) -> None:
    """Gravity of another planet or direction."""
    size = 2 if content.get("space") == "planar" else 3
    content["gravity"] = [rng.choice((0.0, -9.81, 9.81, 274.0, -1e-3)) for _ in range(size)]


IDEAS: tuple[Callable[[Content, random.Random], None], ...] = (
    swapped,
    swapped,
    mistaken_unit,
    linked,
    spliced,
    stopped,
    stopped,
    driven,
    otherwise_run,
    turned,
)


def _type(value: Any) -> Any:
    """What may stand in each other's place."""
    return ("list", len(value)) if isinstance(value, list) else float if type(value) is int else type(value)


# templates and values by their path


def _dimensions(name: str, rng: random.Random) -> dict[str, float]:
    """Some dimensions of a template, inside their range, at its ends or a little beyond."""
    chosen = {}
    for parameter in rng.sample(TEMPLATES[name].parameters, rng.randint(1, len(TEMPLATES[name].parameters))):
        low, high, usual = parameter.low, parameter.high, parameter.default
        chosen[parameter.name] = rng.choice(
            (low, high, usual, usual * 10 ** rng.uniform(-1, 1), rng.uniform(low, high))
        )
    return chosen


def _template(name: str, chosen: dict[str, float], method: str | None) -> str:
    return attempt(dumps(TEMPLATES[name].make(**chosen).scene), method)


def _path(name: str, rng: random.Random) -> tuple[str, Any]:
    """A path of a value as `--set` has it, and a value of its type, or of another place."""
    content = json.loads(shipped()[name])
    where = rng.choice([key for key in (*LISTS, "parameters", "simulation") if content.get(key)])
    branch = content[where]
    path, node = [where], branch
    while isinstance(node, list | dict) and node:
        if isinstance(node, list):
            index = rng.randrange(len(node))
            item = node[index]
            path.append(item["name"] if isinstance(item, dict) and "name" in item else str(index))
        else:
            index = rng.choice(list(node))
            path.append(index)
        node = node[index]
    values = (0, -1, 1e-6, 1e6, "0", "1/0", "L1", "t", "", True, None, [0, 0], node, rng.uniform(-10, 10))
    return ".".join(path), rng.choice(values)


def _set(name: str, path: str, value: Any, method: str | None) -> str:
    return attempt(dumps(set_value(load_scene(SCENES / f"{name}.json"), path, value)), method)
