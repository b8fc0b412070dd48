"""Inverse dynamics: what it takes to drive a mechanism along its motion, and what the joints carry.

    Jᵀλ = M a − Q(q, v, t)

at every instant of the driven motion. The multiplier of a motion's row is its effort, those of a joint give
its reaction. Where rows repeat each other λ is the one of least norm, and what depends on that choice is
marked.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from engine.analyses.base import Analysis, Question
from engine.analyses.force_balance import multipliers_for, reactions
from engine.analyses.kinematics.driven import Driven, Path
from engine.analyses.kinematics.kinematic import DrivenOptions, instants
from engine.analyses.kinematics.undriven import begin
from engine.analyses.result import Column, Mention, Motion, Result, Table
from engine.compiled.columns import row_values as ROW_VALUE
from engine.compiled.layout import Array
from engine.system.assembly.scaling import Scales
from engine.system.compiling.mechanism import Mechanism
from engine.system.equations.evaluator import Evaluator

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
    parts = []
    for k, state in enumerate(path.states):
        if k % STRIDE == 0:
            question.stage(0.7 + 0.3 * k / len(path.states), "balancing forces")
        parts.append(_efforts(follower.evaluator, follower.scales, state))
    efforts = Efforts(*(np.array(part) for part in zip(*parts, strict=True)))
    t, q, v, a = (path.stack(name) for name in ("t", "q", "v", "a"))
    loose = _loose(follower.evaluator, follower.scales, path)
    return Result(
        _summary(question.mechanism, path, efforts),
        tables=(
            *_driving(question.mechanism, t, efforts, loose),
            _carried(question.mechanism, t, efforts, loose),
        ),
        motions=(Motion("Inverse dynamics", question.mechanism, t, q, v, a, efforts.multipliers),)
        if len(t) > 1
        else (),
        notes=question.start.notes,
    )


def _efforts(evaluator: Evaluator, scales: Scales, state: Driven) -> Efforts:
    """At one instant."""
    evaluator.at(state.t, state.q, state.v, state.angles)
    load = evaluator.mass_matrix() @ state.a - evaluator.forces()
    multipliers = multipliers_for(state.space, scales, load * scales.column)
    velocity = np.array([row.velocity for row in evaluator.mechanism.rows], dtype=bool)
    row = evaluator.work.row
    carried = reactions(evaluator, multipliers).values()
    return Efforts(
        multipliers,
        multipliers * np.where(velocity, row[:, ROW_VALUE.F], row[:, ROW_VALUE.FT]),
        np.array([np.linalg.norm(force) for force, _ in carried]),
        np.array([np.linalg.norm(torque) for _, torque in carried]),
    )


def _loose(evaluator: Evaluator, scales: Scales, path: Path) -> set[tuple[str, str]]:
    """Motions and joints whose effort or reaction changes with a z, zᵀJ = 0, that is added to λ.

    The middle of the motion stands for all of it: the rank of J is full everywhere on it, so the number of
    such z stays.
    """
    state = path.states[len(path.states) // 2]
    evaluator.at(state.t, state.q, state.v, state.angles)
    found: set[tuple[str, str]] = set()
    for z in (state.space.left_null / scales.row[:, None]).T:
        limit = DEPENDS * float(np.max(np.abs(z)))
        for name, span in evaluator.mechanism.motion_rows.items():
            if np.max(np.abs(z[span.begin : span.end]), initial=0.0) > limit:
                found.add(("motions", name))
        for name, (force, torque) in reactions(evaluator, z).items():
            if max(np.max(np.abs(force)), np.max(np.abs(torque)) / scales.length) > limit:
                found.add(("joints", name))
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


def _carried(mechanism: Mechanism, t: Array, efforts: Efforts, loose: set[tuple[str, str]]) -> Table:
    """Largest reactions of the joints."""
    names = [name for name in mechanism.joint_rows if name in mechanism.joint_frames]
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
