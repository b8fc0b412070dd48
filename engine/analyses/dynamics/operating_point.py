"""The state that a linear motion is about: the motion as it is, if it is steady, or an equilibrium."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np

from engine.analyses.base import Question
from engine.analyses.dynamics.static import missing, search_of
from engine.elements.fields import text
from engine.system.assembly.scaling import Scales
from engine.system.equations.evaluator import Evaluator
from engine.system.small_motions.force_balance import State, balance
from engine.system.small_motions.turning_axes import turning_axes

STEADY = 1e-6  # of the accelerations about: a motion that leaves less is steady
AT_REST = 1e-9  # 1/s

About = Annotated[
    Literal["automatic", "equilibrium", "motion"],
    text(
        "About",
        "motion: the state as it moves, which should be a steady motion; equilibrium: the stable pose "
        "downhill from it; automatic: the motion if it is steady",
    ),
]


@dataclass(frozen=True)
class OperatingPoint:
    """A state in words; without a state `what` is the sentence that says why."""

    state: State | None
    what: str
    notes: tuple[str, ...]


def operating_point(
    question: Question, evaluator: Evaluator, scales: Scales, about: str, share: float = 0.8
) -> OperatingPoint:
    """Look for it; `share` is the part of the question's progress that this may take."""
    question.stage(0.0, "assembling")
    start = question.start
    state = State(question.t, start.q, start.v, start.angles)
    moves = float(np.max(np.abs(start.v / scales.column), initial=0.0)) > AT_REST
    notes = list(start.notes)
    if about == "motion" or (about == "automatic" and moves):
        left = turning_axes(evaluator, scales, state, balance(evaluator, scales, state)).unsteadiness
        if left <= STEADY:
            return OperatingPoint(state, "the steady motion", tuple(notes))
        notes.append(f"the motion is not steady: {left:.2g} of the accelerations about are left over")
        if about == "motion":
            notes.append("the exponents hold for this instant only")
            return OperatingPoint(state, "the steady motion", tuple(notes))
        notes.append("so this is about an equilibrium; about=motion asks for the instant")
    question.stage(0.3 * share, "searching the equilibrium")

    def searching(part: float) -> None:
        question.stage((0.3 + 0.7 * part) * share, "searching the equilibrium")

    rest = search_of(evaluator, scales, question.t).find(start.q, start.angles, visit=searching)
    if not rest.found:
        return OperatingPoint(None, missing(rest), tuple(notes))
    return OperatingPoint(rest.state, f"the {rest.stability} equilibrium", (*notes, *rest.notes))
