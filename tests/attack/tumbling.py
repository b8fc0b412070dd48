"""Boxes, spheres and capsules that spin and fall on a floor or into a corner.

Rigid contact with friction, restitution and placing at random, by an event-driven method. Asked are laws that
hold whatever the scene: no energy is won, nothing sinks into anything, and a run that cannot go on says which
contact it is that stops it. What takes long counts as slow, as everywhere in the attack.
"""

import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from engine import Scene, SceneError, Trajectory, simulate
from tests.attack.case import MAX_SECONDS, Case, judged
from tests.attack.clock import computed

Content = dict[str, Any]
METHOD = "lagrange/rk4/projection"
DURATION = 0.7  # s
STEP = 2e-3  # s
REACH = 0.12  # m, of the largest body: nothing overlaps at the start that is so far apart, twice
ROUNDED = 1e-12  # of the energies that take part: what an impact may win
WON = 1e-6  # the same of a step: where slip turns at once, its error is larger than elsewhere
OFF = 1e-4  # and of the balance over the run
SUNK = 1e-6  # m
DOUBTS = ("do not trust",)


def turned(rng: random.Random, planar: bool) -> Content:
    if planar:
        return {"angle": rng.uniform(-3.0, 3.0), "angular_velocity": [0.0, 0.0, rng.uniform(-20.0, 20.0)]}
    axis = [rng.gauss(0.0, 1.0) for _ in range(3)]
    return {
        "orientation": {"axis": axis, "angle": rng.uniform(0.0, 3.0)},
        "angular_velocity": [rng.uniform(-15.0, 15.0) for _ in range(3)],
    }


def shape(rng: random.Random) -> Content:
    kind = rng.choice(("box", "box", "sphere", "capsule"))
    if kind == "box":
        return {"kind": "box", "size": [rng.uniform(0.05, 0.12) for _ in range(3)]}
    if kind == "sphere":
        return {"kind": "sphere", "radius": rng.uniform(0.03, 0.08)}
    return {"kind": "capsule", "radius": rng.uniform(0.03, 0.05), "length": rng.uniform(0.05, 0.1)}


def tumbling(rng: random.Random) -> Scene:
    """3 to 8 bodies over a floor, or over a corner of a floor and walls."""
    planar = rng.random() < 0.4
    up = 1 if planar else 2
    gravity = (0.0, -9.81) if planar else (0.0, 0.0, -9.81)
    scene = Scene(space="planar" if planar else "spatial", gravity=gravity)
    law: Content = {"law": "rigid", "restitution": rng.choice((0.0, rng.uniform(0.0, 0.9)))}
    law["friction"] = rng.choice((0.0, rng.uniform(0.05, 1.0), rng.uniform(0.05, 1.0)))
    law["static_friction"] = law["friction"] * rng.choice((1.0, 1.3))
    walls = [a for a in range(up + 1) if a == up or rng.random() < 0.5]
    for axis in walls:
        at, size = [0.0] * (up + 1), [4.0] * 3
        size[axis] = 0.2
        at[axis] = -0.1 if axis == up else -0.5
        size[2] = 0.2 if planar else size[2]
        scene = scene.with_body(
            f"wall {axis}", fixed=True, position=at, shapes=[{"kind": "box", "size": size}]
        )
    count, wide = rng.randint(3, 8 if planar else 6), 3
    for k in range(count):
        cell = [k % wide, (k // wide) % (1 if planar else 2), k // (wide if planar else 2 * wide)]
        cell = [cell[0], cell[2]] if planar else cell
        place = [2.0 * REACH * (c - (0.0 if a == up else 1.0)) for a, c in enumerate(cell)]
        place[up] += REACH + rng.uniform(0.0, 0.05)
        scene = scene.with_body(
            f"body {k}",
            position=place,
            velocity=[rng.uniform(-2.0, 2.0) for _ in place],
            mass=rng.uniform(0.3, 3.0),
            shapes=[shape(rng)],
            **turned(rng, planar),
        )
    return scene.with_force("contact_group", "all", **law)


def attacked(cases: int, seed: int, folder: Path, *, first: int = 0) -> Iterator[Case]:
    for number in range(first, cases):
        scene = tumbling(random.Random(f"tumbling {seed} {number}"))
        yield judged(f"{seed} {number}", lambda scene=scene: attempt(scene), (SceneError,))


def attempt(scene: Scene) -> str:
    end = computed() + 2.0 * MAX_SECONDS
    return verdict(
        scene, simulate(scene, method=METHOD, dt=STEP, duration=DURATION, cancel=lambda: computed() > end)
    )


def verdict(scene: Scene, run: Trajectory) -> str:
    summary = run.summary()
    if summary["status"] == "cancelled":
        return f"crawls: at t = {run.t[-1]:.3g} s"
    if summary["status"] != "finished":
        names = [item.name for item in (*scene.bodies, *scene.forces)]
        named = any(repr(name) in run.message for name in names)
        return f"stops: {run.message}" if named else f"badly told: {run.message}"
    energy, kinetic = run.channel("energy.total"), run.channel("energy.kinetic")
    scale = float(kinetic.max() + np.ptp(run.channel("energy.potential")))
    losses: Counter[float] = Counter()  # of all contacts of an impact: one may gain what another loses
    for event in run.events:
        losses[event.t] += event.loss
    won, least = float(np.diff(energy).max(initial=0.0)), min(losses.values(), default=0.0)
    if won > WON * scale or least < -ROUNDED * scale:
        return f"nonsense: wins {won:.2g} J in a step, {-least:.2g} J in an event, of {scale:.3g} J"
    off = float(np.abs(run.channel("energy.error")).max())
    if off > OFF * scale:
        return f"nonsense: energy off by {off:.2g} of {scale:.3g} J"
    sunk = -float(run.channel("force.all.gap").min())
    if sunk > SUNK:
        return f"nonsense: sinks by {sunk:.2g} m"
    return "told" if any(word in run.message for word in DOUBTS) else "clean"
