"""The states of rigid limits and held friction at one instant, and what an impact does to velocities.

At a located event the following is found, in this order [Pfeiffer 1996] [Glocker 2001]:

1. Impact. Limits that are reached take impulses Λ ≥ 0 with Newton's restitution e:

       γ⁺ + e γ⁻ ≥ 0,  Λ ≥ 0,  (γ⁺ + e γ⁻)ᵀ Λ = 0,   γ⁺ = γ⁻ + G Λ      (γ: rates of the gaps)

   Limits that only touch are hit after those that approach, by what these set in motion.
   Friction has a bounded force and takes no part. Where limits with different e would add energy, the
   outcome is drawn towards the inelastic one (e = 0) until it does not.
2. The end of a sequence of ever smaller impacts: where the flight that follows would last less than the share
   `SHORTEST_FLIGHT` of a step, or rise less than rounding lets one see, e = 0 instead.
3. Accelerations. Limits that are reached and do not part have pushes λ ≥ 0 with g″ ≥ 0, friction that is at
   rest has |λ| ≤ N F_s, or slips against it: one linear complementarity problem, in which friction is split
   in two one-sided pairs. What slips is a force with its kinetic friction, and the rest is decided again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from engine.compiled.columns import clock as CLOCK
from engine.compiled.columns import forces as LAW
from engine.compiled.columns import row_reals as ROW_REAL
from engine.compiled.columns import row_values as ROW_VALUE
from engine.compiled.columns import rows as ROW
from engine.compiled.columns import vectors as VECTOR
from engine.compiled.layout import Array, Ints
from engine.elements.laws import cone, held_friction, limit, mesh_loss
from engine.maths.complementarity import solve as complementary
from engine.results.run_events import RunEvent
from engine.simulation.method_driver import Driver
from engine.simulation.rigid import frictional
from engine.simulation.rigid.contact_problem import ContactProblem
from engine.simulation.rigid.one_sided import OneSided, one_sided

SHORTEST_FLIGHT = 1e-6  # of a step: a bounce that is shorter is the end of bouncing
LOWEST_FLIGHT = 32.0  # roundings of the coordinates: a bounce that is lower cannot be seen
LOWEST_BOUNCE = 1e-13  # of the size of the row: the same among contacts with friction, whose slack is larger
TOUCHING = 1e-11  # of the size of the row: a gap that counts as none
AT_REST = 1e-11  # of the largest speed, or of 1: a rate that counts as none
BLOCKED = 100.0  # times that: where slip is blocked, what rounding may do
NO_PUSH = 1e-12  # of the largest force
NORMAL_ROUNDS = 200  # until friction and the reaction that it depends on agree
AGREED = 1e-13
BLOWS = 200  # that one impact may set off among limits that touch; the rest is inelastic
HOLDS_ALL = 1e3  # of the largest force: more than any mesh has to hold
ROUNDED = 1e-13  # of the largest force or reaction: what a friction that holds does not notice
AT_BOUND = 1e-10  # of the largest friction: what is nearer to it than this slips


@dataclass
class Outcome:
    """What an event has changed."""

    v: Array
    impulses: dict[int, float]  # line of a limit → impulse
    losses: dict[int, float]  # line of a limit → energy [J]
    load: Array  # impulses of all laws, on the velocities


class Resolution:
    """Finds the states of the laws that act by rows, for one driver."""

    def __init__(self, driver: Driver) -> None:
        self.driver = driver
        self.problem = ContactProblem(driver)
        kinds = {int(i): driver.law_kind(int(i)) for i in driver.switching}
        self.limits = [i for i, kind in kinds.items() if kind is limit.KIND]
        rubbing = [i for i, kind in kinds.items() if kind in (held_friction.KIND, mesh_loss.KIND)]
        self.meshes = {i for i in rubbing if kinds[i] is mesh_loss.KIND}
        # along one function, and along several
        self.slidings = [i for i in rubbing if len(kinds[i].rows_of(driver.system.forces[i])) > 1]
        self.frictions = [i for i in rubbing if i not in self.slidings]
        self.cones = [i for i, kind in kinds.items() if kind is cone.KIND]
        begin = driver.system.forces[rubbing, held_friction.REACTION]
        end = driver.system.forces[rubbing, held_friction.REACTION + 1]
        self._depends_on_reactions = bool(self.meshes) or bool((end > begin).any())
        self.lines = [*self.limits, *self.frictions]
        self.row = {i: int(driver.system.forces[i, limit.ROW]) for i in self.lines}
        self._contacts: list[OneSided] = []
        self._pushed: dict[int, float] = {}  # effort of frictions that hold, as it was found last

    def resolve(self, sample: Array, fired: set[int]) -> tuple[Array, tuple[RunEvent, ...]]:
        """The sample after the event; the states of the driver are those that follow.

        `fired`: lines whose state has just ceased to fit.
        """
        driver = self.driver
        t, q, v, angles, works = driver.layout.state(sample)
        before = {i: self._state(i) for i in self.lines}
        gaps, D, bias = self._geometry(t, q, v, angles)
        touching = [
            i
            for i in self.limits
            if before[i] == limit.CLOSED or i in fired or gaps[i] <= TOUCHING * self._size(i)
        ]
        if self.cones or self.slidings:
            outcome = self._with_friction(t, q, v, angles, set(touching), fired, D)
        else:
            outcome = self._impact(t, q, v, angles, touching, D, bias)
            self._accelerate(t, q, outcome.v, angles, touching, fired, D)
        v = self._consistent(t, q, outcome.v, angles)
        at_rest = {i for i in touching if abs(float(D[i] @ v)) <= AT_REST * _speed(v)}
        self._note_slack([i for i in touching if i not in outcome.impulses or i in at_rest], gaps, at_rest)
        self._note_ranks()
        after = sample.copy()
        after[driver.layout.v] = v
        for line, loss in outcome.losses.items():
            works[driver.system.forces[line, LAW.QUADRATURE]] -= loss
        if outcome.impulses:
            self._book_motions((t, q, v, angles), outcome.load, works)
        after[driver.layout.works] = works
        return after, self._told(t, before, outcome)

    def _book_motions(self, state: tuple[float, Array, Array, Array], load: Array, works: Array) -> None:
        """Motions answer an impact with impulses of their own, which do work where they move."""
        system, problem = self.driver.system, self.problem
        moving = np.flatnonzero(system.rows[:, ROW.QUADRATURE] >= 0)
        if not len(moving):
            return
        problem.at(*state, np.zeros(0, np.int64))
        problem.factor()
        problem.solve(load, 0.0)
        for r in moving:
            row = problem.work.row[r]
            rate = row[ROW_VALUE.F] if system.rows[r, ROW.VELOCITY] else row[ROW_VALUE.FT]
            works[system.rows[r, ROW.QUADRATURE]] += row[ROW_VALUE.SOLVE] * rate

    # states

    def _state(self, line: int) -> int:
        return int(self.driver.system.forces[line, LAW.X])

    def _set(self, line: int, state: int) -> None:
        self.driver.system.forces[line, LAW.X] = state

    def _size(self, line: int) -> float:
        return float(self.driver.system.row_reals[self.row[line], ROW_REAL.SCALE])

    def _side(self, line: int) -> float:
        """Sign that makes a rate of the coordinate one of the gap; slips count as they are."""
        return -float(self.driver.system.force_reals[line, limit.SIDE]) if line in self.limits else 1.0

    @property
    def _held(self) -> Ints:
        """Rows that hold by the present states."""
        rows = [
            row
            for i in (*self.lines, *self.slidings, *self.cones)
            if self._state(i) in self.driver.law_kind(i).holds
            for row in self.driver.law_kind(i).rows_of(self.driver.system.forces[i])
        ]
        return np.array(rows, np.int64)

    # geometry

    def _geometry(
        self, t: float, q: Array, v: Array, angles: Array
    ) -> tuple[dict[int, float], dict[int, Array], dict[int, float]]:
        """Gaps of the limits; gradients of gaps and slips, and what their accelerations have beside D a."""
        problem, reals = self.problem, self.driver.system.force_reals
        self._contacts = one_sided(self.driver, problem, t, q, v, angles)
        gaps: dict[int, float] = {}
        D: dict[int, Array] = {}
        bias: dict[int, float] = {}
        self._across = {
            i: np.array(
                [
                    problem.gradient(row)
                    for row in self.driver.law_kind(i).rows_of(self.driver.system.forces[i])
                ]
            )
            for i in self.slidings
        }
        for i in self.lines:
            value, _, b = problem.coordinate(self.row[i])
            if i in self.limits:
                gaps[i] = float(reals[i, limit.SIDE] * (reals[i, limit.LIMIT] - value))
            D[i] = self._side(i) * problem.gradient(self.row[i])
            bias[i] = self._side(i) * b
        return gaps, D, bias

    def _matrix(self, D: Array) -> tuple[Array, Array]:
        """M_b⁻¹Dᵀ, one column for each line of D, and G; with no conditional row active."""
        X = np.array([self.problem.solve(d, 0.0) for d in D]).reshape(D.shape).T
        return X, D @ X

    # 1 and 2: impact

    def _impact(
        self,
        t: float,
        q: Array,
        v: Array,
        angles: Array,
        touching: list[int],
        D: dict[int, Array],
        bias: dict[int, float],
    ) -> Outcome:
        gradients = np.array([D[i] for i in touching]).reshape(len(touching), len(v))
        before = gradients @ v
        if not (before < -AT_REST * _speed(v)).any():
            return Outcome(v, {}, {}, np.zeros(len(v)))
        problem = self.problem
        problem.at(t, q, v, angles, np.zeros(0, np.int64))
        problem.factor()
        X, G = self._matrix(gradients)
        e = self.driver.system.force_reals[touching, limit.RESTITUTION].copy()
        impulse, lost = _one_after_the_other(G, before, e, AT_REST * _speed(v))
        # bounces that are over before they are seen
        after = v + X @ impulse
        problem.at(t, q, after, angles, np.zeros(0, np.int64))
        fall = -(gradients @ problem.acceleration() + np.array([bias[i] for i in touching]))
        rate, h = gradients @ after, float(self.driver.clock[CLOCK.STEP])
        lowest = LOWEST_FLIGHT * float(np.spacing(np.abs(q).max(initial=0.0)))
        unseen = (2.0 * rate < SHORTEST_FLIGHT * h * fall) | (rate * rate < 2.0 * lowest * fall)
        short = (impulse > 0.0) & (fall > 0.0) & unseen
        if short.any():
            e[short] = 0.0
            impulse, lost = _one_after_the_other(G, before, e, AT_REST * _speed(v))
            after = v + X @ impulse
        return Outcome(
            after,
            {i: float(p) for i, p in zip(touching, impulse, strict=True) if p > 0.0},
            {i: float(x) for i, x, p in zip(touching, lost, impulse, strict=True) if p > 0.0},
            gradients.T @ impulse,
        )

    # 3: accelerations

    def _accelerate(
        self,
        t: float,
        q: Array,
        v: Array,
        angles: Array,
        touching: list[int],
        fired: set[int],
        D: dict[int, Array],
    ) -> None:
        """Let every law have the state that fits from now on."""
        small = AT_REST * _speed(v)
        for i in self.limits:
            self._set(i, limit.OPEN)
        closing = [i for i in touching if abs(float(D[i] @ v)) <= small]
        resting = self._friction_at_rest(v, fired, D)
        pushes = self._decide(t, q, v, angles, closing, resting, D)
        largest = max(pushes.values(), default=0.0)
        for i in closing:
            if pushes[i] > NO_PUSH * largest and pushes[i] > 0.0:
                self._set(i, limit.CLOSED)
        for i in resting:
            if self._state(i) == held_friction.STICKING:
                self._hold_here(i)

    def _friction_at_rest(self, v: Array, fired: set[int], D: dict[int, Array]) -> list[int]:
        """Frictions of joints whose speed is zero, which stick for now; the others slip their way."""
        self.driver.system.force_reals[[*self.frictions, *self.slidings], held_friction.SLACK] = 0.0
        small, resting = AT_REST * _speed(v), []
        for i in self.frictions:
            rate, state = float(D[i] @ v), self._state(i)
            slips = {held_friction.FORWARD: rate < 0.0, held_friction.BACKWARD: rate > 0.0}
            turned = i in fired and slips.get(state, False) and abs(rate) <= 1e3 * small
            if abs(rate) <= small or turned:
                resting.append(i)
                self._set(i, held_friction.STICKING)
            else:
                self._set(i, held_friction.FORWARD if rate > 0.0 else held_friction.BACKWARD)
        return resting

    # the same where contacts have friction

    def _with_friction(
        self,
        t: float,
        q: Array,
        v: Array,
        angles: Array,
        touching: set[int],
        fired: set[int],
        D: dict[int, Array],
    ) -> Outcome:
        contacts = [contact for contact in self._contacts if contact.line in touching]
        hit = frictional.impact(
            self.problem,
            (t, q, v, angles),
            contacts,
            AT_REST * _speed(v),
            SHORTEST_FLIGHT * float(self.driver.clock[CLOCK.STEP]),
            LOWEST_BOUNCE,
        )
        small = AT_REST * _speed(hit.v)
        closing = [contact for contact in contacts if abs(float(contact.gradient @ hit.v)) <= small]
        resting = set()
        for contact in closing:
            if contact.friction is None or contact.slips is None:
                continue
            speed = float(np.linalg.norm(contact.slips @ hit.v))
            turned = contact.friction in fired and speed <= 1e3 * small
            if speed <= small or turned:
                resting.add(contact.friction)
        loosened = {i for i in self.cones if i in fired and self._state(i) == cone.STICKING}
        for i in (*self.limits, *self.cones):
            self._set(i, limit.OPEN if i in self.limits else cone.FREE)
        held = self._friction_at_rest(hit.v, fired, D)
        sliding = self._sliding_at_rest(hit.v, fired)
        rest = self._settled((t, q, hit.v, angles), closing, resting, loosened, [*held, *sliding], D)
        frictional.note_states(self.driver, self._contacts, rest)
        for i in (*held, *sliding):
            if self._state(i) == held_friction.STICKING:
                self._hold_here(i)
        lines = [contact.line for contact in contacts]
        return Outcome(
            hit.v,
            {i: float(p) for i, p in zip(lines, hit.impulse, strict=True) if p > 0.0},
            {i: float(x) for i, x, p in zip(lines, hit.loss, hit.impulse, strict=True) if p > 0.0},
            hit.load,
        )

    def _settled(
        self,
        state: tuple[float, Array, Array, Array],
        closing: list[OneSided],
        resting: set[int],
        loosened: set[int],
        held: list[int],
        D: dict[int, Array],
    ) -> frictional.Rest:
        """Decide, and decide again without the frictions of joints that cannot hold."""
        for _ in range(len(held) + 1):
            sticking = [i for i in held if self._state(i) == held_friction.STICKING]
            for agreed in self._until_agreed():
                bounded = {i: (*self._slips(i, D), self._bound(i)) for i in sticking}
                rest = frictional.accelerate(self.problem, state, closing, resting, loosened, bounded)
                self._pushed.update((i, float(z[0])) for i, z in rest.held.items())
                agreed()
            for i, direction in rest.loose.items():
                self._slip(i, direction)
            if not rest.loose:
                break
        return rest

    def _until_agreed(self) -> Iterator[Callable[[], None]]:
        """Rounds until what friction depends on no longer changes; each calls what it is given at its end.

        Bounds take a share of what is new, which becomes smaller where they swing to and fro.
        """
        lines, done, before = [*self.frictions, *self.slidings], False, np.array([np.nan])
        self._bounds: dict[int, float] = {}
        self._share = 1.0

        def agreed() -> None:
            nonlocal done, before
            now = np.array([*(self._load(i) for i in lines), *self._bounds.values()])
            size = np.abs(now).max(initial=0.0)
            done = len(now) == len(before) and np.abs(now - before).max(initial=0.0) <= AGREED * size
            before = now

        for k in range(NORMAL_ROUNDS if self._depends_on_reactions else 1):
            if k and k % 20 == 0:
                self._share *= 0.5
            yield agreed
            if done:
                return

    def _slips(self, line: int, D: dict[int, Array]) -> tuple[Array, Array]:
        """Gradients and biases of the components of a friction's slip."""
        rows = self.driver.law_kind(line).rows_of(self.driver.system.forces[line])
        bias = np.array([self.problem.coordinate(row)[2] for row in rows])
        return (self._across[line] if line in self.slidings else D[line][None, :]), bias

    def _slip(self, line: int, direction: Array) -> None:
        """Let a friction slip that cannot hold."""
        if line in self.slidings:
            self._set(line, held_friction.SLIPPING)
            self.driver.system.force_reals[line, held_friction.FIRST :][: len(direction)] = direction
        else:
            self._set(line, held_friction.FORWARD if direction[0] > 0.0 else held_friction.BACKWARD)

    def _sliding_at_rest(self, v: Array, fired: set[int]) -> list[int]:
        """The same of those along several functions."""
        small, resting = AT_REST * _speed(v), []
        for i in self.slidings:
            u = self._across[i] @ v
            speed = float(np.linalg.norm(u))
            turned = i in fired and self._state(i) == held_friction.SLIPPING and speed <= 1e3 * small
            if speed <= small or turned:
                resting.append(i)
                self._set(i, held_friction.STICKING)
            else:
                self._slip(i, u / speed)
        return resting

    def _normals(self) -> Array:
        """What presses the surfaces of all frictions, by the reactions that were found last."""
        return np.array([self._load(i) for i in (*self.frictions, *self.slidings)])

    def _load(self, line: int) -> float:
        if line in self.meshes:
            return abs(self.problem.multiplier(int(self.driver.system.forces[line, mesh_loss.MESH])))
        return self.problem.normal(line)

    def _bound(self, line: int) -> float:
        """N F_s with the reactions that were found last."""
        reals, known = self.driver.system.force_reals[line], self._bounds.get(line)
        if line not in self.meshes:
            new = self.problem.normal(line) * float(reals[held_friction.STATIC])
        elif known is None:  # at first it holds, whatever the load
            work = self.problem.work
            new = HOLDS_ALL * float(np.abs(work.vectors[VECTOR.Q]).max() + np.abs(work.grad).max())
        else:
            mesh = self.problem.multiplier(int(self.driver.system.forces[line, mesh_loss.MESH]))
            holds: Any = mesh_loss.holds_up_to
            new = float(holds.py_func(reals, mesh, self._pushed[line]))
        self._bounds[line] = new if known is None else known + self._share * (new - known)
        return self._bounds[line]

    def _decide(
        self,
        t: float,
        q: Array,
        v: Array,
        angles: Array,
        closing: list[int],
        resting: list[int],
        D: dict[int, Array],
    ) -> dict[int, float]:
        """Pushes of the limits that close; friction that cannot hold gets its direction."""
        problem, nothing = self.problem, np.zeros(0, np.int64)
        for _ in range(len(resting) + 1):
            sticking = [i for i in resting if self._state(i) == held_friction.STICKING]
            lines = [*closing, *sticking]
            problem.at(t, q, v, angles, nothing)
            problem.factor()
            gradients = np.array([D[i] for i in lines]).reshape(len(lines), len(v))
            biases = np.array([self._side(i) * problem.coordinate(self.row[i])[2] for i in lines])
            _, G = self._matrix(gradients)
            # what friction can hold and what slips may depend on reactions, which depend on both
            for agreed in self._until_agreed():
                bound = {i: self._bound(i) for i in sticking}
                a = problem.acceleration()
                most = np.array([bound[i] for i in sticking])
                force = _pushes(G, gradients @ a + biases, len(closing), most)
                pushes = dict(zip(lines, map(float, force), strict=True))
                self._pushed.update((i, pushes[i]) for i in sticking)
                total = problem.react(gradients.T @ force)
                agreed()
            loose = [i for i in sticking if abs(pushes[i]) >= bound[i] * (1.0 - AT_BOUND)]
            if not loose:
                break
            for i in loose:
                self._set(i, held_friction.BACKWARD if pushes[i] > 0.0 else held_friction.FORWARD)
        self._note_blocked(
            resting, {i: float(D[i] @ total) + problem.coordinate(self.row[i])[2] for i in resting}, v, total
        )
        return pushes

    def _note_blocked(self, resting: list[int], starts: dict[int, float], v: Array, a: Array) -> None:
        """Friction at its bound that a closed limit keeps from slipping: its speed is but rounding."""
        reals, still = self.driver.system.force_reals, AT_REST * max(1.0, float(np.abs(a).max(initial=0.0)))
        for i in resting:
            if self._state(i) != held_friction.STICKING and abs(starts[i]) <= still:
                reals[i, held_friction.SLACK] = BLOCKED * AT_REST * _speed(v)

    def _hold_here(self, line: int) -> None:
        """The row of friction holds the coordinate where it is."""
        system, problem = self.driver.system, self.problem
        for row in self.driver.law_kind(line).rows_of(system.forces[line]):
            if not system.rows[row, ROW.VELOCITY]:
                system.row_reals[row, ROW_REAL.TARGET] = problem.coordinate(row)[0]
        # rounding of forces does not break loose what nothing presses
        largest = np.abs(problem.work.row[:, ROW_VALUE.LAMBDA]).max(initial=0.0)
        largest += np.abs(problem.work.vectors[VECTOR.Q]).max(initial=0.0)
        system.force_reals[line, held_friction.SLACK] = ROUNDED * largest

    # after it

    def _consistent(self, t: float, q: Array, v: Array, angles: Array) -> Array:
        """Velocities that the active rows allow, next to these."""
        self.problem.at(t, q, v, angles, self._held)
        self.problem.factor()
        return v + self.problem.solve(np.zeros(len(v)), -self.problem.work.row[:, ROW_VALUE.RATE])

    def _note_slack(self, parting: list[int], gaps: dict[int, float], at_rest: set[int]) -> None:
        """A limit that is left without an impact is left slowly: the depth at which it was found, and what
        rounding adds, do not bring it back; nor do they a corner that stays beside those that carry."""
        reals = self.driver.system.force_reals
        for i in self.limits:
            spacing = 8.0 * float(np.spacing(abs(reals[i, limit.LIMIT]) + self._size(i)))
            if i in at_rest:
                spacing = max(spacing, TOUCHING * self._size(i))
            if self.cones and self._state(i) == limit.CLOSED:
                continue  # the pull that rounding may make
            reals[i, limit.SLACK] = max(-gaps[i], 0.0) + spacing if i in parting else 0.0

    def _note_ranks(self) -> None:
        """The solver of the run learns anew; methods with a given rank are told that of these rows."""
        driver, problem = self.driver, self.problem
        driver.rows_changed(
            lambda rows: (
                problem.rank(np.concatenate([problem.permanent[rows], self._held]))
                - problem.rank(problem.permanent[rows])
            )
        )

    def _told(self, t: float, before: dict[int, int], outcome: Outcome) -> tuple[RunEvent, ...]:
        system, name = self.driver.system, self.driver.law_name
        events: list[RunEvent] = []
        for i, impulse in outcome.impulses.items():
            side = "upper" if system.force_reals[i, limit.SIDE] > 0.0 else "lower"
            what = f"hits its {side} limit"
            events.append(RunEvent(t, name(i), what, "impact", impulse, outcome.losses[i]))
        return tuple(events)


def _speed(v: Array) -> float:
    """What small rates are compared with."""
    return max(1.0, float(np.abs(v).max(initial=0.0)))


def _one_after_the_other(G: Array, before: Array, e: Array, small: float) -> tuple[Array, Array]:
    """Λ and the energy lost by each, where an impact sets off others among limits that only touch.

    What approaches at one moment is hit at once; what that sets in motion against others that touch is hit
    next, as a blow goes through a row of balls. Without restitution, and where there is no end of it, all are
    hit at once.
    """
    impulse, loss, rate = np.zeros(len(before)), np.zeros(len(before)), before.copy()

    def hit(which: Ints, bounce: Array) -> None:
        nonlocal rate
        own = _impulses(G[np.ix_(which, which)], rate[which], bounce[which])
        after = rate + G[:, which] @ own
        loss[which] -= 0.5 * own * (rate[which] + after[which])
        impulse[which] += own
        rate = after

    every = np.arange(len(before))
    for _ in range(BLOWS if (e > 0.0).any() else 0):
        approaching = np.flatnonzero(rate < -small)
        if not len(approaching):
            return impulse, loss
        hit(approaching, e)
    hit(every, e if not impulse.any() else np.zeros(len(e)))
    return impulse, loss


def _impulses(G: Array, before: Array, e: Array) -> Array:
    """Λ of an impact by Newton's law, drawn towards the inelastic one where it would add energy."""
    found = complementary(G, before + e * np.minimum(before, 0.0))
    inelastic = complementary(G, before)
    if inelastic is None:
        return np.zeros(len(before))
    if found is None:
        return inelastic

    def gained(impulse: Array) -> float:
        return float(impulse @ (before + 0.5 * G @ impulse))

    lost = gained(inelastic)
    if gained(found) <= -1e-15 * abs(lost):
        return found
    # the energy is a parabola along the way from one to the other: its root in (0, 1]
    step = found - inelastic
    a, b = 0.5 * float(step @ G @ step), float(step @ (before + G @ inelastic))
    if a <= 0.0:
        return inelastic
    share = (-b + np.sqrt(max(b * b - 4.0 * a * lost, 0.0))) / (2.0 * a)
    return np.asarray(inelastic + min(max(float(share), 0.0), 1.0) * step)


def _pushes(G: Array, free: Array, limits: int, bound: Array) -> Array:
    """Pushes of one-sided limits, and of friction within ± bound, for accelerations free + G λ.

    Friction λ ∈ [−F, F] is written with λ_R = λ + F ≥ 0 and λ_L = F − λ ≥ 0 against the two directions of the
    acceleration a_R − a_L [Pfeiffer 1996, §5].
    """
    m, k = limits, len(bound)
    if m + k == 0:
        return np.zeros(0)
    shift = np.concatenate([np.zeros(m), bound])
    M = np.zeros((m + 2 * k, m + 2 * k))
    M[: m + k, : m + k] = G
    M[m : m + k, m + k :] = np.eye(k)
    M[m + k :, m : m + k] = -np.eye(k)
    q = np.concatenate([free - G @ shift, 2.0 * bound])
    z = complementary(M, q)
    if z is None:
        z = np.zeros(m + 2 * k)
    return np.asarray(z[: m + k] - shift)
