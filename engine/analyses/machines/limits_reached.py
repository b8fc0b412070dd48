"""Limits: which stops, ropes and contacts are reached along the motion, and which friction holds to the end.

A friction that sticks when the motion has come to rest is self-locking: its effort is below what it can
hold, so that the load alone does not move the joint. What is left says how much more load it would bear.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.analyses.answers.result import Cell, Column, Mention, Result, Table
from engine.analyses.base import Analysis, Question
from engine.analyses.machines.followed import AlongOptions
from engine.elements.base import as_float
from engine.elements.forces.friction import efforts
from engine.errors import Problem, SceneError
from engine.model.resolve import resolve
from engine.model.set_value import set_value
from engine.results.trajectory import Trajectory

RANGES = {"stop": ("coordinate", "effort"), "rope": ("length", "force"), "contact": ("gap", "force")}
STILL = 1e-9  # m/s or rad/s: what is slower all the time has not slipped


def run(question: Question) -> Result:
    """What is reached, and what holds."""
    options = question.options
    assert isinstance(options, AlongOptions)
    question.stage(0.0, "looking for limits")
    scene = question.scene
    if options.duration:
        scene = set_value(scene, "simulation.duration", options.duration)
    forces = resolve(scene).forces
    limited = [force for force in forces if _kind(force) in RANGES]
    frictions: list[Any] = [force for force in forces if _kind(force) == "friction"]
    if not limited and not frictions:
        return Result("There are no stops, ropes, contacts or frictions in this scene.")
    question.stage(0.1, "running the scene")
    found = question.simulated(scene)
    if found.status.failed:
        words = f"the run does not come to its end: {found.message}"
        raise SceneError([Problem("", None, words, "mend the run first")])
    reached = [force for force in limited if _hits(found, force.name)]
    locked = [force for force in frictions if force.model == "held" and _held_at_the_end(found, force.name)]
    sentences = []
    if limited:
        names = ", ".join(repr(force.name) for force in reached)
        which = f": {names}" if reached else ""
        sentences.append(f"{len(reached)} of {len(limited)} limits are reached{which}.")
    for force in locked:
        effort, bound = abs(float(found.channel(f"force.{force.name}.effort")[-1])), _bound(force)
        of = f" of {bound:.4g}" if bound is not None else ""
        unit = "N·m" if force.coordinate == "angle" else "N"
        sentences.append(
            f"Friction {force.name!r} holds joint {force.joint!r} at the end with {effort:.4g}{of} {unit}: "
            "it is self-locking under this load."
        )
    tables = []
    if limited:
        tables.append(Table("Limits", LIMITS, tuple(_limit(found, force) for force in limited)))
    if frictions:
        tables.append(Table("Friction", FRICTIONS, tuple(_friction(found, force) for force in frictions)))
    return Result(" ".join(sentences) or "No friction holds at the end.", tables=tuple(tables))


LIMITS = (
    Column("Element"),
    Column("Smallest"),
    Column("Largest"),
    Column("Reached"),
    Column("First at", "s"),
    Column("Largest push"),
)
FRICTIONS = (
    Column("Element"),
    Column("Joint"),
    Column("Largest effort"),
    Column("Can hold"),
    Column("At the end"),
)


def _kind(force: Any) -> str:
    return str(force.__struct_config__.tag)


def _hits(found: Trajectory, name: str) -> list[float]:
    """Instants at which a limit is met."""
    return [event.t for event in found.events if event.element == name and event.kind in ("impact", "touch")]


def _limit(found: Trajectory, force: Any) -> tuple[Cell, ...]:
    value, push = (found.channel(f"force.{force.name}.{name}") for name in RANGES[_kind(force)])
    hits = _hits(found, force.name)
    first = hits[0] if hits else float("nan")
    largest = float(np.abs(push).max())
    element = Mention("forces", force.name)
    return element, float(value.min()), float(value.max()), f"{len(hits)} ×" if hits else "no", first, largest


def _held_at_the_end(found: Trajectory, name: str) -> bool:
    own = [event.kind for event in found.events if event.element == name and event.kind in ("stick", "slip")]
    if own:
        return own[-1] == "stick"
    return bool(np.abs(found.channel(f"force.{name}.speed")).max() < STILL)


def _bound(force: Any) -> float | None:
    """What a friction can hold; None where that depends on reactions."""
    return None if force.normal == "reaction" else as_float(efforts(force)[1])


def _friction(found: Trajectory, force: Any) -> tuple[Cell, ...]:
    effort, bound = found.channel(f"force.{force.name}.effort"), _bound(force)
    if force.model != "held":
        word = "creeps or slips: this model does not hold"
    else:
        word = "holds" if _held_at_the_end(found, force.name) else "slips"
    can = "by the reaction" if bound is None else f"{bound:.6g}"
    return (
        Mention("forces", force.name),
        Mention("joints", force.joint),
        float(np.abs(effort).max()),
        can,
        word,
    )


LIMITS_REACHED = Analysis(
    name="limits",
    title="Limits and self-locking",
    summary="Which stops, ropes and contacts the motion reaches, and which friction holds at its end.",
    options=AlongOptions,
    run=run,
)
