"""Poses in the words of a scene: where the origins of the bodies are, and how open joints are."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engine.analyses.answers.result import Mention
from engine.compiled.layout import Array
from engine.model.poses import Poses
from engine.system.assembly.position_problem import PositionProblem
from engine.system.compiling.mechanism import Span
from engine.system.equations.evaluator import Evaluator
from engine.system.equations.pose_table import point, rotation


def body_poses(evaluator: Evaluator, q: Array) -> Poses:
    """Where all moving bodies are at q."""
    mechanism = evaluator.mechanism
    pose = evaluator.at(0.0, q).work.pose
    found = {}
    for b, name in enumerate(mechanism.bodies):
        found[name] = (point(pose, b, -mechanism.com[b]), rotation(pose, b).copy())
    return found


@dataclass(frozen=True)
class Gap:
    """By how much a joint or a motion is open."""

    element: Mention
    length: float  # m
    angle: float  # rad
    share: float  # the larger of both, lengths over that of the mechanism


def gaps(problem: PositionProblem, q: Array, angles: Array) -> list[Gap]:
    """Joints and motions that do not fit at q, worst first; those closed to rounding are left out."""
    mechanism = problem.mechanism
    askew = problem.askew(q)
    r = problem.residual(q, angles, ()) * problem.scales.row
    least = 10.0 * problem.rounding(q, ())
    found = []
    for where, spans in (("joints", mechanism.joint_rows), ("motions", mechanism.motion_rows)):
        for name, span in spans.items():
            length, angle = _parts(problem, r, span)
            if where == "joints" and name in askew:
                angle = askew[name]  # rows of directions only know its sine
            share = max(length / problem.scales.length, angle)
            if share > least:
                found.append(Gap(Mention(where, name), length, angle, share))
    return sorted(found, key=lambda gap: -gap.share)


def _parts(problem: PositionProblem, r: Array, span: Span) -> tuple[float, float]:
    rows = range(span.begin, span.end)
    metres = [problem.mechanism.rows[i].unit.startswith("m") for i in rows]
    values = r[span.begin : span.end]
    length = float(np.linalg.norm(values[np.array(metres, dtype=bool)])) if any(metres) else 0.0
    rest = values[~np.array(metres, dtype=bool)] if len(values) else values
    return length, float(np.linalg.norm(rest))
