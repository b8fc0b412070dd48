"""Motions that prescribe a jump of a position: no body can follow one, so they are refused.

A difference between two instants that the rates there do not explain is halved in time again and again: that
of a continuous function vanishes, that of a jump stays.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from engine.compiled.columns import row_reals as ROW_REAL
from engine.compiled.columns import row_values as ROW_VALUE
from engine.compiled.columns import rows as ROW
from engine.compiled.layout import Array
from engine.errors import Problem, SceneError
from engine.system.compiling.mechanism import Mechanism
from engine.system.equations.evaluator import Evaluator

INSTANTS = 200  # between which jumps are looked for, beside the corners of the functions
CORNERS = 500  # that are looked at
JUMP = 1e-6  # of the size of a row: smaller differences are no jump
EXPLAINED = 2.0  # times the step and the larger rate: differences up to this are usual
HALVINGS = 60
BESIDE = 8.0  # spacings of floating-point numbers from a jump


@dataclass(frozen=True)
class Jump:
    """A row of a motion that is at two places at one instant."""

    row: int
    t: float  # s
    size: float  # m or rad


@np.errstate(all="ignore")  # positions without bound are told elsewhere
def refuse_jumps(mechanism: Mechanism, begin: float, end: float) -> None:
    """Raise SceneError with the motions whose prescribed positions jump in between."""
    problems = []
    for jump in first_jumps(mechanism, begin, end):
        row = mechanism.rows[jump.row]
        index = [motion.name for motion in mechanism.scene.motions].index(row.name)
        message = (
            f"motion {row.name!r} jumps by {jump.size:.3g} {row.unit.split()[0]} at t = {jump.t:.6g} s: no "
            "body can be at two places at one instant"
        )
        remedy = f"lead it there in some time, for instance by smooth((t - {jump.t:.6g})/0.1)"
        problems.append(Problem(f"motions[{index}].function", row.name, message, remedy))
    if problems:
        raise SceneError(problems)


def first_jumps(mechanism: Mechanism, begin: float, end: float) -> Iterator[Jump]:
    """The first jump of every motion that has one."""
    rows = mechanism.system.rows
    moved = np.flatnonzero((rows[:, ROW.PROGRAM] >= 0) & (rows[:, ROW.VELOCITY] == 0))
    if not len(moved) or not end > begin:
        return
    evaluator = Evaluator(mechanism)

    def at(t: float) -> Array:
        return np.array(evaluator.at(t, mechanism.q).work.row[moved][:, [ROW_VALUE.F, ROW_VALUE.FT]])

    times = sorted({*map(float, np.linspace(begin, end, INSTANTS)), *_corners(mechanism, begin, end)})
    values = {t: at(t) for t in times}
    scales = mechanism.system.row_reals[moved, ROW_REAL.SCALE]
    for k, row in enumerate(moved):
        for early, late in pairwise(times):
            one, two = values[early][k], values[late][k]
            usual = EXPLAINED * (late - early) * max(abs(one[1]), abs(two[1]))
            if not abs(two[0] - one[0]) > JUMP * scales[k] + usual:
                continue
            a, b = early, late
            for _ in range(HALVINGS):
                middle = 0.5 * (a + b)
                if not a < middle < b:
                    break
                here = at(middle)[k]
                if abs(here[0] - one[0]) >= abs(two[0] - here[0]):
                    b, two = middle, here
                else:
                    a, one = middle, here
            if abs(two[0] - one[0]) > JUMP * scales[k]:
                beside = BESIDE * float(np.spacing(b))  # at the instant itself a sign is zero
                yield Jump(int(row), b, float(abs(at(b + beside)[k, 0] - at(a - beside)[k, 0])))
                break


def _corners(mechanism: Mechanism, begin: float, end: float) -> Iterator[float]:
    """Instants in between at which a function of time has a corner, or jumps; not more than are cheap."""
    t = begin
    for _ in range(CORNERS):
        t = mechanism.next_knot(t)
        if not t < end:
            return
        yield t
