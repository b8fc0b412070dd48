"""The linear model of a mechanism about an operating point: A, B, C, D with names.

Source of the form: [Meijaard 2007] for a bicycle; the null space takes the place of coordinates by hand.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import numpy as np
from msgspec import Struct

from engine.analyses.answers.chart import Axis, Chart, Series
from engine.analyses.answers.result import Column, Result, Table
from engine.analyses.answers.state_space import Signal, StateSpace
from engine.analyses.base import Analysis, Question
from engine.analyses.dynamics.operating_point import About, operating_point
from engine.analyses.linear.inputs import Columns, columns_of, inputs_of
from engine.analyses.linear.named_states import candidates, named_basis
from engine.analyses.linear.outputs import Differences, outputs_of
from engine.compiled.layout import Array
from engine.elements.fields import text
from engine.model.scene import Scene
from engine.results.channels import Channels
from engine.system.assembly.scaling import Scales, scales_of
from engine.system.equations.evaluator import Evaluator
from engine.system.small_motions.force_balance import State
from engine.system.small_motions.linearise import LinearMotion, linear_motion

SEPARATOR = ";"
NOISE = 1e-12  # of the largest entry of a matrix: entries below are rounding


class LinearOptions(Struct, frozen=True, kw_only=True):
    """About what, from where to where."""

    about: About = "automatic"
    inputs: Annotated[
        str,
        text(
            "Inputs",
            "functions of forces and motions by path, such as forces.push.components.0; a ; b; empty: all",
        ),
    ] = ""
    outputs: Annotated[
        str,
        text(
            "Outputs", "channels or expressions of them: a ; b; empty: coordinates and speeds of the joints"
        ),
    ] = ""


def listed(words: str) -> tuple[str, ...]:
    """Names between semicolons."""
    return tuple(part.strip() for part in words.split(SEPARATOR) if part.strip())


def linear_model(
    scene: Scene,
    evaluator: Evaluator,
    scales: Scales,
    state: State,
    inputs: Sequence[str],
    outputs: Sequence[str],
) -> StateSpace:
    """The model about a state; the evaluator must be one with tangents. Raises SceneError."""
    mechanism = evaluator.mechanism
    channels = Channels(mechanism)
    columns = columns_of(evaluator, inputs_of(scene, inputs), state)
    linear = linear_motion(evaluator, scales, state, columns.acts)
    differences = Differences(evaluator, channels, scales, state, linear)
    pairs = candidates(mechanism, channels)
    names = list(outputs) or _usual(mechanism.coordinates, pairs)
    asked = outputs_of(channels, names)
    C, D = differences.matrices(asked)
    D = D + differences.at_once(names, columns)
    T, states = _basis(differences, channels, scales, linear, columns, pairs)
    back = np.linalg.inv(T)
    return StateSpace(
        A=_clean(T @ linear.A @ back),
        B=_clean(T @ linear.B),
        C=_clean(C @ back),
        D=_clean(D),
        states=states,
        inputs=columns.signals,
        outputs=tuple(Signal(output.name, output.unit) for output in asked),
        offset=differences.values(asked),
        title=scene.title,
        t=state.t,
    )


def _usual(coordinates: object, pairs: list[tuple[str, str]]) -> list[str]:
    """What is looked at unless told: joints with their speeds, or bodies where there are no joints."""
    joints = [name for pair in pairs if pair[0].startswith("joint.") for name in pair]
    return joints or [name for pair in pairs for name in pair if ".quat." not in name]


def _basis(
    differences: Differences,
    channels: Channels,
    scales: Scales,
    linear: LinearMotion,
    columns: Columns,
    pairs: list[tuple[str, str]],
) -> tuple[Array, tuple[Signal, ...]]:
    """T to states with names, and these; directions of the null space where that cannot be."""
    size = linear.A.shape[0]
    wanted = outputs_of(channels, [pair[k] for k in (0, 1) for pair in pairs])
    rows = differences.matrices(wanted)[0]
    n, f = linear.free
    found = named_basis(channels.mechanism, channels, scales, rows, (n, f)) if n + f else None
    T = np.eye(size)
    if found is None:
        own = (*(Signal(f"z{i + 1}") for i in range(n)), *(Signal(f"y{i + 1}", "1/s") for i in range(f)))
        return T, (*own, *columns.states)
    T[: n + f, : n + f] = found[0]
    return T, (*found[1], *columns.states)


def _clean(matrix: Array) -> Array:
    largest = float(np.max(np.abs(matrix), initial=0.0))
    return np.where(np.abs(matrix) < NOISE * largest, 0.0, matrix)


def run(question: Question) -> Result:
    """Find the operating point, linearise there."""
    options = question.options
    assert isinstance(options, LinearOptions)
    mechanism = question.mechanism
    evaluator, scales = Evaluator(mechanism, tangents=True), scales_of(mechanism)
    point = operating_point(question, evaluator, scales, options.about)
    if point.state is None:
        return Result(point.what, notes=point.notes)
    question.stage(0.8, "linearising")
    system = linear_model(
        question.scene, evaluator, scales, point.state, listed(options.inputs), listed(options.outputs)
    )
    poles = system.poles()
    notes = list(point.notes)
    if not system.inputs:
        notes.append("there is no input: the scene has no force or motion with a function")
    return Result(
        _summary(system, point.what),
        tables=(_poles(poles), *(_matrix(system, name) for name in "ABCD" if getattr(system, name).size)),
        notes=tuple(notes),
        charts=(pole_chart(poles),) if len(poles) else (),
        system=system,
    )


def _summary(system: StateSpace, what: str) -> str:
    def many(count: int, word: str) -> str:
        return f"{count} {word}{'' if count == 1 else 's'}"

    sizes = (
        many(len(system.states), "state"),
        many(len(system.inputs), "input"),
        many(len(system.outputs), "output"),
    )
    return f"Linear model about {what}: {', '.join(sizes)}."


def _poles(poles: Array) -> Table:
    return Table(
        "Poles",
        (Column("Real part", "1/s"), Column("Imaginary part", "rad/s")),
        tuple((float(s.real), float(s.imag)) for s in poles),
        empty="The mechanism cannot move.",
    )


def _matrix(system: StateSpace, name: str) -> Table:
    rows = system.states if name in "AB" else system.outputs
    columns = system.states if name in "AC" else system.inputs
    matrix = getattr(system, name)
    left = "d/dt of" if name in "AB" else "Output"
    return Table(
        f"{name}: {len(rows)} × {len(columns)}",
        (Column(left), *(Column(str(signal)) for signal in columns)),
        tuple((str(signal), *map(float, line)) for signal, line in zip(rows, matrix, strict=True)),
    )


def pole_chart(poles: Array) -> Chart:
    return Chart(
        "Poles",
        Axis("Real part", "1/s"),
        Axis("Imaginary part", "rad/s"),
        (Series("", poles.real, poles.imag, "points"),),
    )


LINEARISE = Analysis(
    name="linearise",
    title="Linear model",
    summary="A, B, C and D about an equilibrium or a steady motion, with named inputs and outputs.",
    options=LinearOptions,
    run=run,
    anywhere=True,
)
