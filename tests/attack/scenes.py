"""Damaged scenes, as structures and as bytes: read, checked, run by some method, looked at."""

import random
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import numpy as np

from engine import SceneError, check_scene, dumps, loads, simulate
from tests.attack.case import Case, judged
from tests.attack.damage import damaged
from tests.attack.structure import changed
from tests.contract.cases import CASES
from tests.paths import SCENES

# quick ones of both spaces, with loops, springs, motors, motions, rolling and redundant rows
SHIPPED = (
    "pendulum",
    "four_bar",
    "driven_four_bar",
    "spatial_four_bar",
    "slider_crank",
    "spinning_top",
    "bicycle",
)
# one of every way to pose the equations; the rest of a scene is short, so most time goes into compiling
METHODS = (
    "euler",
    "dopri5",
    "null_space/rk4/none",
    "independent_velocities/rk4/none",
    "udwadia_kalaba/rk4/projection",
    "generalized_alpha",
    "hht",
    "bdf2",
    "penalty/rk4/none",
    "radau",
)
STEPS = 40
BROKEN = 1e-2  # of the size of the mechanism: joints open by more are not a motion of this mechanism
LOST = 0.1  # of the energies that take part: more is not a motion of this mechanism


@cache
def sources() -> dict[str, str]:
    """Texts of scenes by name: some that are shipped, and one with each kind of joint, force and motion."""
    found = {name: (SCENES / f"{name}.json").read_text(encoding="utf-8") for name in SHIPPED}
    found |= {f"{case.sort} {case.kind} {case.space}": dumps(case.scene(gravity=True)) for case in CASES}
    return found


def mutated(rng: random.Random) -> tuple[str, str]:
    """The name of a source and its text, damaged."""
    name = rng.choice(SHIPPED) if rng.random() < 0.4 else rng.choice(list(sources()))
    text = sources()[name]
    if rng.random() < 0.2:
        return name, damaged(text.encode(), rng).decode(errors="replace")
    return name, changed(text, rng)


def attacked(cases: int, seed: int, folder: Path, *, first: int = 0) -> Iterator[Case]:
    for number in range(first, cases):
        rng = random.Random(f"{seed} {number}")
        name, text = mutated(rng)
        method = rng.choice(METHODS) if rng.random() < 0.3 else None
        yield judged(
            f"{seed} {number} {name} {method or ''}",
            lambda text=text, method=method: _attempt(text, method),
            (SceneError,),
        )


def _attempt(text: str, method: str | None) -> str:
    scene = loads(text)
    check_scene(scene)
    dt = scene.simulation.dt if isinstance(scene.simulation.dt, float) else 1e-3
    run = simulate(scene, duration=STEPS * dt, method=method)
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
