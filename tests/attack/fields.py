"""Every value of every kind of element by itself: another type, nothing, extremes, odd functions.

The other mutators change what stands in a file; here a scene is written with all its defaults, so that each
field of each kind gets its turn, while all others stay sound. The same values are given to a run that is on
its way, as the inspector does.
"""

import copy
import json
import random
from collections.abc import Callable, Iterator
from functools import cache, partial
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from engine import Scene, SceneError, loads
from engine.elements.drivers import MOTIONS
from engine.elements.fields import fields_of
from engine.elements.forces import FORCES
from engine.elements.joints import JOINTS
from engine.maths.opcodes import MACROS, OPERATIONS, OPERATORS
from engine.simulation.simulation import Simulation
from tests.attack.case import Case, judged
from tests.attack.scenes import METHODS, attempt, patience
from tests.attack.sources import sources

Place = tuple[Any, ...]
LIVE = 0.25  # share of the cases in which a run has the value while it goes on
STEPS = 20  # before and after that
TYPES: tuple[Any, ...] = (
    None,
    True,
    False,
    "",
    " ",
    "0",
    "nobody",
    "world",
    "Größe 1",
    "\u202e1",
    "1 m",
    "1 rad/s",
    "t",
    "x",
    "v",
    "x*v",
    "1/x",
    "sqrt(v)",
    "\x00",
    "'",
    [],
    [0],
    [0, 0],
    [0, 0, 0],
    [0, 0, 0, 0],
    [[0, 1], [1, 0]],
    [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
    [None, None, None],
    ["a", "b", "c"],
    [float("nan")] * 3,
    {},
    {"kind": "x"},
    {"body": "world"},
)
TABLES: tuple[Any, ...] = (
    {"points": [[0, 0], [1, 1]]},
    {"points": [[0, 0], [0.005, 1], [0.0050001, -1], [1, 0]]},
    {"points": [[0, 0], [0.005, 1], [0.005, -1], [1, 0]]},
    {"points": [[0, 1e300], [1, -1e300]], "interpolation": "cubic"},
    {"points": [[0, 0], [0.01, 0.1], [0.02, 0]], "outside": "periodic"},
    {"points": [[0.001, 0.5], [0.01, 0.1]]},
    {"points": [[-1, 0.5], [0.01, 0.1]], "outside": "error"},
)
POWERS = (
    -323,
    -308,
    -200,
    -155,
    -100,
    -30,
    -17,
    -15,
    -12,
    -9,
    -6,
    -3,
    0,
    3,
    6,
    9,
    12,
    15,
    17,
    30,
    100,
    155,
    200,
    308,
)
# of functions, about the ends of their domains and within the first steps
ARGUMENTS = (
    "0*t",
    "t",
    "-t",
    "t - 0.01",
    "0.01 - t",
    "100*t",
    "-100*t",
    "1 + t",
    "-1 - t",
    "1 - 1e-17*t",
    "1e-300*t",
    "1e300*t",
    "1e-5/(t + 1e-5)",
    "floor(200*t)",
    "(t > 0.01)",
    "1e6*t",
    "pi/2 + 0*t",
    "-pi + 100*t",
)
CONSTANTS = ("0", "1", "-1", "1e-300", "1e300", "0.5", "-0.5", "1e-17", "710", "pi/2", "1/3", "-0.0")


@cache
def whole(name: str) -> Any:
    """A source with all its defaults, as plain data; the view is none of the engine's."""
    content = json.loads(msgspec.json.encode(loads(sources()[name])))
    content["view"] = {}
    content["simulation"]["duration"] = 1.0
    return content


@cache
def fields(name: str) -> tuple[Place, ...]:
    """The path of every value of a source, whole elements among them."""
    return tuple(_paths(whole(name), ()))


def _paths(node: Any, path: Place) -> Iterator[Place]:
    for key in node if isinstance(node, dict) else range(len(node)):
        yield (*path, key)
        if isinstance(node[key], dict | list):
            yield from _paths(node[key], (*path, key))


@cache
def of_time() -> frozenset[str]:
    """Names of the fields that take functions."""
    kinds = (kind.spec for kinds in (FORCES, MOTIONS, JOINTS) for kind in kinds)
    return frozenset(f.name for spec in kinds for f in fields_of(spec) if f.role == "function")


def wrong(value: Any, key: Any, rng: random.Random) -> Any:
    """Another value in the place that `key` names."""
    kind = rng.random()
    if key in of_time() and rng.random() < 0.6:
        return copy.deepcopy(rng.choice(TABLES)) if kind < 0.2 else function(rng, ARGUMENTS)
    if isinstance(value, float) and rng.random() < 0.6:
        kind = 0.3 if kind < 0.7 else 0.7
    if kind < 0.3:
        return copy.deepcopy(rng.choice((*TYPES, *TABLES)))
    if kind < 0.55:
        size = 10.0 ** rng.choice(POWERS) * rng.choice((1.0, 1.7, 3.0))
        number = rng.choice((size, -size, size, round(size) if size < 1e30 else size))
        return [number] * len(value) if isinstance(value, list) and rng.random() < 0.7 else number
    if kind < 0.6:
        return function(rng, ARGUMENTS)
    if kind < 0.75:
        return function(rng, CONSTANTS)
    shapes: tuple[Callable[[Any], Any], ...] = (
        lambda v: [v],
        lambda v: {"value": v},
        lambda v: str(v),
        lambda v: f"({v})",
        lambda v: f"{v} mm",
        lambda v: [v, v],
        lambda v: [[v, v], [v, v]],
        lambda v: v * 2 if isinstance(v, str | list) else v,
        lambda v: v[1:] if isinstance(v, str | list) else -1,
        lambda v: v[::-1] if isinstance(v, str | list) else 0.1,
        lambda v: v.upper() if isinstance(v, str) else v,
        lambda v: -v if isinstance(v, float) else v,
        lambda v: v * (1.0 + 1e-15) if isinstance(v, float) else v,
        lambda v: _nested(v, rng.choice((5, 60, 400))),
        lambda v: rng.choice((v, "a", 0)) if isinstance(v, dict) else [v] * rng.choice((7, 3000)),
    )
    return rng.choice(shapes)(copy.deepcopy(value))


def _nested(value: Any, depth: int) -> Any:
    for _ in range(depth):
        value = [value]
    return value


def function(rng: random.Random, arguments: tuple[str, ...]) -> str:
    """A call of one or two functions, or an operator, about the ends of their domains."""
    names = [name for name in OPERATIONS if name not in OPERATORS]
    signs = [name for name in OPERATORS if name not in ("neg", "not")]

    def one(depth: int) -> str:
        if depth and rng.random() < 0.3:
            return made(depth - 1)
        return rng.choice(arguments)

    def made(depth: int) -> str:
        kind = rng.random()
        if kind < 0.25:
            return f"({one(depth)}) {rng.choice(signs)} ({one(depth)})"
        if kind < 0.45:
            name, count = rng.choice(list(MACROS))
        else:
            name = rng.choice(names)
            count = OPERATIONS[name].arity
        return f"{name}({', '.join(one(depth) for _ in range(count))})"

    return made(1)


def changed(name: str, rng: random.Random) -> tuple[Any, str]:
    """A source with one value changed, and its path."""
    content = copy.deepcopy(whole(name))
    path = rng.choice(fields(name))
    if rng.random() < 0.5:  # rather a value of the kind that the source is about
        own = [p for p in fields(name) if p[0] in ("forces", "joints", "motions")]
        path = rng.choice(own or [path])
    node = content
    for key in path[:-1]:
        node = node[key]
    key = next(part for part in reversed(path) if isinstance(part, str))
    node[path[-1]] = wrong(node[path[-1]], key, rng)
    return content, ".".join(map(str, path))


def attacked(cases: int, seed: int, folder: Path, *, first: int = 0) -> Iterator[Case]:
    for number in range(first, cases):
        rng = random.Random(f"fields {seed} {number}")
        name = rng.choice(list(sources()))
        content, path = changed(name, rng)
        method = rng.choice(METHODS) if rng.random() < 0.2 else None
        text = json.dumps(content)
        live = rng.random() < LIVE
        made = partial(_lived, name, text) if live else partial(attempt, text, method)
        yield judged(f"{seed} {number} {name} {'live ' * live}{path} {method or ''}", made, (SceneError,))


def _lived(name: str, text: str) -> str:
    """The run of the sound scene goes on with the value, or begins anew, as it is in the window."""
    sound = loads(json.dumps(whole(name)))
    dt = float(sound.simulation.dt)
    run, cancelled = Simulation(sound), patience()
    _go(run, STEPS * dt, cancelled)
    edited: Scene = loads(text)
    if not run.refill(edited):
        run = Simulation(edited)
    _go(run, 2 * STEPS * dt, cancelled)
    run.cancel()
    whole_run = run.trajectory(timed=False)
    if whole_run.status.failed or whole_run.accuracy_warning:
        return "told" if whole_run.message else "badly told: failed without a word"
    finite = all(np.isfinite(segment.samples).all() for segment in whole_run.segments)
    return "clean" if finite else "nonsense: not finite"


def _go(run: Simulation, until: float, cancelled: Callable[[], bool]) -> None:
    while not run.done and run.t < until and not cancelled():
        run.advance(until)
