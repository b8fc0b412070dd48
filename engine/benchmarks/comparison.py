"""Many methods and steps on one mechanism: errors against a tight reference, drift, cost, divergence."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from engine.arguments import by_name, call, listed, number, texts
from engine.compiled.columns import bodies as BODY
from engine.compiled.columns import counters as COUNT
from engine.compiled.layout import Array
from engine.errors import CompileError, Problem, SceneError, shorten
from engine.html_table import html_table
from engine.model.scene import Scene, refuse_other
from engine.progress import Cancel, Progress
from engine.results.assessment.error_measures import relative_errors, thresholds_of, total_error
from engine.simulation.checks.run_times import check_times
from engine.simulation.simulation import Simulation
from engine.solvers.catalogue import Method, find_method
from engine.solvers.method_patterns import option_choices
from engine.system.compiling.mechanism import Mechanism

REFERENCE = "lagrange/dopri5/projection"
REFERENCE_TOLERANCE = 1e-12
TOLERANCES = (1e-4, 1e-6, 1e-8, 1e-10)  # of adaptive methods, in place of steps
INSTANTS = 100  # at which runs are compared
HISTORY = 1000  # samples of energy and violation
DIVERGED = 0.01  # of the largest distance that a body covers in the reference: here two runs have parted
ROUNDING = 1e-13  # errors below say nothing about the order


@dataclass(frozen=True)
class Run:
    """One method with one step or tolerance."""

    method: Method
    step: float  # s, or the tolerance of an adaptive method
    status: str
    message: str
    position: Array  # largest distance of a centre of mass from the reference, at the instants reached [m]
    rotation: Array  # the same for angles [rad]
    diverged: float | None  # s: when the run had parted from the reference, or broke off
    t: Array
    energy: Array  # error of the energy balance over t [J]
    violation: Array  # of the positions, over t
    violation_rate: Array
    time: float  # s, without compiling
    steps: int
    iterations: float  # per step
    evaluations: int
    factorisations: int
    total_error: float = math.nan  # of the channels asked for: engine/results/assessment/error_measures.py

    @property
    def error(self) -> float:
        return float(self.position.max()) if len(self.position) else math.nan

    @property
    def finished(self) -> bool:
        return self.status == "finished"

    @property
    def believed(self) -> bool:
        """Came to its end, and nothing speaks against it."""
        return self.finished and "do not trust" not in self.message

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON and CSV."""
        return {
            "method": self.method.name,
            "order": self.method.order,
            "tolerance" if self.method.adaptive else "dt": self.step,
            "status": self.status,
            "message": self.message,
            "position_error": self.error,
            "position_error_end": float(self.position[-1]) if len(self.position) else math.nan,
            "rotation_error": float(self.rotation.max()) if len(self.rotation) else math.nan,
            "diverged_at": self.diverged,
            "energy_error_max": _largest(self.energy),
            "violation_position_max": _largest(self.violation),
            "violation_velocity_max": _largest(self.violation_rate),
            "steps": self.steps,
            "evaluations": self.evaluations,
            "factorisations": self.factorisations,
            "iterations_per_step": self.iterations,
            "wall_time": self.time,
            "total_error": self.total_error,
        }


@dataclass(frozen=True)
class Comparison:
    """What all methods made of one scene."""

    duration: float
    instants: Array
    threshold: float  # m: errors beyond it count as divergence
    runs: tuple[Run, ...]

    def __repr__(self) -> str:
        return f"<Comparison: {self._heading()}>"

    def _heading(self) -> str:
        return f"{len(self.runs)} runs by {len(self.methods)} methods over {self.duration:g} s"

    def _repr_html_(self) -> str:
        """What a notebook shows."""
        names = ("method", "step, tolerance", "status", "error [m]", "energy error [J]", "time [s]", "steps")
        rows = [
            (run.method.name, run.step, run.status, run.error, _largest(run.energy), run.time, run.steps)
            for run in self.runs
        ]
        return html_table(self._heading(), names, rows)

    def of(self, method: Method) -> list[Run]:
        return [run for run in self.runs if run.method is method]

    @property
    def methods(self) -> list[Method]:
        return list({run.method.name: run.method for run in self.runs}.values())

    def observed_order(self, method: Method) -> float:
        """Slope of the error over the step in logarithms; NaN where fewer than two runs can tell."""
        runs = [r for r in self.of(method) if r.finished and ROUNDING < r.error < self.threshold]
        if method.adaptive or len(runs) < 2:
            return math.nan
        steps, errors = np.log([r.step for r in runs]), np.log([r.error for r in runs])
        return float(np.polyfit(steps, errors, 1)[0])


def _numbers(name: str, values: Any) -> list[float]:
    return [number(name, value) for value in listed(name, values, "a list of numbers")]


def _values_by_name(options: Any) -> dict[str, list[float]]:
    """Values of options; raises TypeError."""
    given = by_name("options", {} if options is None else options)
    return {name: _numbers(f"option {shorten(name)!r}", values) for name, values in given.items()}


def compare(
    scene: Scene,
    methods: Sequence[str],
    *,
    dts: Sequence[float] = (),
    tolerances: Sequence[float] = TOLERANCES,
    duration: float | None = None,
    options: Mapping[str, Sequence[float]] | None = None,
    channels: Sequence[str] = (),
    progress: Progress | None = None,
    cancel: Cancel | None = None,
) -> Comparison:
    """Run every method with every step (adaptive ones with every tolerance) and measure them.

    `options` are values of options; every method runs with all combinations of those that it knows. Of
    `channels` the total error is taken.
    Raises SceneError for an unknown method and for a scene whose reference does not come to its end. A
    cancelled comparison holds the runs that are complete.
    """
    refuse_other("compare", scene)
    chosen = [find_method(name) for name in listed("methods", methods, 'a list, such as ["rk4", "bdf2"]')]
    dts, tolerances = _numbers("dts", dts), _numbers("tolerances", tolerances)
    channels = texts("channels", channels)
    duration = None if duration is None else number("duration", duration)
    call("progress", progress), call("cancel", cancel)
    choices = option_choices(chosen, _values_by_name(options))
    own = Simulation(scene, duration=0.0)
    steps = sorted(dts, reverse=True) or [own.dt]
    length = float(own.mechanism.scene.simulation.duration) if duration is None else duration
    for step in steps:
        check_times(step, length, 1)
    # multiples of the largest step, so that the usual steps end exactly at all instants
    spacing = steps[0] * max(1, math.ceil(length / (INSTANTS * steps[0])))
    instants = np.append(spacing * np.arange(1, math.ceil(length / spacing - 1e-9)), length)

    tight = {"rtol": REFERENCE_TOLERANCE, "atol": REFERENCE_TOLERANCE}
    reference = Simulation(scene, method=REFERENCE, dt=spacing, duration=length, options=tight)
    mechanism = reference.mechanism
    for name in channels:
        if name not in reference.channels:
            raise SceneError(
                [Problem("", name, f"there is no channel {name!r}", "see `trammel list channels`")]
            )
    exact = _follow(reference, instants, progress, cancel)
    wanted = _values(reference, channels, exact)
    if cancel is not None and cancel():
        return Comparison(length, instants, math.nan, ())
    if reference.status.failed or not len(exact):
        message = f"the reference could not be computed: {reference.message}"
        condition = 'leave "stop_when" out, or write a condition that is met later'
        remedy = "compare over a shorter duration" if reference.status.failed else condition
        raise SceneError([Problem("", None, message, remedy)])
    instants = instants[: len(exact)]  # a condition of the scene may end it
    exact = exact[:, reference.driver.layout.q]
    threshold = DIVERGED * _reach(mechanism, exact)

    runs: list[Run] = []
    variants = [(method, given) for method in chosen for given in choices[method.name]]
    for method, given in variants:
        shown = method.with_options(given)
        for step in tolerances if method.adaptive else steps:
            if cancel is not None and cancel():
                return Comparison(length, instants, threshold, tuple(runs))
            run = _run(
                scene, method, given, step, instants, exact, threshold, channels, wanted, progress, cancel
            )
            if run is not None:
                runs.append(replace(run, method=shown))
    return Comparison(length, instants, threshold, tuple(runs))


def _run(
    scene: Scene,
    method: Method,
    given: Mapping[str, float],
    step: float,
    instants: Array,
    exact: Array,
    threshold: float,
    channels: Sequence[str],
    wanted: Array,
    progress: Progress | None,
    cancel: Cancel | None,
) -> Run | None:
    """One run; None if it was cancelled. A method that refuses the mechanism is a run of no length."""
    length = float(instants[-1])
    dt = length / len(instants) if method.adaptive else step
    options = {**({"rtol": step, "atol": step} if method.adaptive else {}), **given}
    every = max(1, math.ceil(length / dt / HISTORY))
    try:
        sim = Simulation(
            scene, method=method.name, dt=dt, duration=length, options=options, sample_every=every
        )
    except (CompileError, SceneError) as error:
        none = np.zeros(0)
        return Run(
            method, step, "refused", str(error), none, none, 0.0, none, none, none, none, 0.0, 0, 0.0, 0, 0
        )
    found = _follow(sim, instants, progress, cancel)
    if cancel is not None and cancel():
        return None
    values = _values(sim, channels, found)
    errors = relative_errors(
        values, wanted[: len(found)], thresholds_of(wanted, [sim.channels.unit(name) for name in channels])
    )
    found = found[:, sim.driver.layout.q]
    position, rotation = _errors(sim.mechanism, found, exact[: len(found)])
    run = sim.trajectory()
    energy, violation, rate = run.table(("energy.error", "violation.position", "violation.velocity")).T
    parted = np.flatnonzero(~(position < threshold))
    diverged = float(instants[parted[0]]) if len(parted) else sim.t if run.status.failed else None
    return Run(
        method=method,
        step=step,
        status=run.status.name.lower(),
        message=run.message,
        position=position,
        rotation=rotation,
        diverged=diverged,
        t=run.t,
        energy=energy,
        violation=violation,
        violation_rate=rate,
        time=run.wall_time,
        steps=int(run.counters[COUNT.STEPS]),
        iterations=run.iterations / max(1, int(run.counters[COUNT.STEPS])),
        evaluations=int(run.counters[COUNT.EVALUATIONS]),
        factorisations=run.factorisations,
        total_error=total_error(errors),
    )


def _values(sim: Simulation, channels: Sequence[str], samples: Array) -> Array:
    """Of the channels at the samples, shape (samples, channels)."""
    if not channels or not len(samples):
        return np.zeros((len(samples), len(channels)))
    return sim.channels.table(channels, list(sim.channels.evaluations(samples)))


def _follow(sim: Simulation, instants: Array, progress: Progress | None, cancel: Cancel | None) -> Array:
    """Samples at the instants, as far as the run gets, shape (instants, width)."""
    found = []
    for t in instants:
        while not sim.done and sim.t < t:
            if cancel is not None and cancel():
                sim.cancel()
                break
            sim.advance(float(t))
            if progress is not None:
                sim.tell(progress)
        if sim.t < t:
            break
        found.append(sim.driver.sample())
    return np.array(found).reshape(len(found), sim.driver.layout.width)


def _errors(mechanism: Mechanism, found: Array, exact: Array) -> tuple[Array, Array]:
    """Largest distance of a centre of mass and largest angle, over all bodies, per row."""
    position, rotation = np.zeros(len(found)), np.zeros(len(found))
    for planar, at in mechanism.system.bodies[: len(mechanism.bodies), [BODY.PLANAR, BODY.Q]]:
        gap = found[:, at : at + 7] - exact[:, at : at + 7]
        if planar:
            distance, angle = np.hypot(gap[:, 0], gap[:, 1]), np.abs(gap[:, 2])
        else:
            distance = np.linalg.norm(gap[:, :3], axis=1)
            # q and −q are the same orientation; |q − q'| = 2 sin(angle/4)
            other = found[:, at + 3 : at + 7] + exact[:, at + 3 : at + 7]
            chord = np.minimum(np.linalg.norm(gap[:, 3:], axis=1), np.linalg.norm(other, axis=1))
            angle = 4.0 * np.arcsin(np.minimum(1.0, chord / 2.0))
        position, rotation = np.maximum(position, distance), np.maximum(rotation, angle)
    return position, rotation


def _reach(mechanism: Mechanism, exact: Array) -> float:
    """Largest extent of the path of a centre of mass in the reference [m]; 1 where none moves."""
    spans = [0.0]
    for planar, at in mechanism.system.bodies[: len(mechanism.bodies), [BODY.PLANAR, BODY.Q]]:
        path = exact[:, at : at + (2 if planar else 3)]
        spans.append(float(np.linalg.norm(np.ptp(path, axis=0))))
    return max(spans) or 1.0


def _largest(values: Array) -> float:
    return float(np.abs(values).max()) if len(values) else math.nan
