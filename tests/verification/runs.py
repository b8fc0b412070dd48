"""Runs that several tests read, made once per session."""

from functools import cache

from engine import Scene, Trajectory, load_scene, simulate
from engine.compiled.layout import Array, StepStatus
from tests.paths import SCENES

G = 9.81


def shipped(name: str) -> Scene:
    return load_scene(SCENES / f"{name}.json")


def finished(scene: Scene, method: str, dt: float, duration: float, **options: float) -> Trajectory:
    """A run that came to its end."""
    run = simulate(scene, method=method, dt=dt, duration=duration, options=options)
    assert run.status is StepStatus.FINISHED, run.message
    return run


@cache
def shipped_run(
    name: str, method: str, dt: float, duration: float, options: tuple[tuple[str, float], ...] = ()
) -> Trajectory:
    return finished(shipped(name), method, dt, duration, **dict(options))


def tight(scene: Scene, duration: float, *, dt: float = 0.01, tolerance: float = 1e-12) -> Trajectory:
    """Adaptive, as exact as it gets; dt is only the distance of the samples."""
    return finished(scene, "dopri5", dt, duration, rtol=tolerance, atol=tolerance)


def at_end(run: Trajectory) -> tuple[Array, Array, Array]:
    """q, v and λ of the last sample."""
    layout, last = run.segments[-1].channels.layout, run.samples[-1]
    return last[layout.q], last[layout.v], last[layout.multipliers]


def energy_error(run: Trajectory) -> float:
    return float(abs(run.channel("energy.error")).max())
