"""Direct differentiation: the derivative of a run by a number of the scene, integrated beside the run.

At every sample tangents give the variational equations in x = ∂q/∂p, w = ∂v/∂p:

    x' = w − ω × x,    M b − Jᵀ μ = K x + D w + r_p,    J b = −(A x + B w) + s_p

with r = Q + Jᵀλ − M a, s = γ − J a differentiated by p alone, at the state as it is (central differences of
two mechanisms; both are smooth there). ω × x is there for rotations in space only: they are varied in the
frame of the body, R(p + ε) = R exp(ε x̂), so that δω = x' + ω × x. Two steps of the run are one Runge–Kutta
step, whose middle is a sample. It costs one run and a solution per number, however many objectives; the error
is that of the steps.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from engine.compiled.columns import bodies as BODY
from engine.compiled.layout import Array
from engine.model.set_value import set_value
from engine.progress import Cancel
from engine.results.channels import Channels
from engine.results.trajectory import Trajectory
from engine.simulation.simulation import simulate
from engine.studies.objectives import AT, Objective, value_at
from engine.studies.sensitivity.nominal import Nominal, nominals
from engine.system.assembly.assemble import assemble
from engine.system.assembly.scaling import scales_of, subspaces
from engine.system.compiling.mechanism import Mechanism
from engine.system.equations.evaluator import Evaluator
from engine.system.prepared import prepare

if TYPE_CHECKING:
    from engine.studies.study import Study

STEP = 1e-5  # of the reach of a variable, for what is differentiated by p alone

Solve = Callable[[Array, Array], tuple[Array, Array]]
Rate = Callable[[Array, Array], Array]


class NotDirect(ValueError):
    """Why a study cannot be differentiated directly."""


def direct_derivatives(
    study: Study, cancel: Cancel | None = None
) -> tuple[Trajectory, dict[tuple[str, str], float]]:
    """The run, and ∂objective/∂variable by (objective, path); raises NotDirect and SceneError."""
    study.refuse_problems()
    if any(path.startswith("simulation.") for path in study.columns):
        raise NotDirect("step and method have no derivative of this kind; take differences")
    run = simulate(study.scene, cancel=cancel)
    if run.status.failed or len(run.segments) > 1 or run.events:
        raise NotDirect("the run stops, fails or changes on its way; take differences")
    variation = Variation(run)
    found = {}
    for point in nominals(study):
        below, above, width = _sides(study, point)
        x, w, b, multipliers = variation.by(below, above, width)
        for objective in study.objectives:
            line = variation.channel(objective.expression, (below, above), width, x, w, b, multipliers)
            found[objective.name, point.path] = reduced(objective, run, line)
    return run, found


def _sides(study: Study, point: Nominal) -> tuple[Mechanism, Mechanism, float]:
    """The mechanism with a little less and a little more, and how far they are apart."""
    h = STEP * (point.reach or abs(point.value) or 1.0)
    sides = [
        prepare(set_value(study.scene, point.path, point.value + s * h)).refuse_problems()
        for s in (-1.0, 1.0)
    ]
    if any(side.mechanism.nv != prepare(study.scene).mechanism.nv for side in sides):
        raise NotDirect(f"{point.path} changes the structure of the mechanism; take differences")
    return sides[0].mechanism, sides[1].mechanism, 2.0 * h


class Variation:
    """The variational equations along one run."""

    def __init__(self, run: Trajectory) -> None:
        self._run = run
        self._mechanism = run.mechanism
        self._layout = run.segments[-1].channels.layout
        self._evaluator = Evaluator(self._mechanism, tangents=True)
        self._scales = scales_of(self._mechanism)
        bodies = self._mechanism.system.bodies[: len(self._mechanism.bodies)]
        self._spins = bodies[: 0 if self._mechanism.planar else None, [BODY.V]] + np.arange(3, 6)

    def by(self, below: Mechanism, above: Mechanism, width: float) -> tuple[Array, Array, Array, Array]:
        """x, w, b and μ at every sample, shape (n, nv) and (n, rows)."""
        sides = (Evaluator(below), Evaluator(above))
        samples, nv = self._run.samples, self._mechanism.nv
        starts = [assemble(side.mechanism, evaluator=side) for side in sides]
        x0 = self._evaluator.difference(starts[0].q, starts[1].q) / width
        w0 = (starts[1].v - starts[0].v) / width
        n = len(samples)
        x, w, b = (np.zeros((n, nv)) for _ in range(3))
        multipliers = np.zeros((n, len(self._mechanism.rows)))
        x[0], w[0] = x0, w0
        solvers = [self._at(sample, sides, width) for sample in samples]
        rates = [self._rate(sample) for sample in samples]
        for i in range(0, n - 2, 2):
            h = float(samples[i + 2, 0] - samples[i, 0])
            first, middle, last = solvers[i], solvers[i + 1], solvers[i + 2]
            x1, w1 = x[i], w[i]
            b1, r1 = first(x1, w1)[0], rates[i](x1, w1)
            x2, w2 = x1 + h / 2 * r1, w1 + h / 2 * b1
            b2, r2 = middle(x2, w2)[0], rates[i + 1](x2, w2)
            x3, w3 = x1 + h / 2 * r2, w1 + h / 2 * b2
            b3, r3 = middle(x3, w3)[0], rates[i + 1](x3, w3)
            x4, w4 = x1 + h * r3, w1 + h * b3
            b4, r4 = last(x4, w4)[0], rates[i + 2](x4, w4)
            x[i + 2] = x1 + h / 6 * (r1 + 2 * r2 + 2 * r3 + r4)
            w[i + 2] = w1 + h / 6 * (b1 + 2 * b2 + 2 * b3 + b4)
        self._between(samples[:, 0], x, w, solvers, rates)
        for i in range(n):
            b[i], multipliers[i] = solvers[i](x[i], w[i])
        return x, w, b, multipliers

    def _rate(self, sample: Array) -> Rate:
        """(x, w) → x' at one sample."""
        spins, omega = self._spins, sample[self._layout.v][self._spins]

        def rate(x: Array, w: Array) -> Array:
            found = w.copy()
            found[spins] -= np.cross(omega, x[spins])
            return found

        return rate

    def _between(self, t: Array, x: Array, w: Array, solvers: list[Solve], rates: list[Rate]) -> None:
        """Samples in the middle of steps, by cubics; a last one without a partner by a step of Heun."""
        n = len(t)
        for i in range(1, n - 1, 2):
            h = float(t[i + 1] - t[i - 1])
            b0, b1 = solvers[i - 1](x[i - 1], w[i - 1])[0], solvers[i + 1](x[i + 1], w[i + 1])[0]
            r0, r1 = rates[i - 1](x[i - 1], w[i - 1]), rates[i + 1](x[i + 1], w[i + 1])
            x[i] = (x[i - 1] + x[i + 1]) / 2 + h / 8 * (r0 - r1)
            w[i] = (w[i - 1] + w[i + 1]) / 2 + h / 8 * (b0 - b1)
        if n % 2 == 0 and n > 1:
            h = float(t[-1] - t[-2])
            b0, r0 = solvers[-2](x[-2], w[-2])[0], rates[-2](x[-2], w[-2])
            ahead = x[-2] + h * r0, w[-2] + h * b0
            b1, r1 = solvers[-1](*ahead)[0], rates[-1](*ahead)
            x[-1] = x[-2] + h / 2 * (r0 + r1)
            w[-1] = w[-2] + h / 2 * (b0 + b1)

    def _at(self, sample: Array, sides: tuple[Evaluator, Evaluator], width: float) -> Solve:
        """(x, w) → (b, μ) at one sample."""
        layout, evaluator, scales = self._layout, self._evaluator, self._scales
        t, q, v, a, lam = (
            float(sample[0]),
            sample[layout.q],
            sample[layout.v],
            sample[layout.a],
            sample[layout.multipliers],
        )
        angles = sample[layout.angles]
        evaluator.at(t, q, v, angles)
        evaluator.forces()
        K, D = evaluator.tangents(a, lam)
        _, Aq, Av = evaluator.row_tangents()
        J, M = evaluator.jacobian, evaluator.mass_matrix()
        r, s = [], []
        for side in sides:
            side.at(t, q, v, angles)
            other = side.jacobian
            r.append(side.forces() + other.T @ lam - side.mass_matrix() @ a)
            s.append(side.gamma - other @ a)
        r_p, s_p = (r[1] - r[0]) / width, (s[1] - s[0]) / width
        column = scales.column
        space = subspaces(scales.jacobian(J))
        mass = M * np.outer(column, column)
        free = space.null
        factor = np.linalg.inv(free.T @ mass @ free) if free.shape[1] else None

        def solve(x: Array, w: Array) -> tuple[Array, Array]:
            load = (K @ x + D @ w + r_p) * column
            particular = space.solve((s_p - Aq @ x - Av @ w) / scales.row)
            if factor is not None:
                particular = particular + free @ (factor @ (free.T @ (load - mass @ particular)))
            held = space.solve_transposed(mass @ particular - load) / scales.row
            return particular * column, held

        return solve

    def channel(
        self,
        expression: str,
        sides: tuple[Mechanism, Mechanism],
        width: float,
        x: Array,
        w: Array,
        b: Array,
        multipliers: Array,
    ) -> Array:
        """d(expression)/dp at every sample, the number itself included where the expression reads it."""
        layout, samples, values = self._layout, self._run.samples, []
        for sign, mechanism in zip((-0.5, 0.5), sides, strict=True):
            h = sign * width
            moved = samples.copy()
            for i in range(len(moved)):
                moved[i, layout.q] = self._evaluator.retract(samples[i, layout.q], h * x[i])
            moved[:, layout.v] += h * w
            moved[:, layout.a] += h * b
            moved[:, layout.multipliers] += h * multipliers
            channels = Channels(mechanism)
            read = channels.expression(expression, "objectives")
            values.append(np.concatenate([read(part) for part in channels.evaluations(moved)]))
        return np.asarray((values[1] - values[0]) / width)


def reduced(objective: Objective, run: Trajectory, slope: Array) -> float:
    """The derivative of the reduced number from that of the curve."""
    t, y = run.t, run.expression(objective.expression)
    kind = objective.reduce
    if kind == "final":
        return float(slope[-1])
    if kind == AT:
        return value_at(t, slope, objective.at)
    if kind in ("max", "min", "range"):
        high = value_at(t, slope, top(t, y, 1.0))
        low = value_at(t, slope, top(t, y, -1.0))
        return {"max": high, "min": low, "range": high - low}[kind]
    span = float(t[-1] - t[0])
    if kind == "mean":
        return float(np.trapezoid(slope, t)) / span
    if kind == "rms":
        return float(np.trapezoid(y * slope, t)) / span / objective.of(t, y)
    instant = objective.of(t, y)
    return -value_at(t, slope, instant) / rate_at(t, y, instant)


def rate_at(t: Array, y: Array, instant: float) -> float:
    """dy/dt at an instant, by the quartic through five samples."""
    first = max(0, min(int(np.searchsorted(t, instant)) - 2, len(t) - 5))
    near = slice(first, first + 5)
    h = float(t[near][-1] - t[near][0]) or 1.0
    powers = np.polynomial.polynomial.polyfit((t[near] - instant) / h, y[near], len(t[near]) - 1)
    return float(powers[1]) / h


def top(t: Array, y: Array, sign: float) -> float:
    """When y is largest (smallest), between samples by the parabola through three."""
    i = int(np.argmax(sign * y))
    if not 0 < i < len(y) - 1:
        return float(t[i])
    second = y[i + 1] - 2.0 * y[i] + y[i - 1]
    shift = -(y[i + 1] - y[i - 1]) / (2.0 * second) if second else 0.0
    return float(t[i] + np.clip(shift, -1.0, 1.0) * (t[i + 1] - t[i - 1]) / 2.0)
