"""Joints and motions: coordinates, reactions, power and violation.

A reaction is the force and torque that the joint's constraint rows apply to body B at its marker (the point
of frame B), in world axes; body A feels the opposite about the same point. What a motion, motor or spring
does along a joint's coordinate is not part of the reaction. Joints that couple other joints have no marker:
they have an effort.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from engine.compiled.columns import forces as LAW
from engine.compiled.columns import rows as ROW
from engine.compiled.layout import Array
from engine.elements.field_units import COORDINATE_UNITS
from engine.model.scene import kind_of
from engine.results.output_evaluation import LAW_POWER, OutputEvaluation, functions_of_laws
from engine.results.quantities.base import Channel, Read
from engine.system.compiling.mechanism import Mechanism, Span

WRENCH = (("fx", "N"), ("fy", "N"), ("fz", "N"), ("tx", "N·m"), ("ty", "N·m"), ("tz", "N·m"))
IN_PLANE = ("fx", "fy", "tz")
FORCE = "force of the joint on body B at its marker, world axes; body A feels the opposite"
TORQUE = "torque of the joint on body B about its marker, world axes; body A feels the opposite"
COUPLED = (
    "multiplier of the coupling: times the factor of a coordinate it is the effort along that coordinate"
)
POWER = "power that motions, motors, springs and friction along its coordinates put in"
VIOLATION = "how far the joint is open: norm over its constraints"
EFFORT = "force or torque that the motion needs, positive where its coordinate grows"
MOTION_POWER = "power that the motion puts in"
EFFORTS = {"m": "N", "rad": "N·m", "m/s": "N", "rad/s": "N·m"}


def channels(mechanism: Mechanism) -> Iterator[Channel]:
    coordinates_of: dict[str, dict[str, int]] = {name: {} for name in mechanism.joint_rows}
    for (joint, coordinate), coordinate_function in mechanism.coordinates.items():
        coordinates_of[joint][coordinate] = coordinate_function
    laws_along, motions_of = _laws_along(mechanism), _motions_of(mechanism)
    for j, (name, span) in enumerate(mechanism.joint_rows.items()):
        prefix, coordinates = f"joint.{name}", coordinates_of[name]
        for coordinate, coordinate_function in coordinates.items():
            # with two coordinates the bare words mean the angle
            first = coordinate == "angle" or len(coordinates) == 1
            word = "" if first else f".{coordinate}"
            unit = COORDINATE_UNITS[coordinate]
            counted = (
                "angle of B against A, counted over full turns" if unit == "rad" else "way of B against A"
            )
            readings = (
                (f"{prefix}.{coordinate}", unit, counted),
                (f"{prefix}{word}.speed", f"{unit}/s", "rate of the coordinate"),
                (f"{prefix}{word}.acceleration", f"{unit}/s²", "second derivative of the coordinate"),
            )
            for order, (full_name, its_unit, meaning) in enumerate(readings):
                yield Channel(full_name, its_unit, _coordinate_function(coordinate_function, order), meaning)
        if name in mechanism.joint_frames:
            for column, (word, unit) in enumerate(WRENCH):
                if word in IN_PLANE or not mechanism.planar:
                    meaning = FORCE if unit == "N" else TORQUE
                    yield Channel(f"{prefix}.reaction.{word}", unit, _reaction(j, column), meaning)
        else:
            effort = EFFORTS[mechanism.rows[span.begin].unit]
            yield Channel(f"{prefix}.effort", effort, _multiplier(span), COUPLED)
        own = _row_power(mechanism, [span, *motions_of.get(name, ())])
        laws = [law for function in coordinates.values() for law in laws_along.get(function, ())]
        yield Channel(f"{prefix}.power", "W", _power(own, laws), POWER)
        yield Channel(f"{prefix}.violation", _mixed(mechanism, span), _violation(span), VIOLATION)
    without_joint = {
        motion.name for motion in mechanism.scene.motions if kind_of(motion).moves(motion).owner == "motion"
    }
    for name, span in mechanism.motion_rows.items():
        unit = EFFORTS[mechanism.rows[span.begin].unit]
        yield Channel(f"motion.{name}.effort", unit, _multiplier(span), EFFORT)
        yield Channel(f"motion.{name}.power", "W", _row_power(mechanism, [span]), MOTION_POWER)
        if name in without_joint:  # no joint or body has the channels of its coordinate
            of = int(mechanism.system.rows[span.begin, ROW.COORDINATE])
            yield Channel(f"motion.{name}.length", "m", _coordinate_function(of, 0), "distance of its ends")
            yield Channel(f"motion.{name}.speed", "m/s", _coordinate_function(of, 1), "rate of the distance")


def _coordinate_function(coordinate_function: int, column: int) -> Read:
    return lambda evaluation: evaluation.tables.coordinate_functions[:, coordinate_function, column]


def _reaction(joint: int, column: int) -> Read:
    return lambda evaluation: evaluation.tables.reactions[:, joint, column]


def _multiplier(span: Span) -> Read:
    return lambda evaluation: evaluation.multipliers[:, span.begin]


def _violation(span: Span) -> Read:
    """Norm of Φ over the joint's rows; rows at velocity level count with their rate."""

    def read(evaluation: OutputEvaluation) -> Array:
        rows = evaluation.tables.rows[:, span.begin : span.end]
        velocity = [info.velocity for info in evaluation.mechanism.rows[span.begin : span.end]]
        return np.asarray(np.linalg.norm(np.where(velocity, rows[:, :, 1], rows[:, :, 0]), axis=1))

    return read


def _mixed(mechanism: Mechanism, span: Span) -> str:
    units = dict.fromkeys(info.unit for info in mechanism.rows[span.begin : span.end])
    return ", ".join(units)


def _row_power(mechanism: Mechanism, spans: list[Span]) -> Read:
    """λ times the rate of the coordinate function that the row holds."""
    rows = [r for span in spans for r in range(span.begin, span.end)]
    coordinate_functions = mechanism.system.rows[rows, ROW.COORDINATE]

    def read(evaluation: OutputEvaluation) -> Array:
        rates = evaluation.tables.coordinate_functions[:, coordinate_functions, 1]
        return np.asarray(np.sum(evaluation.multipliers[:, rows] * rates, axis=1))

    return read


def _motions_of(mechanism: Mechanism) -> dict[str, list[Span]]:
    """Rows of the motions that drive a joint, by its name."""
    found: dict[str, list[Span]] = {}
    for motion in mechanism.scene.motions:
        where, joint = kind_of(motion).moves(motion)[:2]
        if where == "joint":
            found.setdefault(joint, []).append(mechanism.motion_rows[motion.name])
    return found


def _laws_along(mechanism: Mechanism) -> dict[int, list[int]]:
    """Numbers of the laws that act along a coordinate function, by its number."""
    found: dict[int, list[int]] = {}
    for law in np.flatnonzero(functions_of_laws(mechanism) > 0):
        found.setdefault(int(mechanism.system.forces[law, LAW.A]), []).append(int(law))
    return found


def _power(own: Read, laws: list[int]) -> Read:
    """What motions, motors and springs along its coordinates put in, and its rows (zero unless they move)."""

    def read(evaluation: OutputEvaluation) -> Array:
        return np.asarray(own(evaluation) + evaluation.tables.laws[:, laws, LAW_POWER].sum(axis=1))

    return read
