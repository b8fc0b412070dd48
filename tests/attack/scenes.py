"""Damaged scenes, as structures and as bytes: read, checked, run by some method, looked at."""

import random
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

from engine import Scene, SceneError, check_scene, loads, simulate
from engine.analyses.kinematics.curve_family import curve_family, family_values
from engine.benchmarks.racing.entry import entry_of
from tests.attack.case import Case, judged
from tests.attack.clock import computed
from tests.attack.damage import damaged
from tests.attack.extremes import stranger
from tests.attack.sources import FULL, SHIPPED, sources
from tests.attack.structure import changed, detuned

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
    "recursive/rk4/none",
    "radau",
)
STEPS = 40
PATIENCE = 1.5  # s of processor time, then the run is cancelled; it must end
BROKEN = 1e-2  # of the size of the mechanism: joints open by more are not a motion of this mechanism
LOST = 0.1  # of the energies that take part: more is not a motion of this mechanism


def mutated(rng: random.Random) -> tuple[str, str]:
    """The name of a source and its text, damaged."""
    pool = rng.choice((SHIPPED, SHIPPED, FULL, list(sources()), list(sources())))
    name = rng.choice(pool)
    text = sources()[name]
    kind = rng.random()
    if kind < 0.1:
        return name, damaged(text.encode(), rng).decode(errors="replace")
    return name, (detuned if kind < 0.4 else changed if kind < 0.7 else stranger)(text, rng)


def attacked(cases: int, seed: int, folder: Path, *, first: int = 0) -> Iterator[Case]:
    for number in range(first, cases):
        rng = random.Random(f"{seed} {number}")
        name, text = mutated(rng)
        method = rng.choice(METHODS) if rng.random() < 0.3 else None
        yield judged(
            f"{seed} {number} {name} {method or ''}",
            lambda text=text, method=method: attempt(text, method),
            (SceneError,),
        )


def patience() -> Callable[[], bool]:
    """Whether a user would have pressed Cancel by now."""
    end = computed() + PATIENCE
    return lambda: computed() > end


def _ask(scene: Scene) -> None:
    """What the window works out of a scene beside its run: races, and curves of its traces."""
    cancelled = patience()
    for race in scene.races:
        for lane in race.lanes:
            entry_of(scene, lane)
    for parameter in scene.parameters[:1] if scene.traces else ():
        if not isinstance(parameter.value, str):
            values = family_values(parameter)[::3]
            curve_family(scene, parameter.name, values, wanted=lambda: not cancelled())


def attempt(text: str, method: str | None) -> str:
    scene = loads(text)
    check_scene(scene)
    _ask(scene)
    dt = scene.simulation.dt if isinstance(scene.simulation.dt, float) else 1e-3
    run = simulate(scene, duration=STEPS * dt, method=method, cancel=patience())
    summary = run.summary()
    if summary["status"] != "finished":
        return "told" if run.message else f"badly told: {summary['status']}"
    if run.accuracy_warning:
        return "told"
    # what is told of the start or the step says nothing of the motion
    if not all(np.isfinite(segment.samples).all() for segment in run.segments):
        return "nonsense: not finite"
    # measured here once more, by bounds far above those of the program's own verdict
    moving = [
        name for name in run.names() if name.startswith("body.") and name.endswith((".pos.x", ".pos.y"))
    ]
    size = float(np.abs(run.table(moving)).max(initial=1.0))
    if summary["violation_position_max"] > BROKEN * size:
        return f"nonsense: violation {summary['violation_position_max']:.3g}"
    kinetic, potential = run.table(["energy.kinetic", "energy.potential"]).T
    spans = (float(np.ptp(kinetic)), float(np.ptp(potential)), 1e-2 * float(kinetic.max()))
    scale = max(*spans, 1e-9, 1e-9 * abs(summary["energy_initial"]))
    if summary["energy_error_max"] > LOST * scale and not scene.motions:
        return f"nonsense: energy off by {summary['energy_error_max']:.3g} of {scale:.3g}"
    return "told" if run.message else "clean"
