"""Wiggle: every degree of freedom of the joints as a small motion to and fro, on the constraints."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np
from msgspec import Struct

from engine.analyses.answers.result import Cell, Column, Mention, Motion, Result, Table
from engine.analyses.base import Analysis, Question
from engine.analyses.kinematics.undriven import coordinates_here, drivers, target_of
from engine.analyses.mobility.continuation import Continuation, ContinuationPoint
from engine.analyses.mobility.passive_rotations import passive_rotations
from engine.compiled.layout import Array
from engine.elements.fields import number
from engine.system.assembly.position_problem import Target
from engine.system.assembly.scaling import Scales, scales_of, subspaces
from engine.system.equations.evaluator import Evaluator

REACH = 0.35  # rad, or of the mechanism's length: how far what moves most goes to each side
STEPS = 14  # to each side
PERIOD = 1.6  # s
MAX_DIRECTIONS = 24  # degrees of freedom that are walked
MOVES = 1e-3  # share of the largest velocity from which on a body is said to move
APART = 1e-9  # of a period: instants that are nearer are one
MIN_WALK = 0.05  # of the reach: a walk that ends before has not really begun
INSTANT_AMPLITUDE = 0.05  # rad or lengths: amplitude of a motion that only exists for an instant


class WiggleOptions(Struct, frozen=True, kw_only=True):
    """How far to go."""

    reach: Annotated[
        float,
        number("Reach", description="to each side, in rad or lengths of what moves most", gt=0.0, le=3.0),
    ] = REACH
    period: Annotated[float, number("Period", "s", "of one motion to and fro", gt=0.0)] = PERIOD


@dataclass(frozen=True)
class MotionDirection:
    """A direction of the null space with a name."""

    title: str
    vector: Array  # without units, largest part 1
    idle: bool = False
    held: tuple[Target, ...] = ()  # coordinates that stay as they are


def run(question: Question) -> Result:
    """Name the degrees of freedom, then walk along each."""
    options = question.options
    assert isinstance(options, WiggleOptions)
    question.stage(0.0, "assembling")
    mechanism, start, evaluator = question.mechanism, question.start, question.evaluator
    scales = scales_of(mechanism)
    continuation = Continuation(evaluator, scales, question.t)
    found = directions_of_motion(continuation, start.q, start.angles)
    motions, rows = [], []
    for k, direction in enumerate(found[:MAX_DIRECTIONS]):
        question.stage(0.1 + 0.9 * k / min(len(found), MAX_DIRECTIONS), f"walking along {direction.title}")
        motion, finite = wiggle(continuation, start.q, start.angles, direction, options)
        motions.append(motion)
        rows.append(_row(evaluator, direction, motion, finite))
    return Result(
        _summary(found, rows),
        tables=(
            Table(
                "Degrees of freedom",
                (Column("Degree of freedom"), Column("Kind"), Column("Moves")),
                tuple(rows),
                empty="Nothing can move.",
            ),
        ),
        motions=tuple(motions),
        notes=(*start.notes, *_notes(question, found)),
    )


def directions_of_motion(continuation: Continuation, q: Array, angles: Array) -> list[MotionDirection]:
    """A basis of what the joints allow: idle spins first, then one joint coordinate at a time.

    Each of the others moves one coordinate and holds the rest of those chosen, so that it can be named.
    """
    evaluator, scales = continuation.evaluator, continuation.scales
    mechanism = evaluator.mechanism
    J = continuation.jacobian(q, angles)[continuation.of_joints]
    null = subspaces(J).null
    found: list[MotionDirection] = []
    for spin in passive_rotations(mechanism, evaluator, J, scales):
        b = mechanism.bodies.index(spin.body)
        vector = np.zeros(mechanism.nv)
        vector[6 * b : 6 * b + 6] = spin.motion
        title = f"idle spin of {spin.body} about {'–'.join(spin.joints)}"
        found.append(MotionDirection(title, _scaled(vector), idle=True))
    rest = _without(null, [one.vector for one in found])
    known = coordinates_here(evaluator, scales)
    chosen = sorted(drivers(known, rest), key=known.index)
    if chosen:
        rates = np.array([coordinate.rates(rest) for coordinate in chosen])
        basis = rest @ np.linalg.pinv(rates)
        targets = {coordinate: target_of(evaluator, scales, coordinate) for coordinate in chosen}
        for coordinate, column in zip(chosen, basis.T, strict=True):
            held = tuple(target for other, target in targets.items() if target and other is not coordinate)
            found.append(MotionDirection(coordinate.words, _scaled(column), held=held))
        rest = rest @ subspaces(rates).null
    found += [
        MotionDirection(f"degree of freedom {len(found) + k + 1}", _scaled(column))
        for k, column in enumerate(rest.T)
    ]
    return found


def wiggle(
    continuation: Continuation, q: Array, angles: Array, direction: MotionDirection, options: WiggleOptions
) -> tuple[Motion, bool]:
    """A period to and fro, and whether the degree of freedom is a finite one."""
    begin = ContinuationPoint(q, angles, direction.vector, 0.0)
    continuation = Continuation(continuation.evaluator, continuation.scales, continuation.t, direction.held)
    way = continuation.both_ways(begin, options.reach, options.reach / STEPS)
    finite = way[-1].s - way[0].s > MIN_WALK * options.reach
    if not finite:  # the joints give way for an instant only: shown straight on, joints open a little
        way = [
            ContinuationPoint(
                continuation.evaluator.retract(q, s * direction.vector * continuation.scales.column),
                angles,
                direction.vector,
                s,
            )
            for s in np.linspace(-INSTANT_AMPLITUDE, INSTANT_AMPLITUDE, 2 * STEPS + 1)
        ]
    return _motion(continuation.evaluator, continuation.scales, direction.title, way, options.period), finite


def _motion(
    evaluator: Evaluator, scales: Scales, title: str, way: list[ContinuationPoint], period: float
) -> Motion:
    """From the middle to the far end, back to the near end and to the middle: s goes like a sine."""
    s = np.array([point.s for point in way])
    far, near = float(s[-1]), float(-s[0])
    middle = int(np.argmin(np.abs(s)))
    order = [*range(middle, len(way)), *range(len(way) - 2, -1, -1), *range(1, middle + 1)]
    quarter = period / 4.0
    t: list[float] = []
    for k, i in enumerate(order):
        if k < len(way) - middle:
            t.append(quarter * 2.0 / np.pi * np.arcsin(min(1.0, s[i] / far)) if far else 0.0)
        elif k < 2 * len(way) - middle - 1:
            share = np.clip((2.0 * s[i] - far + near) / (far + near), -1.0, 1.0)
            t.append(quarter + 2.0 * quarter / np.pi * np.arccos(share))
        else:
            t.append(4.0 * quarter - quarter * 2.0 / np.pi * np.arcsin(min(1.0, -s[i] / near)))
    times = np.array(t)
    keep = np.concatenate([[True], np.diff(times) > APART * period])
    order = [i for i, kept in zip(order, keep, strict=True) if kept]
    times = times[keep]
    q = np.array([way[i].q for i in order])
    rate = np.gradient(s[order], times) if len(order) > 1 else np.zeros(1)
    v = np.array([way[i].direction * scales.column * r for i, r in zip(order, rate, strict=True)])
    return Motion(title, evaluator.mechanism, times, q, v, loop=True)


# names


def _scaled(direction: Array) -> Array:
    largest = direction[int(np.argmax(np.abs(direction)))]
    return np.asarray(direction / abs(largest)) if largest else direction


def _without(null: Array, taken: list[Array]) -> Array:
    """The part of a space across some of its directions."""
    if not taken or not null.shape[1]:
        return null
    return np.asarray(null @ subspaces(np.array(taken) @ null).null)


def _row(evaluator: Evaluator, direction: MotionDirection, motion: Motion, finite: bool) -> tuple[Cell, ...]:
    kind = "idle: moves nothing else" if direction.idle else "finite" if finite else "for an instant only"
    return direction.title, kind, tuple(_moving(evaluator, direction.vector))


def _moving(evaluator: Evaluator, direction: Array) -> list[Mention]:
    bodies = evaluator.mechanism.bodies
    table = np.abs(direction.reshape(len(bodies), -1)).max(axis=1) if bodies else np.zeros(0)
    return [Mention("bodies", name) for name, size in zip(bodies, table, strict=True) if size > MOVES]


def _summary(found: list[MotionDirection], rows: list[tuple[Cell, ...]]) -> str:
    if not found:
        return "Nothing can move: the joints leave no degree of freedom."
    words = f"{len(found)} degree{'s' if len(found) > 1 else ''} of freedom"
    idle = sum(one.idle for one in found)
    short = sum(row[1] == "for an instant only" for row in rows)
    parts = ([f"{idle} idle"] if idle else []) + ([f"{short} for an instant only"] if short else [])
    return f"{words}{', ' + ', '.join(parts) if parts else ''}."


def _notes(question: Question, found: list[MotionDirection]) -> list[str]:
    notes = []
    if len(question.mechanism.motion_rows):
        notes.append(
            "Motions of the scene are left out: these are the degrees of freedom that the joints allow."
        )
    if len(found) > MAX_DIRECTIONS:
        notes.append(f"Only the first {MAX_DIRECTIONS} are shown.")
    return notes


WIGGLE = Analysis(
    name="wiggle",
    title="Wiggle",
    summary="Every degree of freedom that the joints leave, as a small motion to and fro.",
    options=WiggleOptions,
    run=run,
    anywhere=True,
)
