"""What an honest user builds: sound scenes joined, closed once more, scaled, driven by odd functions of time.

The other mutators make files that are wrong; these are right as files, and it is the mechanics that may be
hard. So a run that nobody doubts is looked at by another way of posing the equations: where both have
converged and are at different places, one of them is silent nonsense.
"""

import copy
import json
import random
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from engine import Scene, SceneError, Trajectory, loads, simulate
from tests.attack.case import GOOD, Case, judged
from tests.attack.scenes import attempt, patience
from tests.attack.sources import sources
from tests.attack.structure import places

Content = dict[str, Any]
LISTS = ("bodies", "joints", "forces", "motions", "parameters", "measures", "traces")
# joints that need nothing but a place on A: B's frame is where A's is at the start, so they are closed
CLOSING = ("revolute", "prismatic", "fixed", "point_on_line", "spherical", "cylindrical", "planar")
# poles, ends of domains, corners and jumps within the first steps
FUNCTIONS = (
    "1/(t - 0.0123)",
    "tan(80*t)",
    "log(0.02 - t)",
    "sqrt(0.0171 - t)",
    "abs(t - 0.01)",
    "max(0, t - 0.013)^0.5",
    "1/(1 + exp(1e4*(0.01 - t)))",
    "sin(1e5*t)",
    "exp(200*t)",
    "sin(3*t)",
    "0.1*t^2",
    "t^0.5",
    "min(t, 0.015)",
    "acos(60*t)",
    "asin(1 + 0*t)",
    "1e-9*sin(t)",
    {"points": [[0, 0], [0.01, 0.02], [0.02, 0.01]], "interpolation": "cubic"},
    {"points": [[0, 0], [0.004, 1], [0.008, 0]], "outside": "periodic"},
    {"points": [[0, 0], [0.02, 0.1]], "outside": "error"},
)
SIZES = (1e-6, 1e-3, 0.3, 3.0, 1e3, 1e6)  # of a watch's spring, of a bridge
OTHER = "generalized_alpha"  # positions and multipliers at once, where the default has accelerations
FINER = (4, 16, 64)  # parts of the scene's step; the last for stiff scenes that hardly move
APART = 0.05  # of the way that was gone: more is another motion
TINY = 1e-6  # m
DOUBTS = ("do not trust", "limit of stability", "jumps")
STEPS = 40


def joined(content: Content, rng: random.Random) -> None:
    """Another scene of the same space beside it, held by a joint or a spring between two of their bodies."""
    same = [text for text in sources().values() if json.loads(text).get("space") == content.get("space")]
    other = json.loads(rng.choice(same))
    names = {item["name"] for key in LISTS for item in other.get(key, ())}
    parts = sorted({item["name"] for item in other.get("parameters", ())}, key=len, reverse=True)
    words = re.compile(rf"\b({'|'.join(map(re.escape, parts))})\b") if parts else None
    for holder, key in list(places(other)):
        if isinstance(holder[key], str) and key not in ("kind", "unit", "space"):
            if holder[key] in names:
                holder[key] = f"{holder[key]}_2"
            elif words:
                holder[key] = words.sub(r"\1_2", holder[key])
    mine = [body["name"] for body in content.get("bodies", ())]
    for key in LISTS:
        content.setdefault(key, []).extend(other.get(key, ()))
    theirs = [body["name"] for body in other.get("bodies", ())]
    if mine and theirs and rng.random() < 0.7:
        _join(content, rng.choice(mine), rng.choice(theirs), rng)


def closed(content: Content, rng: random.Random) -> None:
    """One to three joints more between bodies that are there: loops, locked chains, repeated rows."""
    bodies = [body["name"] for body in content.get("bodies", ())]
    for _ in range(rng.choice((1, 1, 2, 3))):
        if bodies:
            _join(content, rng.choice([*bodies, "world"]), rng.choice(bodies), rng)


def _join(content: Content, a: str, b: str, rng: random.Random) -> None:
    joints, forces = content.setdefault("joints", []), content.setdefault("forces", [])
    planar = content.get("space") == "planar"
    if a == b:
        return
    if rng.random() < 0.3:
        ends = {
            "a": {"body": a, "point": _point(planar, rng)},
            "b": {"body": b, "point": _point(planar, rng)},
        }
        spring = {"kind": "spring", "stiffness": rng.choice((1.0, 1e3, 1e6)), "damping": rng.choice((0, 10))}
        forces.append({"name": f"spring {len(forces)}", **spring, **ends})
    else:
        kind = rng.choice(CLOSING[:4] if planar else CLOSING)
        joint = {"kind": kind, "a": {"body": a, "point": _point(planar, rng)}, "b": {"body": b}}
        joints.append({"name": f"closing {len(joints)}", **joint})


def _point(planar: bool, rng: random.Random) -> list[float]:
    return [rng.choice((0.0, 0.1, -0.2, 0.5)) for _ in range(2 if planar else 3)]


def scaled(content: Content, rng: random.Random) -> None:
    """All lengths, or all masses, of another size: similar mechanisms move alike."""
    factor = rng.choice(SIZES)
    if rng.random() < 0.5:
        for body in content.get("bodies", ()):
            for key in ("mass", "inertia"):
                if key in body:
                    body[key] = _times(body[key], factor)
        return
    for holder, key in list(places(content)):
        if key in ("position", "point", "com", "size", "radius", "length", "velocity"):
            holder[key] = _times(holder[key], factor)
    for body in content.get("bodies", ()):
        if "inertia" in body:
            body["inertia"] = _times(body["inertia"], factor**2)


def _times(value: Any, factor: float) -> Any:
    """Numbers alone: names and expressions stay."""
    if isinstance(value, list):
        return [_times(item, factor) for item in value]
    return value * factor if isinstance(value, int | float) and not isinstance(value, bool) else value


def timed(content: Content, rng: random.Random) -> None:
    """A motion or force by a function of time that has a pole, a corner or an end on its way."""
    function = copy.deepcopy(rng.choice(FUNCTIONS))
    holders = [item for key in ("motions", "forces") for item in content.get(key, ())]
    keys = ("function", "effort", "force", "speed", "components")
    found = [(item, key) for item in holders for key in keys if key in item]
    if found and rng.random() < 0.6:
        item, key = rng.choice(found)
        if isinstance(item[key], list):
            item[key][rng.randrange(len(item[key]))] = function
        else:
            item[key] = function
    elif content.get("bodies"):
        parts: list[Any] = [0.0, 0.0, 0.0]
        parts[rng.randrange(2)] = function
        body = rng.choice(content["bodies"])["name"]
        content.setdefault("forces", []).append(
            {"name": "timed", "kind": "force", "body": body, "components": parts}
        )


def thrown(content: Content, rng: random.Random) -> None:
    """Other velocities, angles and gravity at the start."""
    planar = content.get("space") == "planar"
    for body in content.get("bodies", ()):
        if rng.random() < 0.5:
            body["velocity"] = [rng.uniform(-3.0, 3.0) for _ in range(2 if planar else 3)]
        if rng.random() < 0.3:
            spin = [rng.uniform(-9.0, 9.0) for _ in range(3)]
            body["angular_velocity"] = [0.0, 0.0, spin[2]] if planar else spin
        if planar and rng.random() < 0.2:
            body["angle"] = rng.uniform(-3.2, 3.2)
    if rng.random() < 0.2:
        content["gravity"] = [0.0] * (2 if planar else 3)


def rubbed(content: Content, rng: random.Random) -> None:
    """Friction, a stop, a contact with the ground or a motor of sane numbers on what is there."""
    joints = [j["name"] for j in content.get("joints", ()) if j.get("kind") in ("revolute", "prismatic")]
    kinds = {j["name"]: j.get("kind") for j in content.get("joints", ())}
    bodies = [body["name"] for body in content.get("bodies", ())]
    number = len(content.get("forces", ()))
    forces = content.setdefault("forces", [])
    if bodies and (not joints or rng.random() < 0.3):
        law: Content = rng.choice(({"law": "rigid", "restitution": 0.5}, {"stiffness": 1e5}))
        planar = content.get("space") == "planar"
        deep = [0.0, rng.choice((-0.05, -0.3, -2.0)), 0.0][: 2 if planar else 3]
        ends = {"a": {"body": "world", "point": deep}, "b": {"body": rng.choice(bodies)}}
        ends["a"] |= {} if planar else {"axis": [0.0, 1.0, 0.0]}
        ends["b"]["point"] = [0.0] * len(deep)
        shapes = {"shape_a": "plane", "shape_b": "sphere", "radius_b": 0.05}
        forces.append({"name": f"ground {number}", "kind": "contact", **ends, **shapes, **law})
        if rng.random() < 0.6:
            forces[-1]["friction"] = rng.choice((0.1, 0.6))
        return
    if not joints:
        return
    joint = rng.choice(joints)
    on = {"joint": joint, "coordinate": "angle" if kinds[joint] == "revolute" else "displacement"}
    dry = {"kind": "friction", "kinetic": rng.choice((0.01, 1.0, 100.0)), **on}
    forces.append(
        {
            "name": f"rub {number}",
            **rng.choice(
                (
                    {**dry, "static": dry["kinetic"] * 1.2, "model": "held"},
                    {**dry, "model": "regularised"},
                    {**dry, "static": dry["kinetic"] * 1.2, "model": "lugre", "bristle_stiffness": 1e4},
                    {"kind": "stop", **on, "lower": -0.01, "upper": 0.01, "stiffness": 1e4},
                    {"kind": "stop", **on, "upper": 1e-3, "law": "rigid", "restitution": 0.3},
                    {"kind": "motor", **on, "speed": rng.choice(("5", "sin(9*t)")), "gain": 10.0},
                    {"kind": "motor", **on, "effort": rng.choice((1.0, "-2*v", "-50*x", "1/x"))},
                )
            ),
        }
    )


IDEAS: tuple[Callable[[Content, random.Random], None], ...] = (
    joined,
    closed,
    closed,
    scaled,
    timed,
    thrown,
    rubbed,
    rubbed,
)


def built(rng: random.Random) -> tuple[str, str]:
    """The name of a source and its text after one to three ideas."""
    name = rng.choice(list(sources()))
    content = json.loads(sources()[name])
    for idea in rng.sample(IDEAS, rng.choice((1, 2, 2, 3))):
        idea(content, rng)
    return name, json.dumps(content)


def attacked(cases: int, seed: int, folder: Path, *, first: int = 0) -> Iterator[Case]:
    for number in range(first, cases):
        rng = random.Random(f"plausible {seed} {number}")
        name, text = built(rng)
        yield judged(f"{seed} {number} {name}", lambda text=text: _attempt(text), (SceneError,))


def _attempt(text: str) -> str:
    verdict = attempt(text, None)
    return _two_ways(loads(text), verdict) if verdict in GOOD else verdict


def _two_ways(scene: Scene, verdict: str) -> str:
    """Two ways of posing the equations, with finer and finer steps: they end at one place, or one tells."""
    dt = scene.simulation.dt if isinstance(scene.simulation.dt, float) else 1e-3
    apart = 0.0
    for parts in FINER:
        ends = []
        for method in (None, OTHER):
            run = _run(scene, method, dt / parts, STEPS * dt)
            if run is None:
                return verdict  # refused, doubted, or too slow
            names = [
                f"body.{body.name}.pos.{axis}" for body in scene.bodies if not body.fixed for axis in "xy"
            ]
            ends.append(run.table(names)[[0, -1]])
        way = float(np.ptp(ends[0], axis=0).max())
        apart = float(np.abs(ends[0][-1] - ends[1][-1]).max()) / (way + TINY)
        if apart < APART:
            return verdict
    return f"nonsense: two methods are apart by {apart:.2g} of {way:.2g} m"


def _run(scene: Scene, method: str | None, dt: float, duration: float) -> Trajectory | None:
    try:
        run = simulate(scene, method=method, dt=dt, duration=duration, cancel=patience())
    except SceneError:
        return None
    doubted = any(word in run.message for word in DOUBTS)
    return None if doubted or run.summary()["status"] != "finished" else run
