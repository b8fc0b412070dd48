"""A pile of spheres in a box, beside MuJoCo: time per contact and step, and how deep they lie in each other.

    python -m tests.bench.spheres [--mujoco PYTHON] [--spheres 200] [--rounds 3]

PYTHON is an interpreter that has MuJoCo (a virtual environment of its own will do). Both programs begin with
the same spheres, take the same step, let them settle, and then turn by turn are timed over the same number of
steps, by processor time.
"""

import argparse
import json
import subprocess
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np

from engine.model.scene import Scene
from engine.simulation.simulation import Simulation

RADIUS, SIDE, WALL = 0.05, 5, 0.1  # m; spheres along each side of the box
HALF = 1.1 * RADIUS * SIDE
FRICTION, DT = 0.5, 0.002
SETTLE, STEPS, LOOKS = 500, 200, 20


def places(count: int) -> list[list[float]]:
    """A loose grid, a little out of order."""
    random = np.random.default_rng(1)
    found = []
    for k in range(count):
        layer, i, j = k // SIDE**2, k // SIDE % SIDE, k % SIDE
        off = random.uniform(-0.05, 0.05, 2)
        x, y = ((n - 0.5 * (SIDE - 1)) * 2.15 * RADIUS + o * RADIUS for n, o in zip((i, j), off, strict=True))
        found.append([float(x), float(y), RADIUS * (1.2 + 2.2 * layer)])
    return found


def tall(count: int) -> float:
    return 2.2 * RADIUS * (count / SIDE**2 + 4.0)


def pile(count: int) -> Scene:
    """Spheres of 1 kg in an open box."""
    high, wide = tall(count), 2.0 * (HALF + WALL)
    boxes = [{"kind": "box", "size": [wide, wide, WALL], "position": [0.0, 0.0, -0.5 * WALL]}]
    for axis in (0, 1):
        for side in (-1.0, 1.0):
            size, place = [wide, wide, high], [0.0, 0.0, 0.5 * high]
            size[axis], place[axis] = WALL, side * (HALF + 0.5 * WALL)
            boxes.append({"kind": "box", "size": size, "position": place})
    scene = Scene(space="spatial").with_body("box", fixed=True, shapes=boxes)
    for k, place in enumerate(places(count)):
        scene = scene.with_body(
            f"sphere {k}",
            position=place,
            mass=1.0,
            inertia=[0.4 * RADIUS**2] * 3,
            shapes=[{"kind": "sphere", "radius": RADIUS}],
        )
    return scene.with_force("contact_group", "pile", law="rigid", restitution=0.0, friction=FRICTION)


def touching(q: Any) -> Any:
    """Gaps that are used up."""
    p = q.reshape(-1, 7)[:, :3]
    i, j = np.triu_indices(len(p), 1)
    gaps = [np.linalg.norm(p[i] - p[j], axis=1) - 2.0 * RADIUS, p[:, 2] - RADIUS]
    gaps += [HALF - RADIUS - side * p[:, axis] for axis in (0, 1) for side in (-1.0, 1.0)]
    found = np.concatenate(gaps)
    return found[found <= 0.0]


def ours(count: int, rounds: int, options: dict[str, float]) -> dict[str, Any]:
    end = DT * (SETTLE + rounds * STEPS + 10 * LOOKS)
    run = Simulation(pile(count), method="moreau_jean", dt=DT, duration=end, options=options, sample_every=50)
    _to(run, DT * SETTLE)
    seconds = []
    for k in range(rounds):
        clock = process_time()
        _to(run, DT * (SETTLE + (k + 1) * STEPS))
        seconds.append((process_time() - clock) / STEPS)
    contacts, deepest = 0, 0.0
    for k in range(LOOKS):
        _to(run, DT * (SETTLE + rounds * STEPS + 10 * (k + 1)))
        gaps = touching(run.sample[run.driver.layout.q])
        contacts, deepest = contacts + len(gaps), max(deepest, float(-gaps.min(initial=0.0)))
    return {
        "program": "moreau_jean",
        "seconds": min(seconds),
        "contacts": contacts / LOOKS,
        "deepest": deepest,
    }


def _to(run: Simulation, t: float) -> None:
    while not run.done and run.t < t - 0.5 * DT:
        run.advance(t)


def mujoco(python: str, count: int, cone: str) -> dict[str, Any]:
    question = {
        "cone": cone,
        "places": places(count),
        "radius": RADIUS,
        "half": HALF,
        "tall": tall(count),
        "friction": FRICTION,
        "dt": DT,
        "settle": SETTLE,
        "steps": STEPS,
        "looks": LOOKS,
    }
    script = Path(__file__).with_name("mujoco_spheres.py")
    done = subprocess.run(
        [python, str(script)], input=json.dumps(question), capture_output=True, text=True, check=True
    )
    return dict(json.loads(done.stdout))


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--mujoco", default="")
    parser.add_argument("--spheres", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--sweeps", type=float, default=0.0)
    given = parser.parse_args()
    options = {"sweeps": given.sweeps} if given.sweeps else {}
    found = [ours(given.spheres, given.rounds, options)]
    if given.mujoco:
        found += [mujoco(given.mujoco, given.spheres, cone) for cone in ("pyramidal", "elliptic")]
    for run in found:
        each = run["seconds"] / run["contacts"]
        print(  # noqa: T201
            f"{run['program']}: {1e6 * run['seconds']:.0f} µs per step, {run['contacts']:.0f} contacts, "
            f"{1e6 * each:.2f} µs per contact and step, deepest {1e6 * run['deepest']:.1f} µm"
        )


if __name__ == "__main__":
    main()
