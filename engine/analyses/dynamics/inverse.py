"""Inverse dynamics: what it takes to drive a mechanism along its motion, and what the joints carry.

    Jᵀλ = M a − Q(q, v, t)

at every instant of the driven motion. The multiplier of a motion's row is its effort, those of a joint give
its reaction. Where rows repeat each other λ is the one of least norm, and what depends on that choice is
marked.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import scipy

from engine.analyses.answers.result import Column, Mention, Motion, Result, Table
from engine.analyses.base import Analysis, Question
from engine.analyses.instant.joint_reactions import JointReactions
from engine.analyses.kinematics.driven import Driven, Follower, Path
from engine.analyses.kinematics.kinematic import DrivenOptions, instants
from engine.analyses.kinematics.undriven import begin
from engine.compiled.columns import row_values as ROW_VALUE
from engine.compiled.layout import Array
from engine.system.compiling.mechanism import Mechanism
from engine.system.small_motions.force_balance import multipliers_for

DEPENDS = 1e-6  # of a dependency's largest coefficient: parts below take no part in it
STRIDE = 20  # instants from word to word
UNIQUE, ONE_OF_MANY = "yes", "no: redundant rows share it"


class Efforts(NamedTuple):
    """Over time, instants first."""

    multipliers: Array  # (n, rows)
    powers: Array  # (n, rows): multiplier times prescribed rate
    forces: Array  # (n, joints): size of the force and of the torque at the marker of B
    torques: Array


def run(question: Question) -> Result:
    """Follow the motion, then balance forces at every instant of it."""
    follower, first = begin(question)
    if isinstance(first, Result):
        return first

    def following(share: float) -> None:
        question.stage(0.1 + 0.6 * share, "following the motion")

    path = follower.follow(first, instants(question), following)
    parts, carried = [], JointReactions(question.mechanism)
    for k, state in enumerate(path.states):
        if k % STRIDE == 0:
            question.stage(0.7 + 0.3 * k / len(path.states), "balancing forces")
        parts.append(_efforts(follower, carried, state))
    efforts = Efforts(*(np.array(part) for part in zip(*parts, strict=True)))
    t, q, v, a = (path.stack(name) for name in ("t", "q", "v", "a"))
    loose = _loose(follower, carried, path)
    return Result(
        _summary(question.mechanism, path, efforts),
        tables=(
            *_driving(question.mechanism, t, efforts, loose),
            _carried(carried.names, t, efforts, loose),
        ),
        motions=(Motion("Inverse dynamics", question.mechanism, t, q, v, a, efforts.multipliers),)
        if len(t) > 1
        else (),
        notes=question.start.notes,
    )


def _efforts(follower: Follower, carried: JointReactions, state: Driven) -> Efforts:
    """At one instant."""
    evaluator, scales = follower.evaluator, follower.scales
    rows = follower.rows(state.t, state.q, state.angles)
    evaluator.at(state.t, state.q, state.v, state.angles)
    load = evaluator.inertia(state.a) - evaluator.forces()
    multipliers = multipliers_for(rows, scales, load * scales.column)
    velocity = np.array([row.velocity for row in evaluator.mechanism.rows], dtype=bool)
    row = evaluator.work.row
    force, torque = carried.at(evaluator, multipliers)
    return Efforts(
        multipliers,
        multipliers * np.where(velocity, row[:, ROW_VALUE.F], row[:, ROW_VALUE.FT]),
        np.linalg.norm(force, axis=1),
        np.linalg.norm(torque, axis=1),
    )


def _loose(follower: Follower, carried: JointReactions, path: Path) -> set[tuple[str, str]]:
    """Motions and joints whose effort or reaction changes with a z, zᵀJ = 0, that is added to λ.

    The middle of the motion stands for all of it: the rank of J is full everywhere on it, so the number of
    such z stays.
    """
    state = path.states[len(path.states) // 2]
    evaluator, scales = follower.evaluator, follower.scales
    vanishing = scipy.sparse.csc_array(follower.rows(state.t, state.q, state.angles).left_null)
    evaluator.at(state.t, state.q, state.v, state.angles)
    found: set[tuple[str, str]] = set()
    for k in range(vanishing.shape[1]):
        z = vanishing[:, [k]].toarray()[:, 0] / scales.row
        limit = DEPENDS * float(np.max(np.abs(z)))
        for name, span in evaluator.mechanism.motion_rows.items():
            if np.max(np.abs(z[span.begin : span.end]), initial=0.0) > limit:
                found.add(("motions", name))
        force, torque = carried.at(evaluator, z)
        largest = np.maximum(np.abs(force).max(axis=1), np.abs(torque).max(axis=1) / scales.length)
        found |= {("joints", carried.names[i]) for i in np.flatnonzero(largest > limit)}
    return found


def _summary(mechanism: Mechanism, path: Path, efforts: Efforts) -> str:
    rows = [r for r, row in enumerate(mechanism.rows) if row.owner == "motion"]
    power = efforts.powers[:, rows].sum(axis=1)
    peak = int(np.argmax(np.abs(power)))
    words = (
        f"Driving the mechanism from {path.states[0].t:g} s to {path.states[-1].t:g} s takes at most "
        f"{abs(power[peak]):.4g} W, at t = {path.states[peak].t:g} s."
    )
    return words if path.failure is None else f"{words} {path.failure}"


def _driving(
    mechanism: Mechanism, t: Array, efforts: Efforts, loose: set[tuple[str, str]]
) -> tuple[Table, ...]:
    """Efforts of the motions, torques and forces apart."""
    found = []
    for title, begins, unit in (("Driving torques", "rad", "N·m"), ("Driving forces", "m", "N")):
        rows = []
        for name, span in mechanism.motion_rows.items():
            for r in range(span.begin, span.end):
                if mechanism.rows[r].unit.startswith(begins):
                    effort, power = efforts.multipliers[:, r], efforts.powers[:, r]
                    work = float(np.sum(0.5 * (power[1:] + power[:-1]) * np.diff(t)))
                    mean = float(np.sqrt(np.mean(effort**2)))
                    numbers = (
                        float(effort.min()),
                        float(effort.max()),
                        mean,
                        float(np.abs(power).max()),
                        work,
                    )
                    unique = ONE_OF_MANY if ("motions", name) in loose else UNIQUE
                    rows.append((Mention("motions", name), *numbers, unique))
        columns = (
            Column("Motion"),
            Column("Smallest", unit),
            Column("Largest", unit),
            Column("Root mean square", unit),
            Column("Largest power", "W"),
            Column("Work", "J"),
            Column("Unique"),
        )
        if rows:
            found.append(Table(title, columns, tuple(rows)))
    return tuple(found)


def _carried(names: Sequence[str], t: Array, efforts: Efforts, loose: set[tuple[str, str]]) -> Table:
    """Largest reactions of the joints."""
    rows = []
    for j, name in enumerate(names):
        force, torque = efforts.forces[:, j], efforts.torques[:, j]
        k = int(np.argmax(force))
        unique = ONE_OF_MANY if ("joints", name) in loose else UNIQUE
        rows.append((Mention("joints", name), float(force[k]), float(t[k]), float(torque.max()), unique))
    columns = (
        Column("Joint"),
        Column("Largest force", "N"),
        Column("At", "s"),
        Column("Largest torque", "N·m"),
        Column("Unique"),
    )
    return Table("What the joints carry", columns, tuple(rows), empty="There is no joint.")


INVERSE = Analysis(
    name="inverse",
    title="Inverse dynamics",
    summary="Driving efforts and joint reactions of a mechanism whose every degree of freedom is driven.",
    options=DrivenOptions,
    run=run,
)
