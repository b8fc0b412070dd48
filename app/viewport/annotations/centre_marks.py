"""Instant centres of bodies at the instant that is shown. No Qt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from engine.analyses.kinematics.instant_centres import Twists
from engine.analyses.mobility.continuation import joint_rows
from engine.compiled.layout import Array
from engine.elements.base import WORLD
from engine.results.output_evaluation import OutputEvaluation
from engine.system.assembly.scaling import scales_of, subspaces
from engine.system.equations.evaluator import Evaluator

MOVES = 1e-9  # m/s, rad/s: slower is at rest
MAX_BODIES = 12  # of all pairs; more cannot be read


@dataclass(frozen=True, eq=False)
class Centre:
    """Where two bodies turn about each other [m, world], and who."""

    place: Array
    title: str


def centres(evaluation: OutputEvaluation, chosen: Sequence[str]) -> list[Centre]:
    """One chosen body against the ground, several also against each other; none chosen: all on the ground."""
    mechanism = evaluation.mechanism
    if not mechanism.planar:
        return []
    twists = _twists(evaluation)
    if twists is None:
        return []
    known = [name for name in chosen if name in mechanism.bodies][:MAX_BODIES]
    bodies = known or list(mechanism.bodies)[:MAX_BODIES]
    pairs = [(body, WORLD) for body in bodies]
    if len(known) > 1:
        pairs += list(combinations(known, 2))
    found = []
    for one, other in pairs:
        place = twists.centre(one, other)
        if place is not None and np.isfinite(place).all():
            title = one if other == WORLD else f"{one}, {other}"
            found.append(Centre(np.array([*place, 0.0]), title))
    return found


def _twists(evaluation: OutputEvaluation) -> Twists | None:
    """Of the motion at the only sample; at rest, of the motion that its one degree of freedom allows."""
    mechanism = evaluation.mechanism
    count = len(mechanism.bodies)
    places = np.array([evaluation.position(b, np.zeros(3))[0, :2] for b in range(count)])
    v = evaluation.samples[0, evaluation.layout.v].reshape(count, 3)
    if np.abs(v).max(initial=0.0) < MOVES:
        evaluator, scales = Evaluator(mechanism), scales_of(mechanism)
        q = np.array([evaluation.coordinates(b)[0] for b in range(count)]).ravel()
        J = scales.jacobian(evaluator.at(float(evaluation.t[0]), q).jacobian)
        null = subspaces(J[joint_rows(mechanism.rows)]).null if mechanism.rows else np.zeros((0, 0))
        if null.shape[1] != 1:
            return None
        v = (null[:, 0] * scales.column).reshape(count, 3)
    return Twists.of(tuple(mechanism.bodies), places, v)
