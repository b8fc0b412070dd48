"""The same mechanism said otherwise: other names, order, frames, masses, halves of bodies and springs.

Nothing is damaged here, and nothing of what is computed is taken for granted: two files that say the same
must be refused alike and move alike, whatever the program makes of either.
"""

import copy
import json
import random
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from scipy.spatial.transform import Rotation

from engine import TEMPLATES, SceneError, Trajectory, dumps, loads, resolve, simulate
from tests.attack.case import GOOD, Case, judged
from tests.attack.mixed import shipped
from tests.attack.plausible import DOUBTS, built
from tests.attack.scenes import METHODS, patience
from tests.attack.sources import sources
from tests.attack.structure import places

Content = dict[str, Any]
STEPS = 80
FINER = (1, 4, 16)  # parts of the scene's step: what differs by the error of the method comes together
APART = 1e-3  # of the way that was gone: more is another motion
NOISE = 1e-9  # of the size, and of how far the mechanism is taken away
ASSEMBLED = 1e-9  # m from the given pose
FAR = 2.0  # m
CHOICE = "simulation.method"  # there are methods for trees alone, and a joint that stands twice closes a loop
MOST_STORED = 8  # bodies: the wrong kind of matrices for more takes long
MOVED = "assembly moved"  # which of several poses or velocities are next depends on masses and frames
GRAVITY = {"planar": [0.0, -9.81], "spatial": [0.0, 0.0, -9.81]}
NAMED = ("bodies", "joints", "forces", "motions")
TEXTS = (
    "kind",
    "law",
    "model",
    "coordinate",
    "level",
    "frame",
    "normal",
    "hold",
    "point",
    "method",
    "function",
)
EFFORTS = (
    "stiffness",
    "damping",
    "preload",
    "force",
    "torque",
    "components",
    "effort",
    "gain",
    "limit",
    "stops",
)
ELASTIC = ("spring", "rotational_spring", "bushing", "force", "torque", "motor", "linear_actuator")
MASSES = (1e-3, 7.0, 1e3)
PERMANENT = ("revolute", "prismatic", "fixed", "spherical", "cylindrical", "planar", "universal")


@dataclass
class Same:
    """How the second scene is to be compared with the first."""

    names: dict[str, str] = field(default_factory=dict)  # of bodies, old → new
    turned: Rotation = field(default_factory=Rotation.identity)
    shift: Any = 0.0  # m
    exact: bool = False  # bit by bit


Way = Callable[[Content, random.Random], Same | None]  # None: there is nothing to be said otherwise


def attacked(cases: int, seed: int, folder: Path, *, first: int = 0) -> Iterator[Case]:
    for number in range(first, cases):
        rng = random.Random(f"alike {seed} {number}")
        name, content = _sound(rng)
        method = rng.choice(METHODS) if rng.random() < 0.4 else None
        way = rng.choice(WAYS)
        other = copy.deepcopy(content)
        same = way(other, rng)
        yield judged(
            f"{seed} {number} {name} {way.__name__} {method or ''}",
            lambda a=content, b=other, s=same, m=method: _compared(a, b, s, m) if s else "clean",
            (SceneError,),
        )


def _sound(rng: random.Random) -> tuple[str, Content]:
    """A scene with numbers in place of parameters, without what only the window shows."""
    kind = rng.random()
    if kind < 0.6:
        pool = rng.choice((shipped(), sources()))
        name = rng.choice(list(pool))
        text = pool[name]
    elif kind < 0.75:
        name = rng.choice(TEMPLATES.names)
        text = dumps(TEMPLATES[name].make().scene)
    else:
        name, text = built(rng)
    content: Content = json.loads(text)
    with suppress(SceneError):  # an unsound scene stays as it is
        content = json.loads(dumps(resolve(loads(text))))
        content.pop("parameters", None)
    for key in ("view", "races", "traces", "measures"):
        content.pop(key, None)
    content.setdefault("simulation", {}).pop("stop_when", None)
    return name, content


# comparison


def _compared(one: Content, other: Content, same: Same, method: str | None) -> str:
    dt = float(one["simulation"].get("dt", 1e-3))
    verdict = "clean"
    for parts in FINER:
        pair = [_run(content, method, dt / parts, STEPS * dt) for content in (one, other)]
        runs = [run for run in pair if isinstance(run, Trajectory)]
        if len(runs) < len(pair):
            refused = [answer for answer in pair if isinstance(answer, str)]
            both = len(refused) == len(pair) or CHOICE in refused[0]
            return "told" if both else f"nonsense: one is refused: {refused[0][:200]}"
        if any(run.summary()["status"] != "finished" or _doubted(run) for run in runs):
            return "told"
        verdict = _apart(one, same, *runs)
        if verdict in GOOD or same.exact:
            break
    return verdict


def _run(content: Content, method: str | None, dt: float, duration: float) -> Trajectory | str:
    try:
        scene = loads(json.dumps(content))
        return simulate(scene, method=method, dt=dt, duration=duration, cancel=patience())
    except SceneError as error:
        return str(error)


def _doubted(run: Trajectory) -> bool:
    return any(word in run.message for word in (*DOUBTS, MOVED))


def _apart(content: Content, same: Same, one: Trajectory, other: Trajectory) -> str:
    names = [body["name"] for body in content["bodies"] if not body.get("fixed")]
    path = _path(one, names)
    given = [
        [*body.get("position", ()), 0.0, 0.0, 0.0][:3] for body in content["bodies"] if not body.get("fixed")
    ]
    if np.abs(path[0] - np.array(given, dtype=float).reshape(-1, 3)).max(initial=0.0) > ASSEMBLED:
        return "told"  # the pose that is next depends on how many bodies there are
    end = _path(other, [same.names.get(name, name) for name in names])[-1]
    end = same.turned.inv().apply(end - same.shift) if len(names) else end
    apart = float(np.abs(path[-1] - end).max(initial=0.0))
    way = float(np.ptp(path, axis=0).max(initial=0.0))
    noise = 0.0 if same.exact else APART * way + NOISE * (FAR + float(np.abs(path).max(initial=0.0)))
    return "clean" if apart <= noise else f"nonsense: apart by {apart:.3g} of {way:.3g} m"


def _path(run: Trajectory, names: list[str]) -> Any:
    """Origins of bodies, shape (samples, bodies, 3)."""
    known = set(run.names())
    channels = [f"body.{name}.pos.{axis}" for name in names for axis in "xyz"]
    columns = [run.channel(name) if name in known else np.zeros(len(run.t)) for name in channels]
    return np.stack(columns, axis=1).reshape(len(run.t), -1, 3) if columns else np.zeros((1, 0, 3))


# ways


def reordered(content: Content, rng: random.Random) -> Same:
    for key in NAMED:
        rng.shuffle(content.get(key, []))
    return Same()


def renamed(content: Content, rng: random.Random) -> Same:
    """All elements, and wherever they are referred to."""
    items = [item for key in (*NAMED, "groups") for item in content.get(key, ())]
    names: dict[str, str] = {}
    for item in items:
        names.setdefault(item["name"], f"{rng.choice('zaQ_')}{len(names)}")
    for holder, key in list(places([content.get(key, []) for key in (*NAMED, "groups")])):
        if isinstance(holder, dict) and set(holder) == {"name", "position"}:
            continue  # a point of a body
        if isinstance(holder[key], str) and key not in TEXTS:
            where, dot, name = holder[key].rpartition(".")
            holder[key] = f"{where}{dot}{names.get(name, name)}" if name in names else holder[key]
    return Same(names)


def expressed(content: Content, rng: random.Random) -> Same:
    """Numbers as parameters."""
    found = [
        (holder, key)
        for where in ("bodies", "joints", "forces")
        for holder, key in places(content.get(where, []))
        if type(holder[key]) is float and key not in ("opacity", "scale")
    ]
    chosen = rng.sample(found, min(len(found), 30))
    values = [{"name": f"number_{i}", "value": holder[key]} for i, (holder, key) in enumerate(chosen)]
    content["parameters"] = [*content.get("parameters", []), *values]
    for value, (holder, key) in zip(values, chosen, strict=True):
        holder[key] = value["name"]
    return Same(exact=True)


def sampled(content: Content, rng: random.Random) -> Same:
    content["simulation"]["sample_every"] = rng.choice((2, 4, 5, 20, STEPS))
    return Same(exact=True)


def stored(content: Content, rng: random.Random) -> Same | None:
    """Matrices of one kind or the other."""
    if len(content.get("bodies", ())) > MOST_STORED:
        return None
    content["simulation"]["matrices"] = rng.choice(("dense", "sparse"))
    return Same()


def grounded(content: Content, rng: random.Random) -> Same | None:
    """A fixed body in place of the world."""
    if any(joint["kind"] == "lock" for joint in content.get("joints", ())):
        return None
    for holder, key in list(places([content.get(key, []) for key in NAMED[1:]])):
        if key == "body" and holder[key] == "world":
            holder[key] = "ground"
    inertia = [1.0] if content.get("space") == "planar" else [1.0] * 3
    content["bodies"].insert(0, {"name": "ground", "fixed": True, "mass": 1.0, "inertia": inertia})
    return Same()


def taken_away(content: Content, rng: random.Random) -> Same | None:
    """All of it somewhere else and turned, gravity too."""
    forces, planar = content.get("forces", ()), content.get("space") == "planar"
    if any(motion["kind"] == "body_motion" for motion in content.get("motions", ())):
        return None
    if any(f.get("application") or (f["kind"] in ("force", "torque") and not planar) for f in forces):
        return None
    if any(f["kind"] == "force" and f.get("frame", "world") == "world" for f in forces):
        return None
    if grounded(content, rng) is None:
        return None
    size, angle = 2 if planar else 3, rng.uniform(-3.0, 3.0)
    shift = np.array([rng.uniform(-FAR, FAR) for _ in range(size)] + [0.0] * (3 - size))
    axis = np.array([0.0, 0.0, 1.0] if planar else [rng.gauss(0.0, 1.0) for _ in range(3)])
    turned = Rotation.from_rotvec(axis / np.linalg.norm(axis) * angle)

    def placed(vector: list[float], shift: Any = 0.0) -> list[float]:
        whole = np.array([*map(float, vector), 0.0][:3])
        return [float(x) for x in (turned.apply(whole) + shift)[:size]]

    content["gravity"] = placed(content.get("gravity") or GRAVITY[content.get("space", "spatial")])
    for body in content["bodies"]:
        body["position"] = placed(body.get("position") or [0.0] * size, shift)
        if planar:
            body["angle"] = float(body.get("angle", 0.0)) + angle
        else:
            x, y, z, w = (turned * _orientation(body.get("orientation"))).as_quat()
            body["orientation"] = [float(w), float(x), float(y), float(z)]
            spin = body.get("angular_velocity") or [0.0] * 3
            body["angular_velocity"] = placed(spin)
        body["velocity"] = placed(body.get("velocity") or [0.0] * size)
    return Same(turned=turned, shift=shift)


def _orientation(given: Any) -> Rotation:
    if isinstance(given, dict):
        axis = np.array(given["axis"], dtype=float)
        return Rotation.from_rotvec(axis / np.linalg.norm(axis) * float(given["angle"]))
    w, x, y, z = given or (1.0, 0.0, 0.0, 0.0)
    return Rotation.from_quat([x, y, z, w])


def heavier(content: Content, rng: random.Random) -> Same | None:
    """All masses and all that pushes them: nothing moves otherwise."""
    factor = rng.choice(MASSES)
    bodies, forces = content["bodies"], content.get("forces", ())
    if any(force["kind"] not in ELASTIC for force in forces) or content["simulation"].get("options"):
        return None
    if any(body.get("mass") is None for body in bodies):
        return None
    for item, keys in [
        *((force, EFFORTS) for force in forces),
        *((body, ("mass", "inertia")) for body in bodies),
    ]:
        for key in (*keys, "rotational_stiffness", "rotational_damping"):
            if item.get(key) is not None:
                item[key] = _times(item[key], factor)
    return Same()


def _times(value: Any, factor: float) -> Any:
    """Numbers, vectors, functions and tables."""
    if isinstance(value, dict):
        return {**value, "points": [[t, _times(y, factor)] for t, y in value["points"]]}
    if isinstance(value, list):
        return [_times(item, factor) for item in value]
    return f"{factor}*({value})" if isinstance(value, str) else value * factor


def halved(content: Content, rng: random.Random) -> Same | None:
    """One body becomes two halves at one place, which are welded together."""
    able = [b for b in content["bodies"] if b.get("mass") and b.get("inertia") and not b.get("fixed")]
    if not able:
        return None
    body = rng.choice(able)
    body |= {key: _times(body[key], 0.5) for key in ("mass", "inertia")}
    half = {key: value for key, value in body.items() if key not in ("shapes", "points")} | {"name": "half"}
    content["bodies"].append(half)
    weld = {"kind": "fixed", "name": "weld", "a": {"body": body["name"]}, "b": {"body": "half"}}
    content.setdefault("joints", []).append(weld)
    return Same()


def repeated(content: Content, rng: random.Random) -> Same | None:
    """A joint twice at one place: nothing can move otherwise."""
    able = [joint for joint in content.get("joints", ()) if joint["kind"] in PERMANENT]
    if not able:
        return None
    copied = copy.deepcopy(rng.choice(able)) | {"name": "again"}
    copied.pop("start", None)
    content["joints"].append(copied)
    return Same()


def in_parallel(content: Content, rng: random.Random) -> Same | None:
    """Two springs of half the strength in place of one."""
    able = [force for force in content.get("forces", ()) if force["kind"] in ("spring", "rotational_spring")]
    if not able:
        return None
    spring = rng.choice(able)
    keys = [key for key in EFFORTS if spring.get(key) is not None]
    spring |= {key: _times(spring[key], 0.5) for key in keys}
    content["forces"].append(copy.deepcopy(spring) | {"name": "half"})
    return Same()


def turned_round(content: Content, rng: random.Random) -> Same | None:
    """Both ends of what has two points exchanged."""
    able = [f for f in content.get("forces", ()) if f["kind"] in ("spring", "rope", "linear_actuator")]
    for force in able:
        force["a"], force["b"] = force["b"], force["a"]
    return Same() if able else None


def accompanied(content: Content, rng: random.Random) -> Same | None:
    """One more body, far away and held by nothing."""
    if any(force["kind"] == "contact_group" for force in content.get("forces", ())):
        return None
    planar = content.get("space") == "planar"
    place = {
        "position": [50.0, 3.0] if planar else [50.0, 3.0, 1.0],
        "inertia": [1.0] if planar else [1.0] * 3,
    }
    content["bodies"].insert(0, {"name": "companion", "mass": 1.0, **place})
    return Same()


WAYS: tuple[Way, ...] = (
    reordered,
    renamed,
    expressed,
    sampled,
    stored,
    grounded,
    taken_away,
    taken_away,
    heavier,
    halved,
    repeated,
    in_parallel,
    turned_round,
    accompanied,
)
