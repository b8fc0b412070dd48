"""Functions of time that no motion can follow: value, rate or acceleration is not finite.

A position row needs f, f' and f'', a velocity row f and f'. Where one of them is infinite or undefined, so
are the multipliers and soon everything else; the element that owns the function is the one to name.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from msgspec import Struct

from engine.compiled.columns import row_values as ROW_VALUE
from engine.compiled.columns import rows as ROW
from engine.elements.base import Table
from engine.errors import Problem, SceneEdit, shorten
from engine.maths.expressions import ExpressionError, FunctionError, parse
from engine.maths.jets import TABLE_SLACK
from engine.model.resolve import parameter_values
from engine.model.scene import Scene
from engine.system.compiling.mechanism import Mechanism
from engine.system.equations.evaluator import Evaluator

POSITION_NAMES = ("value", "rate", "acceleration")
VELOCITY_NAMES = ("rate", "acceleration")
AHEAD = 10  # steps by which a proposed function runs ahead of a start at which it has no derivative
BEFORE = 0.9  # of the time of a stop: a run that ends so early stays clear of its cause
TIME = re.compile(r"\bt\b")
FINITE = "give a function whose value, rate and acceleration are finite"


def unbounded_motion(mechanism: Mechanism, evaluator: Evaluator, t: float) -> Problem | None:
    """The element whose prescribed function is not finite at the instant that was evaluated last."""
    rows = evaluator.work.row[:, ROW_VALUE.F : ROW_VALUE.F + 3]
    for r, info in enumerate(mechanism.rows):
        names = VELOCITY_NAMES if mechanism.system.rows[r, ROW.VELOCITY] else POSITION_NAMES
        bad = np.flatnonzero(~np.isfinite(rows[r, : len(names)]))
        if len(bad):
            what, number = names[int(bad[0])], float(rows[r, int(bad[0])])
            return _unbounded(mechanism.scene, f"{info.owner}s", info.name, what, number, t)
    return None


def _unbounded(scene: Scene, where: str, name: str, what: str, number: float, t: float) -> Problem:
    field = "function" if where == "motions" else "value"
    spec = getattr(next(item for item in getattr(scene, where) if item.name == name), field)
    text = f"{where[:-1]} {name!r} asks for a {what} of {number:g} at t = {t:.9g} s"
    if isinstance(spec, str):
        text += f", by its function {shorten(spec)!r}"
    return _problem(scene, f"{where}.{name}.{field}", spec, text, t, FINITE)


def _problem(scene: Scene, path: str, spec: Any, text: str, t: float, remedy: str) -> Problem:
    """With what to do: end before, or at the start another function where one is at hand."""
    if t > 0.0:
        return Problem(path, spec, text, *_end_before(scene, t, remedy))
    ahead = f"(t + {AHEAD * float(scene.simulation.dt):g})"
    other = TIME.sub(ahead, spec) if isinstance(spec, str) else ""
    if not other or not _finite_at_start(scene, other):
        return Problem(path, spec, text, remedy)
    return Problem(path, spec, text, f"{remedy}, for instance {other!r}", (SceneEdit(path, other),))


def unbounded_force(scene: Scene, t: float) -> Problem | None:
    """The force with a function of time alone that is not finite at an instant."""
    known = {**parameter_values(scene), "t": t}
    for force in scene.forces:
        for path, text in _texts(f"forces.{force.name}", force):
            reason = _no_value(text, known)
            if reason:
                told = f"force {force.name!r} has no value at t = {t:.9g} s: in {shorten(text)!r}, {reason}"
                return _problem(scene, path, text, told, t, "give a function that is finite")
    return None


def _no_value(text: str, known: Mapping[str, float]) -> str:
    """Why an expression has no value, nothing where it has one or needs more names than are known."""
    try:
        expression = parse(text)
        if expression.names <= known.keys():
            expression.value(known)
    except ExpressionError as error:
        return error.message.partition(";")[0]
    return ""


def _texts(path: str, value: Any) -> Iterator[tuple[str, str]]:
    """Path and text for every text with the time in it."""
    if isinstance(value, str):
        if TIME.search(value):
            yield path, value
    elif isinstance(value, Struct):
        for name in value.__struct_fields__:
            yield from _texts(f"{path}.{name}", getattr(value, name))
    elif isinstance(value, tuple):
        for i, inner in enumerate(value):
            yield from _texts(f"{path}.{i}", inner)


def _finite_at_start(scene: Scene, text: str) -> bool:
    try:
        return math.isfinite(parse(text).value({**parameter_values(scene), "t": 0.0}))
    except FunctionError:
        return False


def end_before(scene: Scene, t: float) -> float:
    """A duration on the step grid that stays clear of what stops a run at t [s]; 0 when there is none."""
    dt = float(scene.simulation.dt)
    return round(math.floor(BEFORE * t / dt) * dt, 12)


def _end_before(scene: Scene, t: float, remedy: str) -> tuple[str, tuple[SceneEdit, ...]]:
    end = end_before(scene, t)
    if not end > 0.0:
        return remedy, ()
    return f"{remedy}, or end the run before: duration {end:g} s", (SceneEdit("simulation.duration", end),)


def left_table(scene: Scene, begin: float, end: float) -> Problem | None:
    """The first table with nothing outside its range that does not cover the time between two instants.

    The remedy is one for all tables that end before the run does.
    """
    found = [
        (where, item.name, path, float(table.points[0][0]), float(table.points[-1][0]))
        for where in ("motions", "forces", "joints")
        for item in getattr(scene, where)
        for path, table in _tables(f"{where}.{item.name}", item)
    ]
    for where, name, path, first, last in found:
        slack = TABLE_SLACK * (last - first)
        if first - slack <= begin and end <= last + slack:
            continue
        duration = float(scene.simulation.duration)
        edits = tuple(
            SceneEdit(f"{other}.outside", "hold")
            for _, _, other, opens, closes in found
            if other == path or opens > begin or closes < duration
        )
        text = f"{where[:-1]} {name!r}: its table covers {first:g} to {last:g} s only"
        remedy = 'add points for the whole run, or let it keep its last value: "outside": "hold"'
        if len(edits) > 1:
            remedy += f"; {len(edits) - 1} more end before the run does"
        return Problem(path, (first, last), text, remedy, edits)
    return None


def _tables(path: str, value: Any) -> Iterator[tuple[str, Any]]:
    """Path and table for every table with nothing outside its range."""
    if isinstance(value, Table):
        if value.outside == "error":
            yield path, value
    elif isinstance(value, Struct):
        for name in value.__struct_fields__:
            yield from _tables(f"{path}.{name}", getattr(value, name))
    elif isinstance(value, tuple):
        for i, inner in enumerate(value):
            yield from _tables(f"{path}.{i}", inner)
