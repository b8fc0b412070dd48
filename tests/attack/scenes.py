"""Scenes changed at random, as structures and as bytes; read, checked and run as `trammel run` does it."""

import copy
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from engine import SceneError, check_scene, loads, simulate
from tests.attack.case import Case, judged
from tests.attack.damage import damaged
from tests.paths import SCENES

# quick ones of both spaces, with loops, springs, motors, motions, rolling and redundant rows
SOURCES = (
    "pendulum",
    "four_bar",
    "driven_four_bar",
    "spatial_four_bar",
    "slider_crank",
    "spinning_top",
    "bicycle",
)
NUMBERS: tuple[Any, ...] = (0, -1, 1e-300, 1e300, 1e12, -1e-9, 3.7, float("nan"), float("inf"), 10**40)
TEXTS = (
    "",
    "world",
    "x",
    "t",
    "sqrt(t)",
    "1/t",
    "1/(t-0.01)",
    "(" * 50,
    "nan",
    "A B",
    "\ud800",
    "q" * 5000,
    "2 m",
    "L1*L1",
)
OTHERS: tuple[Any, ...] = (None, True, [], {}, [1, 2], [0, 0, 0], {"a": 1})
STEPS = 40
BROKEN = 1e-2  # of the size of the mechanism: joints open by more are not a motion of this mechanism
LOST = 0.1  # of the energies that take part: more is not a motion of this mechanism


def attacked(cases: int, seed: int, folder: Path, *, first: int = 0) -> Iterator[Case]:
    texts = {name: (SCENES / f"{name}.json").read_text(encoding="utf-8") for name in SOURCES}
    for number in range(first, cases):
        rng = random.Random(f"{seed} {number}")
        name = rng.choice(SOURCES)
        text = _as_bytes(texts[name], rng) if rng.random() < 0.2 else _as_structure(texts[name], rng)
        yield judged(f"{seed} {number} {name}", lambda text=text: _attempt(text), (SceneError,))


def _attempt(text: str) -> str:
    scene = loads(text)
    check_scene(scene)
    dt = scene.simulation.dt if isinstance(scene.simulation.dt, float) else 1e-3
    run = simulate(scene, duration=STEPS * dt)
    summary = run.summary()
    if summary["status"] != "finished":
        return "told" if run.message else f"badly told: {summary['status']}"
    if run.message:
        return "told"
    if not all(np.isfinite(segment.samples).all() for segment in run.segments):
        return "nonsense: not finite"
    # measured here once more, by bounds far above those of the program's own verdict
    places = (run.channel(f"body.{body.name}.pos.{axis}") for body in scene.bodies for axis in "xy")
    size = max(1.0, *(float(np.abs(place).max()) for place in places))
    if summary["violation_position_max"] > BROKEN * size:
        return f"nonsense: violation {summary['violation_position_max']:.3g}"
    energies = [np.ptp(run.channel(name)) for name in ("energy.kinetic", "energy.potential")]
    scale = max(*map(float, energies), 1e-9, 1e-9 * abs(summary["energy_initial"]))
    if summary["energy_error_max"] > LOST * scale and not scene.motions:
        return f"nonsense: energy off by {summary['energy_error_max']:.3g} of {scale:.3g}"
    return "clean"


def _as_bytes(text: str, rng: random.Random) -> str:
    return damaged(text.encode(), rng).decode(errors="replace")


def _as_structure(text: str, rng: random.Random) -> str:
    scene = json.loads(text)
    for _ in range(rng.choice((1, 1, 2, 3))):
        _change(scene, rng)
    return json.dumps(scene)


def _change(scene: Any, rng: random.Random) -> None:
    """One change at a random place: a value, a name, an element more or less."""
    places = list(_places(scene))
    holder, key = rng.choice(places)
    value, kind = holder[key], rng.random()
    if isinstance(value, list) and value and kind < 0.4:
        item = copy.deepcopy(rng.choice(value))
        rng.choice(
            (lambda: value.append(item), lambda: value.remove(rng.choice(value)), lambda: rng.shuffle(value))
        )()
    elif isinstance(value, int | float) and not isinstance(value, bool) and kind < 0.8:
        holder[key] = rng.choice((*NUMBERS, value * rng.uniform(-2.0, 2.0), value * (1.0 + 1e-6), str(value)))
    elif isinstance(value, str) and kind < 0.8:
        others = [other[name] for other, name in places if isinstance(other[name], str)]
        holder[key] = rng.choice((*TEXTS, *rng.sample(others, min(8, len(others)))))
    elif kind < 0.9:
        holder[key] = copy.deepcopy(rng.choice((*NUMBERS, *TEXTS, *OTHERS)))
    elif isinstance(holder, dict):
        del holder[key]
    else:
        holder.insert(key, copy.deepcopy(value))


def _places(node: Any) -> Iterator[tuple[Any, Any]]:
    """Every holder and key or index below a node."""
    for key in list(node) if isinstance(node, dict) else range(len(node)):
        yield node, key
        if isinstance(node[key], dict | list):
            yield from _places(node[key])
