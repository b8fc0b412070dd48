"""Looks ahead for singular configurations before a method begins that does not pass them.

The program's default method, which passes them, makes the run first, with a step of its own that its balance
of energy confirms; nothing of it is recorded but where the constraints lose rank. It costs some tenths of a
second at most and is made for such methods only.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy

from engine.compiled.columns import clock as CLOCK
from engine.compiled.layout import Array, StepStatus
from engine.errors import Problem, SceneError
from engine.maths.sparse.ldl import SparseFactor
from engine.maths.sparse.symbolic import analyse
from engine.model.scene import Simulation as Settings
from engine.results.assessment.assess import GOOD, assess
from engine.results.assessment.conditioning import Conditioning
from engine.results.channels import Channels
from engine.simulation.stepping.method_driver import Driver
from engine.simulation.stops.conditions import conditions_of, quiet_start
from engine.solvers.catalogue import GO_ON, SINGULAR, SINGULAR_POSES, Method, find_method
from engine.system.assembly.row_factor import RowFactor, with_diagonal
from engine.system.assembly.scaling import LARGE
from engine.system.compiling.mechanism import Mechanism
from engine.system.equations.evaluator import Evaluator

FINE = 1000  # steps that looking ahead takes at least: the run may try a step that is much too large
REFINED = 0.25  # times the step where that was not fine enough
ATTEMPTS = 4
MAX_COST = 1_000_000  # steps times velocities and rows: what looking ahead may cost
LOUD = 0.3  # of the largest share in a combination of rows that vanishes: smaller ones are not named
FAINT = 1e-13  # added to squares of singular values, of rows of length 1
ITERATIONS = 3  # inverse ones
SHOWN = 4  # joints that are named


@dataclass(frozen=True)
class LookAhead:
    """What lies ahead of a run."""

    end: float  # s, up to which was looked
    pose: float | None = None  # s, of the first singular configuration
    owners: tuple[str, ...] = ()  # joints and motions whose rows depend on each other there

    @property
    def place(self) -> str:
        """When and where, in words."""
        named: dict[str, list[str]] = {}
        for owner in self.owners:
            kind, _, name = owner.partition(" ")
            named.setdefault(kind, []).append(name)
        words = [f"{kind}{'s' * (len(names) > 1)} {', '.join(names)}" for kind, names in named.items()]
        where = f", where {' and '.join(words)} hold against each other" if words else ""
        return f"the singular configuration at t = {self.pose:.6g} s{where}"


def lookahead_method() -> Method:
    """The method that looks ahead: the program's default."""
    return find_method(Settings().method)


def look_ahead(
    mechanism: Mechanism, t: float, q: Array, v: Array, angles: Array, *, dt: float, end: float
) -> LookAhead:
    """Run from a consistent state to `end`, or as far as is cheap, and look at the constraints on the way."""
    if not mechanism.rows or not end > t:
        return LookAhead(end)
    step = min(dt, (end - t) / FINE)
    for _ in range(ATTEMPTS):
        dry_run = Driver(mechanism, lookahead_method(), dt=step)
        if dry_run.start(t, q, v, angles) is not StepStatus.OK:
            return LookAhead(t)
        samples, sound = _walk(dry_run, end)
        if sound:
            break
        step *= REFINED
    samples = _until_stopped(mechanism, samples)
    conditioning, reached = Conditioning(mechanism, samples), float(samples[-1, 0])
    for pose, i in conditioning.poses(samples[:, 0]):
        return LookAhead(reached, pose, _owners(dry_run, samples, i, conditioning.rank))
    return LookAhead(end if dry_run.t >= end else reached)


def _walk(dry_run: Driver, end: float) -> tuple[Array, bool]:
    """Samples from here to the end, or as far as is cheap, and whether they are to be believed."""
    mechanism, step = dry_run.mechanism, float(dry_run.clock[CLOCK.STEP])
    most = max(2, MAX_COST // (mechanism.nv + len(mechanism.rows)))
    steps = int(min(np.ceil((end - dry_run.t) / step), most))
    samples = np.zeros((steps + 1, dry_run.width))
    samples[0] = dry_run.sample()
    with dry_run.holding():
        dry_run.held = np.zeros_like(dry_run.held)  # stops decide by themselves: no instant matters here
        status, written = dry_run.advance(min(end, dry_run.t + steps * step), samples[1:])
    samples = samples[: written + 1]
    found = assess(mechanism, Channels(mechanism).evaluations(samples))
    return samples, not status.failed and found.share <= GOOD


def refuse_or_warn(
    driver: Driver, t: float, q: Array, v: Array, angles: Array, *, end: float
) -> tuple[str, ...]:
    """Refuse (SceneError) a run whose method fails at a singular configuration ahead; warnings otherwise.

    Whether a method fails there is what its pieces state (`singular_failure`, `passes_with`).
    """
    method, options = driver.method, driver.work.options
    reason = method.singular_failure_of(options)
    if not reason:
        return ()
    dt = float(driver.clock[CLOCK.STEP])
    ahead = look_ahead(driver.mechanism, t, q, v, angles, dt=dt, end=end)
    if ahead.pose is not None:
        message = f"{method.name} does not pass {ahead.place}: {reason}"
        if options[SINGULAR] == GO_ON:
            return (f"{message}; do not trust this run from there on.",)
        remedy = (
            f"choose another method, such as {lookahead_method().name}; to see it fail, set its option "
            f'"{SINGULAR_POSES.title}" (singular_poses) to "go on" (1)'
        )
        raise SceneError([Problem("simulation.method", method.name, message, remedy)])
    if ahead.end < end:
        seen = f"none was found up to t = {ahead.end:.6g} s, further was not looked."
        return (f"{method.name} does not pass singular configurations ({reason}); {seen}",)
    return ()


def _until_stopped(mechanism: Mechanism, samples: Array) -> Array:
    """Samples up to where a stop condition of the scene ends the run."""
    if not mechanism.scene.simulation.stop_when:
        return samples
    channels, end = Channels(mechanism), len(samples)
    for condition in conditions_of(channels):
        i = condition.first_crossing(quiet_start(condition.values(channels, samples)))
        end = end if i is None else min(end, i + 1)
    return samples[:end]


def _owners(dry_run: Driver, samples: Array, i: int, rank: int) -> tuple[str, ...]:
    """The elements whose rows nearly cancel: the left singular vector that vanishes at this pose only."""
    mechanism = dry_run.mechanism
    evaluator = Evaluator(mechanism)

    def jacobian(k: int) -> Any:
        """Rows of length 1."""
        t, q, _, angles, _ = dry_run.layout.state(samples[k])
        J = evaluator.at(t, q, angles=angles).sparse_jacobian
        sizes = np.sqrt((J * J).sum(axis=1))
        return (scipy.sparse.diags_array(1.0 / np.where(sizes > 0.0, sizes, 1.0)) @ J).tocsr()

    if mechanism.nv > LARGE:
        elsewhere = (RowFactor(jacobian(k)).independent for k in (0, len(samples) // 2, len(samples) - 1))
        combination = _faintest(jacobian(i), max(elsewhere, key=np.count_nonzero))
    else:
        combination = np.abs(np.linalg.svd(jacobian(i).toarray())[0][:, rank - 1])
    loud = np.flatnonzero(combination > LOUD * combination.max())
    names = [f"{mechanism.rows[r].owner} {mechanism.rows[r].name!r}" for r in loud]
    return tuple(dict.fromkeys(names))[:SHOWN]


def _faintest(J: Any, independent: Any) -> Array:
    """Shares of rows, independent elsewhere, in the combination nearest to vanish: by inverse iterations."""
    found, kept = np.zeros(J.shape[0]), np.flatnonzero(independent)
    products = (J[kept] @ J[kept].T).tocsr()
    factor = SparseFactor(analyse(with_diagonal(products)))
    factor.factor(products + FAINT * scipy.sparse.eye_array(len(kept), format="csr"), 0.0)
    z = np.random.default_rng(8).normal(size=len(kept))
    for _ in range(ITERATIONS):
        z = factor.solve(z / np.linalg.norm(z))
    found[kept] = np.abs(z)
    return found
