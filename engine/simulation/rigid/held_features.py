"""Which faces and pairs of edges the rows of a contact in space hold, from one event to the next.

They are chosen at events alone, so that no row jumps from one to another within a step. A row for a sharp
corner keeps the face on which the corner was found. Edges of two shapes may cross in several places at once,
and have a row for each of so many (`slots` of `engine/elements/gaps/crossing.py`): those that carry keep
their pair, those that touch get one, and the first of the rest is a seeker, which looks for the next one.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numba import types

from engine.compiled.arenas import open_system, open_work
from engine.compiled.columns import entries as ENTRY
from engine.compiled.columns import forces as LAW
from engine.compiled.columns import row_reals as ROW_REAL
from engine.compiled.columns import rows as ROW
from engine.compiled.kernel import kernel
from engine.compiled.layout import F2, I1, PACKED, Array, Ints, Packed
from engine.elements.gaps.crossing import CODES, IDLE, SEARCH, SEEK, all_crossings
from engine.elements.gaps.nearest import EDGES, HULL
from engine.elements.laws import cone, limit
from engine.elements.primitives import contact
from engine.maths.vectors import add, load, rotate, sub, unrotate
from engine.simulation.rigid.contact_problem import ContactProblem
from engine.simulation.stepping.method_driver import Driver

MAX_PAIRS = 64  # pairs that are looked at
FOUND = types.int64(PACKED, types.int64, F2)
FACES = types.void(PACKED, I1, I1)


@kernel
def crossings_of(packed: Packed, i: int, found: Array) -> int:
    """Codes and gaps of the pairs of edges that cross between the shapes of an entry."""
    system, work = open_system(packed), open_work(packed)
    A = contact.body_of(work.pose, system.entries[i, ENTRY.A])
    B = contact.body_of(work.pose, system.entries[i, ENTRY.B])
    if contact.far_by(system, i, A, B) > 0.0:
        return 0
    return int(all_crossings(system.data, system.entries[i, contact.TABLE], A, B, found))


@kernel
def faces_of(packed: Packed, entries: Ints, codes: Ints) -> None:
    """For entries of sharp corners on hulls: what makes their rows hold the face that the corner is on."""
    system, work = open_system(packed), open_work(packed)
    for j in range(entries.shape[0]):
        i = entries[j]
        codes[j] = SEARCH
        A = contact.body_of(work.pose, system.entries[i, ENTRY.A])
        B = contact.body_of(work.pose, system.entries[i, ENTRY.B])
        if contact.far_by(system, i, A, B) <= 0.0:
            p_B = load(system.entry_reals, i, contact.P_B)
            p = unrotate(A[0], sub(add(B[1], rotate(B[0], p_B)), A[1]))
            middle = unrotate(A[0], rotate(B[0], sub(load(system.entry_reals, i, contact.CENTRE), p_B)))
            codes[j] = 1 + contact.face_of_corner(system, i, A, B, p, middle)


@dataclass(frozen=True)
class Slot:
    """The line of a limit, the entry that its law looks at, and those that rows hold and friction acts
    along."""

    line: int
    seen: int
    held: tuple[int, ...]


class HeldFeatures:
    """Those of all contacts of a driver."""

    def __init__(self, driver: Driver, problem: ContactProblem, limits: list[int], cones: list[int]) -> None:
        self._driver, self._problem = driver, problem
        system = driver.system
        rubbing = {int(system.forces[line, cone.NORMAL_ROW]): line for line in cones}
        self._owner = {
            int(entry[ENTRY.COORDINATE]) + j: i
            for i, entry in enumerate(system.entries)
            for j in range(int(entry[ENTRY.COUNT]))
        }
        self._pairs: list[list[Slot]] = []  # places where edges cross, by pairs of shapes
        self._corners: list[Slot] = []
        for line in limits:
            row = int(system.forces[line, limit.ROW])
            seen, held = self._entry(int(system.forces[line, LAW.A])), self._entry_of_row(row)
            core = system.entry_reals[seen, contact.CORE]
            if seen == held or core not in (EDGES, HULL):
                continue
            entries = [held]
            if row in rubbing:
                friction = system.forces[rubbing[row]]
                entries += map(self._entry_of_row, cone.KIND.rows_of(friction))
                entries.append(self._entry(int(friction[LAW.A])))
            slot = Slot(line, seen, tuple(dict.fromkeys(entries)))
            if core == HULL:
                self._corners.append(slot)
                continue
            if system.data[system.entries[seen, contact.TABLE] + 1] == 0.0:
                self._pairs.append([])
            self._pairs[-1].append(slot)

        self._seen = np.array([slot.seen for slot in self._corners], np.int64)

    def take(self, t: float, q: Array, v: Array, angles: Array, touching: float, fired: set[int]) -> None:
        """What carries nothing gets the features that touch; their gaps are below this share of the size."""
        if not (self._pairs or self._corners):
            return
        self._problem.at(t, q, v, angles, np.zeros(0, np.int64))
        entries, codes = self._driver.system.entries, np.zeros(len(self._corners), np.int64)
        self._problem.ask(faces_of, FACES, self._seen, codes)
        for k in np.flatnonzero(codes != entries[self._seen, contact.PAIR]):
            if not self._carries(self._corners[k]):
                self._write(self._corners[k], int(codes[k]))
        found = np.zeros((MAX_PAIRS, 2))
        for slots in self._pairs:
            kept = {self._code(slot) for slot in slots if self._carries(slot)}
            free = [slot for slot in slots if not self._carries(slot)]
            count = self._problem.ask(crossings_of, FOUND, slots[0].seen, found)
            near = [(gap, int(code)) for code, gap in found[:count] if int(code) not in kept]
            most = touching * self._size(slots[0])
            for slot in sorted(free, key=lambda slot: slot.line not in fired):
                near = [pair for pair in near if slot.line in fired or pair[0] <= most]
                best = min(near, default=None)
                self._write(slot, IDLE if best is None else best[1])
                near = [pair for pair in near if pair != best]

    def settle(self, touching: set[int]) -> None:
        """After the states have been found: what carries or touches keeps its pair, one of the others looks
        for the next."""
        for slots in self._pairs:
            free = [slot for slot in slots if not (self._carries(slot) or slot.line in touching)]
            free = free or [slot for slot in slots if not self._carries(slot)]
            for slot in free:
                self._write(slot, IDLE)
            if free:
                self._seek(free[0], [self._code(slot) for slot in slots if self._code(slot) > 0])

    def _seek(self, slot: Slot, others: list[int]) -> None:
        entry = self._driver.system.entries[slot.seen]
        entry[contact.PAIR] = SEEK
        words = [others[k : k + CODES] for k in range(0, len(others), CODES)]
        entry[contact.OTHERS : contact.PAIR] = 0
        for k, word in enumerate(words):
            entry[contact.OTHERS + k] = sum(code << (20 * j) for j, code in enumerate(word))

    def _write(self, slot: Slot, code: int) -> None:
        self._driver.system.entries[[slot.seen, *slot.held], contact.PAIR] = code

    def _code(self, slot: Slot) -> int:
        return int(self._driver.system.entries[slot.seen, contact.PAIR])

    def _carries(self, slot: Slot) -> bool:
        closed = self._driver.system.forces[slot.line, limit.STATE] == limit.CLOSED
        return bool(closed and self._code(slot) > 0)

    def _size(self, slot: Slot) -> float:
        row = self._driver.system.forces[slot.line, limit.ROW]
        return float(self._driver.system.row_reals[row, ROW_REAL.SCALE])

    def _entry(self, coordinate: int) -> int:
        return self._owner[coordinate]

    def _entry_of_row(self, row: int) -> int:
        return self._entry(int(self._driver.system.rows[row, ROW.COORDINATE]))
