"""What contacts cost that are far from touching: the same balls on a floor, with pairs far away and without.

    python -m tests.bench.far_contacts

A quarter of the far bodies for each of four balls, which fall, roll and slip on the floor by a group of their
own. One table for elastic and rigid contact followed pair by pair, one for contacts found anew by time
stepping. Processor time, the better of several turns that alternate.
"""

import os
import sys
import time
from typing import Any

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # as the program has it, before NumPy is loaded

import numpy as np

from engine import Scene
from engine.simulation.simulation import Simulation

PAIRS = 1000  # far away
BALLS = 4
TURNS = 4
DURATION = 0.2  # s
DT = 1e-3  # s
AWAY = 20.0  # m
ELASTIC: dict[str, Any] = {"law": "hunt_crossley", "stiffness": 1e6, "restitution": 0.5, "impact_speed": 1.0}
RIGID: dict[str, Any] = {"law": "rigid", "restitution": 0.2, "friction": 0.3}
CASES = {
    "smooth, `rk4`": ("rk4", ELASTIC, True),
    "event-driven, `lagrange/rk4/projection`": ("lagrange/rk4/projection", RIGID, True),
    "time stepping, `moreau_jean`": ("moreau_jean", RIGID, False),
}


def balls(space: str, law: dict[str, Any], far: int, pairwise: bool) -> Scene:
    """Four balls over a floor, and fixed balls far away that they could touch."""
    planar = space == "planar"
    up = 1 if planar else 2
    scene = Scene(space=space, gravity=tuple(-9.81 if a == up else 0.0 for a in range(up + 1)))  # type: ignore[arg-type]
    size = [8.0, 0.2, 0.2] if planar else [8.0, 8.0, 0.2]
    middle = [0.0] * (up + 1)
    middle[up] = -0.1
    scene = scene.with_body("floor", fixed=True, position=middle, shapes=[{"kind": "box", "size": size}])
    ball = {"kind": "sphere", "radius": 0.1}
    for k in range(BALLS):
        place, speed = [0.0] * (up + 1), [0.0] * (up + 1)
        place[0], place[up], speed[0] = 0.5 * k, 0.1 + 0.02 * (k + 1), 0.1
        scene = scene.with_body(f"ball {k}", position=place, velocity=speed, mass=1.0, shapes=[ball])
    for k in range(far):
        place = [0.0] * (up + 1)
        place[0], place[up] = AWAY + 0.3 * (k % 40), 0.3 * (k // 40)
        scene = scene.with_body(f"far {k}", fixed=True, position=place, shapes=[ball])
    everything = scene.with_group("balls", members=[f"bodies.ball {k}" for k in range(BALLS)])
    everything = everything.with_group("floor", members=["bodies.floor"])
    everything = everything.with_force("contact_group", "near", group="balls", other="floor", **law)
    for k in range(BALLS if far else 0):
        if not pairwise and k:
            break
        own = [f"bodies.ball {j}" for j in range(BALLS) if j == k or not pairwise]
        others = [f"bodies.far {j}" for j in range(far) if j % BALLS == k or not pairwise]
        everything = everything.with_group(f"one {k}", members=own).with_group(f"far {k}", members=others)
        everything = everything.with_force(
            "contact_group", f"far {k}", group=f"one {k}", other=f"far {k}", **law
        )
    return everything


def seconds_per_step(simulation: Simulation) -> float:
    simulation.restart()
    begin = time.thread_time()
    while not simulation.done:
        simulation.advance()
    if simulation.status.failed:
        raise RuntimeError(simulation.message)
    return (time.thread_time() - begin) / round(DURATION / DT)


def compared(space: str, case: str, pairs: int) -> tuple[float, float]:
    """Seconds per step without far contacts and with them."""
    method, law, pairwise = CASES[case]
    far = pairs if pairwise else pairs // BALLS
    runs = [
        Simulation(balls(space, law, count, pairwise), method=method, dt=DT, duration=DURATION)
        for count in (0, far)
    ]
    best = np.min([[seconds_per_step(run) for run in runs] for _ in range(TURNS)], axis=0)
    return float(best[0]), float(best[1])


def main() -> None:
    sys.stdout.write(f"| contact | space | without, µs | with {PAIRS} far pairs, µs | each far pair, ns |\n")
    sys.stdout.write("|---|---|---|---|---|\n")
    for case in CASES:
        for space in ("planar", "spatial"):
            alone, more = compared(space, case, PAIRS)
            each = 1e9 * (more - alone) / PAIRS
            sys.stdout.write(f"| {case} | {space} | {1e6 * alone:.1f} | {1e6 * more:.1f} | {each:.0f} |\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
