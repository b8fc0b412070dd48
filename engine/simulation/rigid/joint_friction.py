"""Friction of joints at one instant: what is at rest, what it can hold, and where it begins to slip.

Friction along one function (`single`) slips forwards or backwards, friction along several (`several`) in a
direction. What it can hold may depend on reactions, which depend on what it holds: both are found in rounds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from engine.compiled.columns import forces as LAW
from engine.compiled.columns import row_reals as ROW_REAL
from engine.compiled.columns import row_values as ROW_VALUE
from engine.compiled.columns import rows as ROW
from engine.compiled.columns import vectors as VECTOR
from engine.compiled.layout import Array
from engine.elements.laws import held_friction, mesh_loss
from engine.simulation.rigid.contact_problem import ContactProblem
from engine.simulation.rigid.shared_motion import SharedMotion, shared_motions
from engine.simulation.stepping.method_driver import Driver
from engine.simulation.stepping.shared_multipliers import Sharing

AT_REST = 1e-11  # of the largest speed, or of 1: a rate that counts as none
BLOCKED = 100.0  # times that: where slip is blocked, what rounding may do
NORMAL_ROUNDS = 200  # until friction and the reaction that it depends on agree
AGREED = 1e-13
HOLDS_ALL = 1e3  # of the largest force: more than any mesh has to hold
ROUNDED = 1e-13  # of the largest force or reaction: what a friction that holds does not notice


def rate_at_rest(v: Array) -> float:
    """A rate that counts as none beside these velocities."""
    return AT_REST * max(1.0, float(np.abs(v).max(initial=0.0)))


class JointFriction:
    """The frictions of all joints of a driver, by the lines of their laws."""

    def __init__(self, driver: Driver, problem: ContactProblem) -> None:
        self.driver = driver
        self.problem = problem
        kinds = {int(i): driver.law_kind(int(i)) for i in driver.switching}
        lines = [i for i, kind in kinds.items() if kind in (held_friction.KIND, mesh_loss.KIND)]
        self.meshes = {i for i in lines if kinds[i] is mesh_loss.KIND}
        self.rows = {i: kinds[i].rows_of(driver.system.forces[i]) for i in lines}
        self.single = [i for i in lines if len(self.rows[i]) == 1]
        self.several = [i for i in lines if len(self.rows[i]) > 1]
        begin = driver.system.forces[lines, held_friction.REACTION]
        end = driver.system.forces[lines, held_friction.REACTION + 1]
        self._depends_on_reactions = bool(self.meshes) or bool((end > begin).any())
        self.gradients: dict[int, Array] = {}  # of the components of slip, where the problem is
        self.pushed: dict[int, float] = {}  # effort of frictions that hold, as it was found last
        self._bounds: dict[int, float] = {}
        self._share = 1.0
        reacting = dict(zip(lines, end > begin, strict=True))
        self._shares = {i for i in self.single if i not in self.meshes and not reacting[i]}
        self._motions: list[tuple[list[int], SharedMotion]] = []  # lines that hold each

    @property
    def lines(self) -> list[int]:
        return [*self.single, *self.several]

    def look(self) -> None:
        """Learn the gradients at the present pose of the problem."""
        for i, rows in self.rows.items():
            self.gradients[i] = np.array([self.problem.gradient(row) for row in rows])

    def biases(self, line: int) -> Array:
        """What the accelerations of a friction's slip have beside its gradients times a."""
        return np.array([self.problem.coordinate(row)[2] for row in self.rows[line]])

    # states

    def holds(self, line: int) -> bool:
        return self._state(line) == held_friction.STICKING

    def _state(self, line: int) -> int:
        return int(self.driver.system.forces[line, LAW.X])

    def _set(self, line: int, state: int) -> None:
        self.driver.system.forces[line, LAW.X] = state

    def slip(self, line: int, direction: Array) -> None:
        """Let a friction slip that cannot hold."""
        if line in self.several:
            self._set(line, held_friction.SLIPPING)
            self.driver.system.force_reals[line, held_friction.FIRST :][: len(direction)] = direction
        else:
            self._set(line, held_friction.FORWARD if direction[0] > 0.0 else held_friction.BACKWARD)

    def at_rest(self, v: Array, fired: set[int]) -> list[int]:
        """Frictions whose speed is zero, which stick for now; the others slip their way.

        One whose direction has just been reversed is at rest, too, though rounding left it a speed.
        """
        self.driver.system.force_reals[self.lines, held_friction.SLACK] = 0.0
        self._share_none()
        small, resting = rate_at_rest(v), []
        for i in self.lines:
            u, state = self.gradients[i] @ v, self._state(i)
            speed = float(np.linalg.norm(u))
            reversed_ = {held_friction.FORWARD: u[0] < 0.0, held_friction.BACKWARD: u[0] > 0.0}
            slipped = state == held_friction.SLIPPING if i in self.several else reversed_.get(state, False)
            if speed <= small or (i in fired and slipped and speed <= 1e3 * small):
                resting.append(i)
                self._set(i, held_friction.STICKING)
            else:
                self.slip(i, u / speed)
        return resting

    # what it can hold

    def until_agreed(self) -> Iterator[Callable[[], None]]:
        """Rounds until what friction depends on no longer changes; each calls what it is given at its end.

        Bounds take a share of what is new, which becomes smaller where they swing to and fro.
        """
        done, before = False, np.array([np.nan])
        self._bounds = {}
        self._share = 1.0

        def agreed() -> None:
            nonlocal done, before
            now = np.array([*(self._load(i) for i in self.lines), *self._bounds.values()])
            size = np.abs(now).max(initial=0.0)
            done = len(now) == len(before) and np.abs(now - before).max(initial=0.0) <= AGREED * size
            before = now

        for k in range(NORMAL_ROUNDS if self._depends_on_reactions else 1):
            if k and k % 20 == 0:
                self._share *= 0.5
            yield agreed
            if done:
                return

    def _load(self, line: int) -> float:
        """What presses its surfaces, by the reactions that were found last."""
        if line in self.meshes:
            return abs(self.problem.multiplier(int(self.driver.system.forces[line, mesh_loss.MESH])))
        return self.problem.normal(line)

    def bound(self, line: int) -> float:
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
            new = float(holds.py_func(reals, mesh, self.pushed[line]))
        self._bounds[line] = new if known is None else known + self._share * (new - known)
        return self._bounds[line]

    # motions that several hold

    def motions(self, sticking: list[int], G: Array) -> list[SharedMotion]:
        """Those that several of these hold; those whose bounds depend on reactions share with none."""
        if len(self._shares.intersection(sticking)) < 2:
            self._motions = []
            return []
        static = self.driver.system.force_reals[:, held_friction.STATIC]
        found = shared_motions(G, np.array([static[i] if i in self._shares else 0.0 for i in sticking]))
        self._motions = [([sticking[k] for k in motion.at], motion) for motion in found]
        return found

    def _share_none(self) -> None:
        self._motions = []
        self.driver.sharings = ()
        held = [i for i in self.lines if i not in self.meshes]
        self.driver.system.forces[held, held_friction.NEXT] = 0

    def _note_motions(self) -> None:
        """Frictions that hold one motion form a ring, and samples have their shares."""
        system, problem = self.driver.system, self.problem
        joints = problem.permanent
        for lines, motion in self._motions:
            if not all(self.holds(i) for i in lines):
                continue
            system.forces[lines, held_friction.NEXT] = np.roll(lines, -1) + 1
            system.force_reals[lines, held_friction.RATE] = motion.rates
            rows = np.array([self.rows[i][0] for i in lines], np.int64)
            slips = np.array([self.gradients[i][0] for i in lines])
            J = np.array([problem.gradient(int(r)) for r in joints]).reshape(len(joints), slips.shape[1])
            self.driver.sharings += (Sharing.of(motion.rates, motion.shares, rows, slips, joints, J),)

    # what is noted of it

    def note_blocked(self, resting: list[int], v: Array, a: Array) -> None:
        """Friction at its bound that a closed limit keeps from slipping: its speed is but rounding."""
        still = rate_at_rest(a)
        for i in resting:
            begins = float(self.gradients[i][0] @ a + self.biases(i)[0])
            if not self.holds(i) and abs(begins) <= still:
                self.driver.system.force_reals[i, held_friction.SLACK] = BLOCKED * rate_at_rest(v)

    def hold_here(self, resting: list[int]) -> None:
        """The rows of those that hold keep the coordinates where they are."""
        self._note_motions()
        system, problem = self.driver.system, self.problem
        for line in resting:
            if not self.holds(line):
                continue
            for row in self.rows[line]:
                if not system.rows[row, ROW.VELOCITY]:
                    system.row_reals[row, ROW_REAL.TARGET] = problem.coordinate(row)[0]
            # rounding of forces does not break loose what nothing presses
            largest = np.abs(problem.work.row[:, ROW_VALUE.LAMBDA]).max(initial=0.0)
            largest += np.abs(problem.work.vectors[VECTOR.Q]).max(initial=0.0)
            system.force_reals[line, held_friction.SLACK] = ROUNDED * largest
