"""Limits: which stops, ropes and contacts are reached along the motion, and which friction holds to the end.

A friction that sticks when the motion has come to rest is self-locking: its effort is below what it can
hold, so that the load alone does not move the joint. What is left says how much more load it would bear. So
is a mesh whose efficiency leaves nothing to drive it back with; and a contact that sticks jams its bodies.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.analyses.answers.result import Cell, Column, Mention, Result, Table
from engine.analyses.base import Analysis, Question
from engine.analyses.machines.followed import AlongOptions
from engine.elements.base import as_float
from engine.elements.field_units import coordinate_unit
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
    limited: list[Any] = [force for force in forces if _kind(force) in RANGES]
    frictions: list[Any] = [force for force in forces if _kind(force) in ("friction", "mesh_loss")]
    if not limited and not frictions:
        return Result("There are no stops, ropes, contacts or frictions in this scene.")
    question.stage(0.1, "running the scene")
    found = question.simulated(scene)
    if found.status.failed:
        words = f"the run does not come to its end: {found.message}"
        raise SceneError([Problem("", None, words, "mend the run first")])
    reached = [force for force in limited if _hits(found, force.name)]
    locked = [force for force in frictions if _holds(force) and _held_at_the_end(found, force)]
    jammed = [force for force in limited if _sticks_at_the_end(found, force.name)]
    sentences = []
    if limited:
        names = ", ".join(repr(force.name) for force in reached)
        which = f": {names}" if reached else ""
        sentences.append(f"{len(reached)} of {len(limited)} limits are reached{which}.")
    sentences += [_why_locked(found, force) for force in locked]
    for force in jammed:
        most = as_float(force.static_friction or force.friction)
        sentences.append(
            f"Contact {force.name!r} sticks at the end: what pushes its bodies along each other is less than "
            f"{most:g} times what presses them together, so that no load in that direction moves them."
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
    Column("Unit"),
    Column("Unit of the push"),
)
FRICTIONS = (
    Column("Element"),
    Column("Joint"),
    Column("Largest effort or power"),
    Column("Can hold"),
    Column("At the end"),
    Column("Unit"),
)


def _kind(force: Any) -> str:
    return str(force.__struct_config__.tag)


def _hits(found: Trajectory, name: str) -> list[float]:
    """Instants at which a limit is met."""
    return [event.t for event in found.events if event.element == name and event.kind in ("impact", "touch")]


def _limit(found: Trajectory, force: Any) -> tuple[Cell, ...]:
    channels = [f"force.{force.name}.{name}" for name in RANGES[_kind(force)]]
    value, push = map(found.channel, channels)
    hits = _hits(found, force.name)
    first = hits[0] if hits else float("nan")
    largest = float(np.abs(push).max())
    element = Mention("forces", force.name)
    reached = f"{len(hits)} ×" if hits else "no"
    return (
        element,
        float(value.min()),
        float(value.max()),
        reached,
        first,
        largest,
        *map(found.unit, channels),
    )


def _holds(force: Any) -> bool:
    """Whether it can hold at all."""
    return _kind(force) == "mesh_loss" or force.model == "held"


def _last_state(found: Trajectory, name: str) -> str:
    """The kind of its last change between sticking, slipping and not touching; "" where there was none."""
    kinds = ("stick", "slip", "leave")
    own = [event.kind for event in found.events if event.element == name and event.kind in kinds]
    return own[-1] if own else ""


def _sticks_at_the_end(found: Trajectory, name: str) -> bool:
    return _last_state(found, name) == "stick"


def _held_at_the_end(found: Trajectory, force: Any) -> bool:
    state = _last_state(found, force.name)
    if state:
        return state == "stick"
    if _kind(force) == "mesh_loss":
        return bool(np.abs(found.channel(f"force.{force.name}.power")).max() == 0.0) and _still(found)
    return bool(np.abs(found.channel(f"force.{force.name}.speed")).max() < STILL)


def _still(found: Trajectory) -> bool:
    """Whether nothing has moved at all."""
    return bool(found.channel("energy.kinetic").max() < STILL)


def _bound(force: Any) -> float | None:
    """What a friction can hold; None where that depends on reactions."""
    if _kind(force) == "mesh_loss" or force.normal == "reaction":
        return None
    return as_float(efforts(force)[1])


def _why_locked(found: Trajectory, force: Any) -> str:
    """What holds, with how much, and why."""
    if _kind(force) == "mesh_loss":
        back = force.efficiency if force.efficiency_back is None else force.efficiency_back
        return (
            f"Mesh {force.joint!r} holds at the end: with efficiencies of {as_float(force.efficiency):g} and "
            f"{as_float(back):g} back ({force.name!r}) neither side gives the other enough to move it."
        )
    effort, bound = abs(float(found.channel(f"force.{force.name}.effort")[-1])), _bound(force)
    unit = "N·m" if coordinate_unit(force.coordinate) == "rad" else "N"
    of = "" if bound is None else f" of {bound:.4g}"
    if bound is None:
        coefficient = force.coefficient if force.static_coefficient is None else force.static_coefficient
        why = (
            f"it can hold {as_float(coefficient):g} times what presses the joint, which grows with the load: "
            "more of the same load does not move it"
        )
    else:
        why = f"only a load that is larger by {bound - effort:.4g} {unit} would move it"
    return (
        f"Friction {force.name!r} holds joint {force.joint!r} at the end with {effort:.4g}{of} {unit}: "
        f"it is self-locking under this load; {why}."
    )


def _friction(found: Trajectory, force: Any) -> tuple[Cell, ...]:
    bound = _bound(force)
    if not _holds(force):
        word = "creeps or slips: this model does not hold"
    else:
        word = "holds" if _held_at_the_end(found, force) else "slips"
    can: Cell = "by the reaction" if bound is None else bound
    effort = f"force.{force.name}.{'power' if _kind(force) == 'mesh_loss' else 'effort'}"
    return (
        Mention("forces", force.name),
        Mention("joints", force.joint),
        float(np.abs(found.channel(effort)).max()),
        can,
        word,
        found.unit(effort),
    )


LIMITS_REACHED = Analysis(
    name="limits",
    title="Limits and self-locking",
    summary="Which stops, ropes and contacts the motion reaches, and which friction holds at its end.",
    options=AlongOptions,
    run=run,
)
