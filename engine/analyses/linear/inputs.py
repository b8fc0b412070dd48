"""Inputs of a linear model: every function of a force or of a motion, and what a unit more of it does.

The functions are written anew with a small amount added and taken away; the difference of the generalised
forces, or of the rows of a motion, is the column of that input. Efforts enter linearly: this is exact.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from msgspec.structs import replace

from engine.analyses.answers.state_space import Signal
from engine.compiled.layout import Array
from engine.elements.base import Table
from engine.elements.fields import fields_of
from engine.errors import Problem, SceneError
from engine.model.scene import Scene
from engine.model.set_value import set_value
from engine.model.value_at import at_path
from engine.spelling import did_you_mean
from engine.system.compiling.mechanism import Mechanism
from engine.system.equations.evaluator import Evaluator
from engine.system.prepared import prepare
from engine.system.small_motions.force_balance import State
from engine.system.small_motions.linearise import Excitation

STEP = 1e-3  # that is added to a function, in its SI unit
NOT_ADDED = ("application",)  # functions that are places


@dataclass(frozen=True)
class Input:
    """A function of the scene by its path, with the mechanisms that have a little less and a little more."""

    path: str
    unit: str
    motion: str  # whose function it is; empty: of a force
    less: Mechanism
    more: Mechanism


def input_paths(scene: Scene) -> Iterator[str]:
    """Paths of all functions that can be inputs."""
    for where in ("forces", "motions"):
        for item in getattr(scene, where):
            for field in fields_of(type(item)):
                if field.role != "function" or field.name in NOT_ADDED:
                    continue
                value, path = getattr(item, field.name), f"{where}.{item.name}.{field.name}"
                if isinstance(value, tuple):
                    yield from (f"{path}.{i}" for i in range(len(value)))
                elif value is not None:
                    yield path


def inputs_of(scene: Scene, chosen: Sequence[str]) -> tuple[Input, ...]:
    """The chosen inputs, all of them when none is named; raises SceneError."""
    known = tuple(input_paths(scene))
    unknown = [path for path in chosen if path not in known]
    if unknown:
        listed = ", ".join(known) or "none: the scene has no force or motion with a function"
        raise SceneError(
            [
                Problem(
                    "options.inputs", path, f"there is no input {path!r}{did_you_mean(path, known)}", listed
                )
                for path in unknown
            ]
        )
    return tuple(_input(scene, path) for path in chosen or known)


def _input(scene: Scene, path: str) -> Input:
    where, rest = path.split(".", 1)
    item = next(item for item in getattr(scene, where) if rest.startswith(f"{item.name}."))
    value = at_path(scene, path)
    less, more = (prepare(set_value(scene, path, added(value, h))).mechanism for h in (-STEP, STEP))
    return Input(path, _unit(more, where, item), item.name if where == "motions" else "", less, more)


def added(value: Any, amount: float | str) -> Any:
    """A function with an amount, a number or an expression of t, added to it."""
    if isinstance(value, Table):
        if isinstance(amount, str):
            raise SceneError(
                [
                    Problem(
                        "", "table", "nothing can be added to a table", "write the function as an expression"
                    )
                ]
            )
        points = tuple((t, added(x, amount)) for t, x in value.points)
        return replace(value, points=points)
    if isinstance(value, str) or isinstance(amount, str):
        return f"({value}) + ({amount!r})" if isinstance(amount, float) else f"({value}) + ({amount})"
    return value + amount


def _unit(mechanism: Mechanism, where: str, item: Any) -> str:
    """Motions are driven by the second derivative of positions, by the first of velocities."""
    if where == "motions":
        row = mechanism.rows[mechanism.motion_rows[item.name].begin]
        base = "rad" if row.unit.startswith("rad") else "m"
        return f"{base}/s²"
    units = [field.unit for field in fields_of(type(item)) if field.role == "function"]
    return units[0].split(" or ")[0] if units else ""


@dataclass(frozen=True)
class Columns:
    """What the inputs do, and their names in the order of u = (f, d'', r')."""

    acts: Excitation
    inputs: tuple[Input, ...]
    signals: tuple[Signal, ...]
    states: tuple[Signal, ...]  # d, d' and r


def columns_of(evaluator: Evaluator, inputs: Sequence[Input], state: State) -> Columns:
    """The columns of all inputs at a state."""
    mechanism = evaluator.mechanism
    loads: list[tuple[Input, Array]] = []
    positions: list[tuple[Input, Array]] = []
    velocities: list[tuple[Input, Array]] = []
    for one in inputs:
        sides = [_at(side, state) for side in (one.less, one.more)]
        if not one.motion:
            loads.append((one, (sides[1].forces() - sides[0].forces()) / (2.0 * STEP)))
        elif mechanism.rows[mechanism.motion_rows[one.motion].begin].velocity:
            velocities.append((one, (sides[0].phi_rate - sides[1].phi_rate) / (2.0 * STEP)))
        else:
            positions.append((one, (sides[0].phi - sides[1].phi) / (2.0 * STEP)))
    groups = (loads, positions, velocities)
    sizes = (mechanism.nv, len(mechanism.rows), len(mechanism.rows))
    acts = Excitation(
        *(
            np.array([column for _, column in group]).reshape(len(group), size).T
            for group, size in zip(groups, sizes, strict=True)
        )
    )
    signals = (
        *(Signal(one.path, one.unit) for one, _ in loads),
        *(Signal(f"{one.path}''", one.unit) for one, _ in positions),
        *(Signal(f"{one.path}'", one.unit) for one, _ in velocities),
    )
    states = (
        *(Signal(one.path, one.unit.removesuffix("/s²")) for one, _ in positions),
        *(Signal(f"{one.path}'", one.unit.replace("s²", "s")) for one, _ in positions),
        *(Signal(one.path, one.unit.replace("s²", "s")) for one, _ in velocities),
    )
    return Columns(acts, tuple(one for group in groups for one, _ in group), signals, states)


def _at(mechanism: Mechanism, state: State) -> Evaluator:
    return Evaluator(mechanism).at(state.t, state.q, state.v, state.angles)
