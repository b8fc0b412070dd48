"""The error of the positions of a run, estimated by a second run at another step (Richardson).

With a step h the error of a method of order p is C hᵖ, so that of half the step is 2ᵖ times smaller, and the
gap between both runs is (1 − 2⁻ᵖ) of what the first is off. Methods that choose their steps get a tenth of
the tolerance: their error follows it about in proportion. [Hairer 1993, II.4]
"""

from __future__ import annotations

import math

from engine.benchmarks.racing.distance import Centres, distances
from engine.benchmarks.racing.entry import Entry, entry_of
from engine.compiled.layout import Array
from engine.elements.base import Number
from engine.model.races import Lane
from engine.model.resolve import resolve
from engine.model.scene import Scene
from engine.progress import Cancel, Progress
from engine.results.assessment.trust import thinned
from engine.results.trajectory import Trajectory
from engine.simulation.simulation import simulate
from engine.solvers.catalogue import Method, find_method
from engine.system.compiling.mechanism import Mechanism

TIGHTER = 0.1  # of a tolerance, for the second run
TOLERANCES = ("rtol", "atol")


def shadow_of(scene: Scene, method: str, dt: float, duration: float) -> Entry:
    """The second run; raises SceneError."""
    known = find_method(method)
    lane = Lane(name="shadow", method=method, dt=dt if known.adaptive else dt / 2.0)
    options: dict[str, Number] = {}
    given = known.own_names({k: float(v) for k, v in resolve(scene).simulation.options.items()})
    for option in known.options:
        if option.name in TOLERANCES and (known.adaptive or given.get(option.name, 0.0) > 0.0):
            options[option.name] = TIGHTER * given.get(option.name, option.default)
    return entry_of(scene, Lane(name="shadow", method=method, dt=lane.dt, options=options), duration)


def error_by_second_run(
    run: Trajectory, *, progress: Progress | None = None, cancel: Cancel | None = None
) -> float | None:
    """Estimated error of the positions of a run [m]; None after a cancel. Raises SceneError."""
    end = float(run.t[-1])
    entry = shadow_of(run.scene.with_simulation(options=run.options), run.method.name, run.dt, end)
    second = simulate(
        entry.scene, duration=entry.duration, sample_every=entry.every, progress=progress, cancel=cancel
    )
    if cancel is not None and cancel():
        return None
    samples = thinned(run.samples)
    return estimated_error(run.method.name, run.mechanism, samples, second.mechanism, second.samples)


def amplification(method: Method) -> float:
    """How many times the gap between both runs the error is."""
    return 1.0 / (1.0 - (TIGHTER if method.adaptive else 2.0 ** -max(1, method.order)))


def estimated_error(
    method: str, mechanism: Mechanism, samples: Array, shadow: Mechanism, second: Array
) -> float:
    """Largest error of a centre of mass [m]; infinite where the second run did not come so far."""
    if not len(second) or second[-1, 0] < samples[-1, 0] * (1.0 - 1e-9):
        return math.inf
    gap = distances(Centres(mechanism), samples, Centres(shadow), second)
    known = gap[gap == gap]
    return amplification(find_method(method)) * float(known.max()) if len(known) else math.inf
