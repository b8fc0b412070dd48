"""What a stranger writes: extremes, mixed-up references, names that look alike, and odd elements.

`structure.py` changes single values; here a change is a whole idea of what could be wrong with a file. Each
idea is a function of a scene or study as a dictionary; those that find nothing to act on leave it alone.
"""

import copy
import json
import random
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from tests.attack.structure import places

Content = dict[str, Any]
Idea = Callable[[Content, random.Random], None]

NUMBERS: tuple[Any, ...] = (
    1e308,
    -1e308,
    1.7976931348623157e308,
    5e-324,
    2.2e-308,
    -0.0,
    float("nan"),
    float("inf"),
    float("-inf"),
    10**400,
    -(2**63),
    2**63,
    2**31,
    1e-12,
    1e15,
    1e40,
    -1e-40,
    1 + 2**-52,
    True,
    "1e5",
    "0.1 m",
    "1,5",
    "1e400",
    "0x10",
    "٣",  # a digit, but not of ASCII
    "−1",  # a minus, but not of ASCII
)
FACTORS = (1e3, 1e-3, 1e6, 1e-6, 1e12, 1e-12, 1e100, -1.0, 0.0, 1 + 1e-12)
NAMES = (
    "",
    " ",
    "world",
    "t",
    "energy",
    "energy.total",
    "a" * 300,
    "é",
    "e\u0301",  # the same to a reader
    "\u202edetrevni",  # runs from right to left
    "zero\u200bwidth",
    "\U0001f527",
    "line\nbreak",
    "nul\x00",
    "\x1b[31mred",
    "<b>bold</b>",
    "%s%n{0}",
    "../../up",
    "CON",
    "Ⅷ",
    "\udc80",
    "__class__",
    "crank ",
)
EXPRESSIONS = (
    "(" * 300 + "1" + ")" * 300,
    "-" * 3000 + "1",
    "+".join(["t"] * 4000),
    "sin(" * 60 + "t" + ")" * 60,
    "9^9^9^9",
    "1e308*1e308",
    "0/0",
    "1/(t-t)",
    "tan(pi/2+t*1e17)",
    "exp(1e3*t)",
    "sqrt(-1-t)",
    "log(t)",
    "t^t^t",
    "if(t>0,1,0)",
    "t > 0.01",
    "abs(sin(1e9*t))",
    "__import__('os')",
    "t;t",
    "t t",
    "x",
    "v",
    "L1",
    "L99",
    "1 m + 1 s",
    "(t mm)^0.3",
    "\uff54",  # a wide t
    "min()",
    "max(1)",
    "atan2(0*t,0)",
    "5e-324*t/5e-324",
)
TABLES: tuple[Any, ...] = (
    {"points": []},
    {"points": [[0, 0]]},
    {"points": [[0, 0], [0, 1]]},
    {"points": [[1, 0], [0, 1]]},
    {"points": [[0, 0], [5e-324, 1]]},
    {"points": [[0, 0], [1e-13, 1]], "outside": "periodic"},
    {"points": [[0, 0], [1e-3, 1], [2e-3, 0]], "outside": "periodic", "interpolation": "cubic"},
    {"points": [[0, -1e308], [1, 1e308]]},
    {"points": [[0.005, 0], [0.01, 1]], "outside": "error"},
    {"points": [[k * 1e-4, (-1) ** k] for k in range(400)], "interpolation": "cubic"},
    {"points": [[0, "L1"], [1, 2]]},
    {"points": [["t", 0], [1, 2]]},
)
OTHERS: tuple[Any, ...] = (None, [], {}, [[]], [None], {"": {}}, "", 0, False, [[[[[[1]]]]]])
METHODS = ("", "rk4", "moreau_jean", "lagrange/rk4", "lagrange//", "none/none/none", "RK4", "rk4 ", "bdf_dae")
STEPS = (1e-300, 0.0, -1e-3, 1e300, 5e-324, 1e-15, 10.0, "t", "1/0", None)
LENGTHS = (0.0, -1.0, 1e300, 1e-300, 1e18, "1/0", float("inf"), None)


def stranger(text: str, rng: random.Random) -> str:
    """The JSON text after one to three ideas."""
    content = json.loads(text)
    inner = content.get("scene")  # of a study
    for _ in range(rng.choice((1, 1, 2, 3))):
        rng.choice(IDEAS)(inner if isinstance(inner, dict) and rng.random() < 0.5 else content, rng)
    written = json.dumps(content, ensure_ascii=rng.random() < 0.5)
    return rng.choice(FORMS)(written) if rng.random() < 0.08 else written


FORMS: tuple[Callable[[str], str], ...] = (
    lambda text: "\ufeff" + text,
    lambda text: text + text,
    lambda text: text[:-1] + ',"format":"trammel-scene"}',  # a key twice
    lambda text: text.replace(", ", ",,", 1),
    lambda text: "[" * 5000 + text,
    lambda text: text.replace("{", '{"x":', 1),
    lambda text: "// comment\n" + text,
    lambda text: text.replace('"', "'"),
    lambda text: text.replace("0", "00", 3),
    lambda text: text + "\x00",
)


# ideas


def number(content: Content, rng: random.Random) -> None:
    """One number, or a whole vector of them, to an extreme."""
    found = [(holder, key) for holder, key in places(content) if _is_number(holder[key])]
    if not found:
        return
    holder, key = rng.choice(found)
    if isinstance(holder, list) and rng.random() < 0.4:
        holder[:] = [rng.choice(NUMBERS)] * len(holder)
    else:
        holder[key] = rng.choice(NUMBERS)


def unit(content: Content, rng: random.Random) -> None:
    """All numbers of a branch in another unit: millimetres for metres, tonnes for grams."""
    branches = [holder[key] for holder, key in places(content) if isinstance(holder[key], dict | list)]
    branch, factor = rng.choice([content, *branches]), rng.choice(FACTORS)
    for holder, key in places(branch):
        if _is_number(holder[key]):
            with suppress(OverflowError):  # a whole number that another idea made beyond all others
                holder[key] *= factor


def name(content: Content, rng: random.Random) -> None:
    """An odd name, and everywhere that it is referred to, or not."""
    elements = [element for _, element in _elements(content)]
    if not elements:
        return
    element, new = rng.choice(elements), rng.choice(NAMES)
    old = element.get("name")
    element["name"] = new
    if rng.random() < 0.7:
        for holder, key in places(content):
            if holder[key] == old and isinstance(old, str):
                holder[key] = new


def twice(content: Content, rng: random.Random) -> None:
    """Elements of the same name, or the same element under another one, at the same place."""
    lists = [item for item in content.values() if isinstance(item, list) and item]
    if not lists:
        return
    chosen = rng.choice(lists)
    for _ in range(rng.choice((1, 1, 3, 40))):
        copied = copy.deepcopy(rng.choice(chosen))
        if isinstance(copied, dict) and rng.random() < 0.6:
            copied["name"] = f"{copied.get('name', '')}_{rng.randrange(10**6)}"
        chosen.append(copied)


def reference(content: Content, rng: random.Random) -> None:
    """Another name where one stands: of another sort, of itself, of nobody."""
    names = [element.get("name") for _, element in _elements(content)] + ["world", "nobody", "", None, 7]
    found = [(holder, key) for holder, key in places(content) if holder[key] in names[:-3] and key != "name"]
    for holder, key in rng.sample(found, min(len(found), rng.choice((1, 1, 2, 6)))):
        holder[key] = rng.choice(names)


def cycle(content: Content, rng: random.Random) -> None:
    """Parameters that need each other, or very many that need the one before."""
    parameters = _list(content, "parameters")
    kind = rng.randrange(4)
    if kind == 0:
        parameters += [{"name": "ca", "value": "cb"}, {"name": "cb", "value": "ca + 1"}]
    elif kind == 1:
        parameters.append({"name": "me", "value": "me"})
    elif kind == 2:
        parameters += [
            {"name": f"p{i}", "value": f"p{i - 1}*2" if i else 1} for i in range(rng.choice((30, 1100)))
        ]
    else:
        parameters.append({"name": "wide", "value": rng.choice(NUMBERS), "min": 3, "max": -3})
        content["gravity"] = ["wide", "-wide"]


def expression(content: Content, rng: random.Random) -> None:
    """An odd expression or table where a number or a function stands."""
    found = [
        (h, k) for h, k in places(content) if _is_number(h[k]) or k in ("function", "expression", "value")
    ]
    if found:
        holder, key = rng.choice(found)
        holder[key] = copy.deepcopy(rng.choice((*EXPRESSIONS, *EXPRESSIONS, *TABLES)))


def emptied(content: Content, rng: random.Random) -> None:
    """Lists and objects with nothing in them, or nothing instead of them."""
    found = [(holder, key) for holder, key in places(content) if isinstance(holder[key], list | dict)]
    if found:
        holder, key = rng.choice(found)
        holder[key] = copy.deepcopy(rng.choice((type(holder[key])(), *OTHERS)))


def settings(content: Content, rng: random.Random) -> None:
    """Absurd steps, lengths, methods and conditions."""
    chosen = content.setdefault("simulation", {})
    if not isinstance(chosen, dict):
        return
    what = rng.choice(
        ("dt", "duration", "method", "sample_every", "speed", "options", "stop_when", "matrices")
    )
    chosen[what] = {
        "dt": lambda: rng.choice(STEPS),
        "duration": lambda: rng.choice(LENGTHS),
        "method": lambda: rng.choice(METHODS),
        "sample_every": lambda: rng.choice((0, -1, 10**18, 1.5, "2", 10**30)),
        "speed": lambda: rng.choice((*LENGTHS, "fast")),
        "options": lambda: {
            rng.choice(("rho", "penalty", "tolerance", "alpha", "x")): rng.choice(NUMBERS) for _ in range(2)
        },
        "stop_when": lambda: [rng.choice((*EXPRESSIONS, "energy.total - 1", "body.x.pos.x"))],
        "matrices": lambda: rng.choice(("dense", "sparse", "", None)),
    }[what]()


def newcomer(content: Content, rng: random.Random) -> None:
    """One more element of a kind that acts on one side, dry, or by itself, between whatever is there."""
    bodies = [body.get("name") for body in _dicts(content, "bodies")] + ["world"]
    joints = [joint.get("name") for joint in _dicts(content, "joints")] + ["no joint"]
    number = lambda: rng.choice((0.0, 1.0, 0.1, 1e-3, 1e4, -1.0, 1e9, *NUMBERS[:8]))  # noqa: E731
    anchor = lambda: {  # noqa: E731
        "body": rng.choice(bodies),
        **({"point": [number(), number()]} if rng.random() < 0.6 else {}),
        **({"axis": [number(), number(), number()]} if rng.random() < 0.2 else {}),
    }
    on_joint = {"joint": rng.choice(joints), "coordinate": rng.choice(("angle", "displacement", "", "x"))}
    law = {"law": rng.choice(LAWS), "stiffness": number(), "restitution": number(), "exponent": number()}
    shape = lambda: rng.choice(("shapes", "plane", "sphere", "point", "capsule", "bore", "arc", "slot"))  # noqa: E731
    ends = {"a": anchor(), "b": anchor()}
    element: dict[str, Any] = rng.choice(
        (
            {"kind": "contact", **ends, **law, "shape_a": shape(), "shape_b": shape(), "friction": number()}
            | {key: number() for key in ("radius_a", "radius_b", "length_a", "length_b", "bend_a", "bend_b")},
            {"kind": "stop", **on_joint, **law, "lower": number(), "upper": number()},
            {
                "kind": "stop",
                **on_joint,
                **law,
                "lower": number(),
                "against": [{**on_joint, "factor": number()}],
            },
            {"kind": "rope", **ends, **law, "longest": number(), "shortest": rng.choice((None, number()))},
            {
                "kind": "friction",
                **on_joint,
                "kinetic": number(),
                "static": number(),
                "model": rng.choice(DRY),
            }
            | {"stribeck_speed": number(), "bristle_stiffness": number(), "bristle_damping": number()},
            {
                "kind": "friction",
                **on_joint,
                "coefficient": number(),
                "normal": "reaction",
                "radius": number(),
            },
            {"kind": "linear_actuator", **ends, "force": rng.choice((None, number(), *EXPRESSIONS))}
            | {"closed_length": number(), "stroke": number(), "stops": number(), "limit": number()},
            {"kind": "motor", **on_joint, "speed": rng.choice(EXPRESSIONS), "gain": number()},
            {"kind": "bushing", **ends, "stiffness": [number()] * 3, "rotational_stiffness": [number()] * 3},
        )
    )
    for key in rng.sample(list(element), rng.choice((0, 0, 1, 2))):
        if key != "kind":
            del element[key]
    _list(content, "forces").append({"name": f"new{rng.randrange(10**6)}", **element})


LAWS = ("kelvin_voigt", "hertz", "hunt_crossley", "lankarani_nikravesh", "flores", "rigid", "soft")
DRY = ("regularised", "held", "lugre", "dry")


def crowd(content: Content, rng: random.Random) -> None:
    """Races, traces, measures, groups and plots: too many, of nothing, of each other."""
    channels = ("energy.total", "body.x.pos.x", "t", "", "energy", "measure.m0", "\udc80", 5)
    what = rng.choice(("races", "measures", "groups", "traces", "view"))
    if what == "races":
        lane = {
            "name": rng.choice(NAMES[:6]),
            "method": rng.choice(METHODS),
            "dt": rng.choice(STEPS),
            "options": {"rho": rng.choice(NUMBERS)},
            "values": {
                rng.choice(("parameters.L1", "bodies", "", "simulation.dt", "x.y.z.0")): rng.choice(NUMBERS)
            },
        }
        made: Any = [{"name": "r", "lanes": [lane] * rng.choice((0, 1, 2, 9, 100))}]
    elif what == "measures":
        made = [
            {
                "kind": "expression",
                "name": f"m{i}",
                "expression": rng.choice((f"measure.m{1 - i}", *channels[:4], *EXPRESSIONS)),
            }
            for i in range(2)
        ]
    elif what == "groups":
        made = [
            {"name": "g", "members": [rng.choice(("groups.g", "bodies.x", "bodies", "", "joints.A"))] * 3}
        ]
    elif what == "traces":
        made = [
            {
                "name": "p",
                "body": rng.choice(("world", "x", "crank")),
                "point": [0, 0],
                "length": rng.choice(NUMBERS),
            }
        ]
    else:
        plot = {
            "kind": rng.choice(("time", "phase", "spectrum", "", "pie")),
            "channels": [rng.choice(channels)] * rng.choice((0, 1, 300)),
        }
        made = {
            "camera": {"position": [rng.choice(NUMBERS)] * 3, "focus": [0, 0, 0], "up": [0, 0, 0]},
            "box": rng.choice(([[0, 0, 0], [0, 0, 0]], [rng.choice(NUMBERS)] * 6, "box", None)),
            "follow": rng.choice((*NAMES[:4], 3)),
            "plots": {"plots": [plot] * rng.choice((1, 2, 60)), "span": rng.choice(NUMBERS)},
        }
    content[what] = made


IDEAS: tuple[Idea, ...] = (
    number,
    number,
    unit,
    name,
    twice,
    reference,
    reference,
    cycle,
    expression,
    expression,
    emptied,
    settings,
    newcomer,
    newcomer,
    crowd,
)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _list(content: Content, key: str) -> list[Any]:
    """The list of this name, made if there is none; what is no list stays, and another one is given."""
    found = content.setdefault(key, [])
    return found if isinstance(found, list) else []


def _dicts(content: Content, key: str) -> list[Content]:
    return [item for item in _list(content, key) if isinstance(item, dict)]


def _elements(content: Content) -> list[tuple[str, Content]]:
    """All that has a place in a list of the file, with the name of the list."""
    return [
        (key, item)
        for key, items in content.items()
        if isinstance(items, list)
        for item in items
        if isinstance(item, dict)
    ]
