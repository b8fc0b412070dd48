"""Time per step and set-up over the size of a mechanism, and the exponents that fit them.

Three families, at 1 ms: rows of N square four-bars [IFToMM 2015, A02] in space, which have one degree of
freedom and three redundant rows per loop; open chains of N bars on hinges, in space; nets of N × N meshes in
the plane. Times are processor time of one thread, best of several runs, which a busy machine hardly changes.
"""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from engine.compiled.columns import counters as COUNT
from engine.errors import SceneError
from engine.model.files.scene_file import dumps, loads
from engine.simulation.stepping.method_driver import Driver
from engine.solvers.catalogue import Method
from engine.system.assembly.assemble import Start, assemble
from engine.system.compiling.compile import compile_scene
from engine.system.compiling.mechanism import Mechanism
from engine.templates import TEMPLATES

DT = 1e-3  # s
WARM_UP = 10  # steps that are not timed: multistep methods begin with others, the first compiles
PATIENCE = 1.0  # s for them
SLICES, LONGEST_SLICE = 3, 30  # steps: all ends before the first singular configuration of the four-bars
MAX_STEP_TIME = 2.0  # s per step: larger sizes are not tried
RawScene = dict[str, Any]


@dataclass(frozen=True)
class Family:
    """Mechanisms of one kind in all sizes."""

    name: str
    title: str
    unit: str  # what the size counts
    sizes: tuple[int, ...]
    scene: Callable[[int], RawScene]
    bodies: Callable[[int], int]  # by which exponents are fitted


@dataclass(frozen=True)
class Timing:
    """Seconds per step, or of the set-up where there is no method; NaN where it was refused or failed."""

    family: str
    method: str
    size: int
    seconds: float


def _bar(name: str, at: Sequence[float], angle: float, speed: Sequence[float], rate: float) -> RawScene:
    """A round bar of 1 m and 1 kg from its frame along x."""
    return {
        "name": name,
        "position": [*at, 0.0],
        "orientation": {"axis": [0, 0, 1], "angle": angle},
        "velocity": [*speed, 0.0],
        "angular_velocity": [0.0, 0.0, rate],
        "mass": 1.0,
        "com": [0.5, 0.0, 0.0],
        "inertia": [0.00045, 1.0 / 12.0, 1.0 / 12.0],
    }


def _hinge(name: str, a: str, at: Sequence[float], b: str, there: float) -> RawScene:
    """Between a point of `a` and the end of the bar `b` that lies there."""
    points = ([*at, 0.0], [there, 0.0, 0.0])
    ends = [{"body": body, "point": point} for body, point in zip((a, b), points, strict=True)]
    return {"name": name, "kind": "revolute", "a": ends[0], "b": ends[1]}


def _scene(title: str, bodies: list[RawScene], joints: list[RawScene]) -> RawScene:
    return {
        "format": "trammel-scene",
        "version": 1,
        "title": title,
        "space": "spatial",
        "gravity": [0.0, -9.81, 0.0],
        "bodies": bodies,
        "joints": joints,
    }


def row_of_four_bars(n: int) -> RawScene:
    """n + 1 upright cranks, joined by n couplers that move at 1 m/s."""
    cranks = [_bar(f"crank{i}", (i, 0.0), math.pi / 2, (0.0, 0.0), -1.0) for i in range(n + 1)]
    couplers = [_bar(f"coupler{i}", (i, 1.0), 0.0, (1.0, 0.0), 0.0) for i in range(n)]
    joints = [_hinge(f"A{i}", "world", (i, 0.0), f"crank{i}", 0.0) for i in range(n + 1)]
    for i in range(n):
        joints.append(_hinge(f"B{i}", f"crank{i}", (1.0, 0.0), f"coupler{i}", 0.0))
        joints.append(_hinge(f"C{i}", f"crank{i + 1}", (1.0, 0.0), f"coupler{i}", 1.0))
    return _scene(f"Row of {n} four-bars", cranks + couplers, joints)


def chain(n: int) -> RawScene:
    """n bars in one line, each on a hinge at the end of the one before; the first hangs from the world."""
    bars = [_bar(f"bar{i}", (i, 0.0), 0.0, (0.0, 0.0), 0.0) for i in range(n)]
    joints = [_hinge("H0", "world", (0.0, 0.0), "bar0", 0.0)]
    joints += [_hinge(f"H{i}", f"bar{i - 1}", (1.0, 0.0), f"bar{i}", 0.0) for i in range(1, n)]
    return _scene(f"Chain of {n} bars", bars, joints)


def planar_chain(n: int) -> RawScene:
    """The same chain in the plane, where a bar has three velocities and a hinge two rows."""
    raw = chain(n)
    for bar in raw["bodies"]:
        bar |= {key: bar[key][:2] for key in ("position", "velocity", "com")}
        bar |= {"angle": bar.pop("orientation")["angle"], "inertia": bar["inertia"][2:]}
    for joint in raw["joints"]:
        for side in "ab":
            joint[side]["point"] = joint[side]["point"][:2]
    return {**raw, "space": "planar", "gravity": raw["gravity"][:2]}


def net(n: int) -> RawScene:
    """Rows of parallelograms below each other, in the plane: n × n loops, n degrees of freedom."""
    made: RawScene = json.loads(dumps(TEMPLATES["net"].make(count=float(n)).scene))
    return made


FAMILIES = (
    Family(
        "four_bars", "Rows of N four-bars", "loops", (5, 20, 80, 320), row_of_four_bars, lambda n: 2 * n + 1
    ),
    Family("chains", "Open chains of N bars", "bars", (10, 100, 1000), chain, lambda n: n),
    Family("nets", "Nets of N × N meshes", "meshes", (3, 6, 12, 20), net, lambda n: n * (2 * n + 1)),
)


def seconds_per_step(mechanism: Mechanism, begin: Start, method: Method, budget: float) -> float:
    """Best of several slices of one run, within a budget [s]; NaN where the method refuses the mechanism or
    fails.
    """
    try:
        driver = Driver(mechanism, method, dt=DT)
    except SceneError:
        return math.nan
    samples, done = np.zeros((1, driver.width)), 0

    def seconds(steps: int) -> float:
        """Processor time per step of so many intervals of DT, which an adaptive method divides."""
        nonlocal done
        driver.work.counters[COUNT.STEPS] = 0
        clock = time.thread_time()
        status, _ = driver.advance((done + steps) * DT, samples, every=steps + 1)
        spent, done = time.thread_time() - clock, done + steps
        return math.nan if status.failed else spent / max(int(driver.work.counters[COUNT.STEPS]), 1)

    if driver.start(0.0, begin.q, begin.v, begin.angles).failed:
        return math.nan
    seconds(1)  # compiles
    clock, found = time.thread_time(), 0.0
    while done < WARM_UP and time.thread_time() - clock < PATIENCE:
        found = seconds(1)
    if found > MAX_STEP_TIME or math.isnan(found):
        return found
    steps = max(1, min(LONGEST_SLICE, int(budget / SLICES / max(found, 1e-7))))
    return float(np.min([seconds(steps) for _ in range(SLICES)]))


def measure(
    family: Family, methods: Sequence[Method], sizes: Sequence[int], budget: float
) -> Iterator[Timing]:
    """Set-up (load, check, compile, assemble), then every method, size by size; a method that would take too
    long, as the sizes before foretell, is not tried."""
    known: dict[str, list[Timing]] = {}
    assemble(compile_scene(loads(json.dumps(family.scene(1)))))  # compiles
    for n in sizes:
        text = json.dumps(family.scene(n))
        clock = time.thread_time()
        mechanism = compile_scene(loads(text))
        begin = assemble(mechanism)
        yield Timing(family.name, "", n, time.thread_time() - clock)
        for method in methods:
            before = known.setdefault(method.name, [])
            if _foretold(family, before, n) > MAX_STEP_TIME:
                yield Timing(family.name, method.name, n, math.nan)
                continue
            before.append(
                Timing(family.name, method.name, n, seconds_per_step(mechanism, begin, method, budget))
            )
            yield before[-1]


def _foretold(family: Family, before: Sequence[Timing], size: int) -> float:
    """Seconds per step at a size, going on as the last two sizes did; infinite behind a failure."""
    if not before:
        return 0.0
    last = before[-1]
    if math.isnan(last.seconds):
        return math.inf
    slope = max(1.0, exponent(family, before[-2:])) if len(before) > 1 else 1.0
    return float(last.seconds * (family.bodies(size) / family.bodies(last.size)) ** slope)


def exponent(family: Family, timings: Sequence[Timing]) -> float:
    """Slope of log time over the log of the number of bodies; NaN with fewer than two sizes."""
    known = [timing for timing in timings if math.isfinite(timing.seconds)]
    if len(known) < 2:
        return math.nan
    bodies, seconds = [family.bodies(k.size) for k in known], [k.seconds for k in known]
    return float(np.polyfit(np.log(bodies), np.log(seconds), 1)[0])
