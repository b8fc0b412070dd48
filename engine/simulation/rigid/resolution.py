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

Without friction at the contacts the problems are those of `frictionless`, else those of `contact_impact` and
`contact_rest`.
Friction of joints is in `joint_friction`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engine.compiled.columns import clock as CLOCK
from engine.compiled.columns import forces as LAW
from engine.compiled.columns import row_reals as ROW_REAL
from engine.compiled.columns import row_values as ROW_VALUE
from engine.compiled.columns import rows as ROW
from engine.compiled.layout import Array
from engine.elements.laws import cone, limit
from engine.elements.laws.base import LawKind
from engine.results.run_events import RunEvent
from engine.simulation.rigid import frictionless
from engine.simulation.rigid.contact_impact import impact
from engine.simulation.rigid.contact_problem import REPEATED, ContactProblem
from engine.simulation.rigid.contact_rest import Rest, accelerate, note_states
from engine.simulation.rigid.held_features import HeldFeatures
from engine.simulation.rigid.joint_friction import JointFriction, rate_at_rest
from engine.simulation.rigid.one_sided import OneSided, OneSidedTable
from engine.simulation.stepping.method_driver import Driver

SHORTEST_FLIGHT = 1e-6  # of a step: a bounce that is shorter is the end of bouncing
SHORTEST_SLIP = 1e-5  # of a step: what friction ends sooner, where slip has turned, has ended
LOWEST_FLIGHT = 32.0  # roundings of the coordinates: a bounce that is lower cannot be seen
# of the size of the row: the same among contacts with friction, whose slack is larger, and of a corner that
# parts as another hits
LOWEST_BOUNCE = 1e-13
TOUCHING = 1e-11  # of the size of the row: a gap that counts as none
NO_PUSH = 1e-12  # of the largest force
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
        self.table = OneSidedTable(driver, self.problem)
        self.row = self.table.row
        self.friction = JointFriction(driver, self.problem)
        self.features = HeldFeatures(
            driver, self.problem, list(map(int, self.table.limits)), list(map(int, self.table.cones))
        )
        self._contacts: list[OneSided] = []  # that are near, where the last event was

    def resolve(self, sample: Array, fired: set[int]) -> tuple[Array, tuple[RunEvent, ...]]:
        """The sample after the event; the states of the driver are those that follow.

        `fired`: lines whose state has just ceased to fit.
        """
        driver = self.driver
        t, q, v, angles, works = driver.layout.state(sample)
        self.features.take(t, q, v, angles, TOUCHING, fired)
        gaps, D, bias = self._geometry(t, q, v, angles, fired)
        touching = [
            i
            for i in gaps
            if gaps[i] <= TOUCHING * self._size(i)
            or ((self._state(i) == limit.CLOSED or i in fired) and not self._parted(i))
        ]
        if len(self.table.cones) or self.friction.several:
            outcome = self._with_friction(t, q, v, angles, set(touching), fired)
        else:
            outcome = self._impact(t, q, v, angles, touching, D, bias)
            self._accelerate(t, q, outcome.v, angles, touching, fired, D)
        v = self._consistent(t, q, outcome.v, angles)
        at_rest = {i for i in touching if abs(float(D[i] @ v)) <= rate_at_rest(v)}
        self._note_slack([i for i in touching if i not in outcome.impulses or i in at_rest], gaps, at_rest)
        self.features.settle(set(touching))
        self._note_ranks()
        after = sample.copy()
        after[driver.layout.v] = v
        for line, loss in outcome.losses.items():
            works[driver.system.forces[line, LAW.QUADRATURE]] -= loss
        if outcome.impulses:
            self._book_motions((t, q, v, angles), outcome.load, works)
        after[driver.layout.works] = works
        return after, self._told(t, outcome)

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

    def _fired(self, kind: LawKind, fired: set[int]) -> list[int]:
        """Lines of a kind among those that have fired."""
        return [i for i in sorted(fired) if self.driver.law_kind(i) is kind]

    def _set(self, line: int, state: int) -> None:
        self.driver.system.forces[line, LAW.X] = state

    def _size(self, line: int) -> float:
        return float(self.driver.system.row_reals[self.row[line], ROW_REAL.SCALE])

    def _side(self, line: int) -> float:
        """Sign that makes a rate of the coordinate one of the gap."""
        return -float(self.driver.system.force_reals[line, limit.SIDE])

    def _parted(self, line: int) -> bool:
        """Whether a corner is beyond the end of the face that its row holds it on; after `_geometry`."""
        held, _, _ = self.problem.coordinate(self.row[line])
        return abs(self.problem.seen(line) - held) > limit.PARTED * self._size(line)

    # geometry

    def _geometry(
        self, t: float, q: Array, v: Array, angles: Array, fired: set[int]
    ) -> tuple[dict[int, float], dict[int, Array], dict[int, float]]:
        """Gaps of the limits that are near, their gradients, and what their accelerations have beside D a."""
        near = self._contacts = self.table.near(t, q, v, angles, TOUCHING, fired)
        self.friction.look()
        gaps = {contact.line: contact.gap for contact in near}
        return gaps, {c.line: c.gradient for c in near}, {c.line: c.bias for c in near}

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
        if not (before < -rate_at_rest(v)).any():
            return Outcome(v, {}, {}, np.zeros(len(v)))
        problem = self.problem
        problem.at(t, q, v, angles, np.zeros(0, np.int64))
        problem.factor()
        X, G = self._matrix(gradients)
        e = self.driver.system.force_reals[touching, limit.RESTITUTION].copy()
        impulse, lost = frictionless.impulses_in_turn(G, before, e, rate_at_rest(v))
        # bounces that are over before they are seen
        after = v + X @ impulse
        problem.at(t, q, after, angles, np.zeros(0, np.int64))
        free = gradients @ problem.acceleration() + np.array([bias[i] for i in touching])
        h = float(self.driver.clock[CLOCK.STEP])
        lowest = LOWEST_FLIGHT * float(np.spacing(np.abs(q).max(initial=0.0)))
        short = np.zeros(len(e), dtype=bool)
        for _ in range(len(e)):  # what rests from now on may press what had not fallen back
            rate = gradients @ after
            fall = frictionless.falls(G, free, np.flatnonzero(np.abs(rate) <= rate_at_rest(v)))
            unseen = (2.0 * rate < SHORTEST_FLIGHT * h * fall) | (rate * rate < 2.0 * lowest * fall)
            more = (impulse > 0.0) & (fall > 0.0) & unseen & ~short
            if not more.any():
                break
            short |= more
            e[short] = 0.0
            impulse, lost = frictionless.impulses_in_turn(G, before, e, rate_at_rest(v))
            after = v + X @ impulse
        # nor does a corner part that would be back at once, as when rocking ends, or that the blow of another
        # lifts behind its own last one
        rate, fall = gradients @ after, np.maximum(fall, 0.0)
        slow = np.sqrt(2.0 * fall * LOWEST_BOUNCE * np.array([self._size(i) for i in touching]))
        slow[(impulse > 0.0) & ~short] = 0.0
        kept = np.flatnonzero(np.abs(rate) <= np.maximum(slow, rate_at_rest(v)))
        if np.abs(rate[kept]).max(initial=0.0) > rate_at_rest(v) and (impulse > 0.0).any():
            stopping = np.linalg.lstsq(G[np.ix_(kept, kept)], -rate[kept], rcond=REPEATED)[0]
            lost[int(np.argmax(impulse))] -= float(
                stopping @ (rate[kept] + 0.5 * G[np.ix_(kept, kept)] @ stopping)
            )
            after = after + X[:, kept] @ stopping
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
        small = rate_at_rest(v)
        self.driver.system.forces[self.table.limits, LAW.X] = limit.OPEN
        closing = [i for i in touching if abs(float(D[i] @ v)) <= small]
        resting = self.friction.at_rest(v, fired)
        pushes = self._decide(t, q, v, angles, closing, resting, D)
        largest = max(pushes.values(), default=0.0)
        for i in closing:
            if pushes[i] > NO_PUSH * largest and pushes[i] > 0.0:
                self._set(i, limit.CLOSED)
        self.friction.hold_here(resting)

    # the same where contacts have friction

    def _with_friction(
        self,
        t: float,
        q: Array,
        v: Array,
        angles: Array,
        touching: set[int],
        fired: set[int],
    ) -> Outcome:
        contacts = [contact for contact in self._contacts if contact.line in touching]
        hit = impact(
            self.problem,
            (t, q, v, angles),
            contacts,
            rate_at_rest(v),
            SHORTEST_FLIGHT * float(self.driver.clock[CLOCK.STEP]),
            LOWEST_BOUNCE,
        )
        small = rate_at_rest(hit.v)
        closing = [contact for contact in contacts if abs(float(contact.gradient @ hit.v)) <= small]
        resting = set()
        ends = self._ends_of_slip(t, q, hit.v, angles, closing, fired)
        for contact in closing:
            if contact.friction is None or contact.slips is None:
                continue
            speed = float(np.linalg.norm(contact.slips @ hit.v))
            turned = contact.friction in fired and speed <= 1e3 * small
            if speed <= small or turned or speed <= ends.get(contact.friction, 0.0):
                resting.add(contact.friction)
        loosened = {i for i in self._fired(cone.KIND, fired) if self._state(i) == cone.STICKING}
        left = {i for i in self._fired(limit.KIND, fired) if self._state(i) == limit.CLOSED}
        self.driver.system.forces[self.table.limits, LAW.X] = limit.OPEN
        self.driver.system.forces[self.table.cones, LAW.X] = cone.FREE
        held = self.friction.at_rest(hit.v, fired)
        rest = self._settled((t, q, hit.v, angles), closing, resting, loosened, left, held)
        note_states(self.problem, self._contacts, rest)
        self.friction.hold_here(held)
        lines = [contact.line for contact in contacts]
        return Outcome(
            hit.v,
            {i: float(p) for i, p in zip(lines, hit.impulse, strict=True) if p > 0.0},
            {i: float(x) for i, x, p in zip(lines, hit.loss, hit.impulse, strict=True) if p > 0.0},
            hit.load,
        )

    def _ends_of_slip(
        self, t: float, q: Array, v: Array, angles: Array, closing: list[OneSided], fired: set[int]
    ) -> dict[int, float]:
        """Speeds that friction ends in next to no time, by line, where the slip of a contact has just turned:
        as a box comes to rest its corners turn about each other, ever faster the slower they are."""
        if not any(self._state(i) == cone.SLIPPING for i in self._fired(cone.KIND, fired)):
            return {}
        problem = self.problem
        problem.at(t, q, v, angles, np.zeros(0, np.int64))
        problem.factor()
        a, short = problem.acceleration(), SHORTEST_SLIP * float(self.driver.clock[CLOCK.STEP])
        return {
            contact.friction: short * contact.kinetic * abs(float(contact.gradient @ a) + contact.bias)
            for contact in closing
            if contact.friction is not None
        }

    def _settled(
        self,
        state: tuple[float, Array, Array, Array],
        closing: list[OneSided],
        resting: set[int],
        loosened: set[int],
        left: set[int],
        held: list[int],
    ) -> Rest:
        """Decide, and decide again without the frictions of joints that cannot hold."""
        friction = self.friction
        for _ in range(len(held) + 1):
            sticking = [i for i in held if friction.holds(i)]
            for agreed in friction.until_agreed():
                bounded = {
                    i: (friction.gradients[i], friction.biases(i), friction.bound(i)) for i in sticking
                }
                rest = accelerate(self.problem, state, closing, resting, loosened, left, bounded)
                friction.pushed.update((i, float(z[0])) for i, z in rest.held.items())
                agreed()
            for i, direction in rest.loose.items():
                friction.slip(i, direction)
            if not rest.loose:
                break
        return rest

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
        problem, friction, nothing = self.problem, self.friction, np.zeros(0, np.int64)
        for _ in range(len(resting) + 1):
            sticking = [i for i in resting if friction.holds(i)]
            lines = [*closing, *sticking]
            problem.at(t, q, v, angles, nothing)
            problem.factor()
            slips = [friction.gradients[i][0] for i in sticking]
            gradients = np.array([*(D[i] for i in closing), *slips]).reshape(len(lines), len(v))
            beside = [self._side(i) * problem.coordinate(self.row[i])[2] for i in closing]
            biases = np.array([*beside, *(friction.biases(i)[0] for i in sticking)])
            _, G = self._matrix(gradients)
            first = len(closing)
            motions = friction.motions(sticking, G[first:, first:])
            # what friction can hold and what slips may depend on reactions, which depend on both
            for agreed in friction.until_agreed():
                bound = {i: friction.bound(i) for i in sticking}
                a = problem.acceleration()
                most = np.array([bound[i] for i in sticking])
                free = gradients @ a + biases
                force = frictionless.shared_pushes(G, free, first, most, motions)
                pushes = dict(zip(lines, map(float, force), strict=True))
                friction.pushed.update((i, pushes[i]) for i in sticking)
                total = problem.react(gradients.T @ force)
                agreed()
            loose = [i for i in sticking if abs(pushes[i]) >= bound[i] * (1.0 - AT_BOUND)]
            if not loose:
                break
            for i in loose:
                friction.slip(i, np.array([-1.0 if pushes[i] > 0.0 else 1.0]))
        friction.note_blocked(resting, v, total)
        return pushes

    # after it

    def _consistent(self, t: float, q: Array, v: Array, angles: Array) -> Array:
        """Velocities that the active rows allow, next to these."""
        self.problem.at(t, q, v, angles, self.driver.rows_that_hold)
        self.problem.factor()
        return v + self.problem.solve(np.zeros(len(v)), -self.problem.work.row[:, ROW_VALUE.RATE])

    def _note_slack(self, parting: list[int], gaps: dict[int, float], at_rest: set[int]) -> None:
        """A limit that is left without an impact is left slowly: the depth at which it was found, and what
        rounding adds, do not bring it back; nor do they a corner that stays beside those that carry."""
        forces, reals, lines = self.driver.system.forces, self.driver.system.force_reals, self.table.limits
        carries = bool(len(self.table.cones)) & (forces[lines, LAW.X] == limit.CLOSED)
        reals[lines[~carries], limit.SLACK] = 0.0  # the others have the pull that rounding may make
        for i in parting:
            spacing = 8.0 * float(np.spacing(abs(reals[i, limit.LIMIT]) + self._size(i)))
            if i in at_rest:
                spacing = max(spacing, TOUCHING * self._size(i))
            if not (len(self.table.cones) and self._state(i) == limit.CLOSED):
                reals[i, limit.SLACK] = max(-gaps[i], 0.0) + spacing

    def _note_ranks(self) -> None:
        """The solver of the run learns anew; methods with a given rank are told that of these rows."""
        driver, problem = self.driver, self.problem
        driver.rows_changed(
            lambda rows: (
                problem.rank(np.concatenate([problem.permanent[rows], self.driver.rows_that_hold]))
                - problem.rank(problem.permanent[rows])
            )
        )

    def _told(self, t: float, outcome: Outcome) -> tuple[RunEvent, ...]:
        system, name = self.driver.system, self.driver.law_name
        events: list[RunEvent] = []
        for i, impulse in outcome.impulses.items():
            side = "upper" if system.force_reals[i, limit.SIDE] > 0.0 else "lower"
            what = f"hits its {side} limit"
            events.append(RunEvent(t, name(i), what, "impact", impulse, outcome.losses[i]))
        return tuple(events)
