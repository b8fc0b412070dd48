"""Velocity and acceleration polygons of planar linkages: the vectors of all pins, drawn from one pole.

Two pins P, Q of one body differ by what the body's turning adds,

    v_Q − v_P = ω ẑ × r,      a_Q − a_P = α ẑ × r − ω² r,      r = Q − P,

so the polygon of a body's pins is the body itself, turned and scaled: its image.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from engine.compiled.layout import Array
from engine.results.output_evaluation import OutputEvaluation

MAX_PINS = 24  # more cannot be read
POLE = "O"


@dataclass(frozen=True, eq=False)
class Polygon:
    """Tips of the vectors by pin, in the unit, shape (2,); edges between pins of one body; the pole is 0."""

    unit: str
    tips: dict[str, Array]
    edges: tuple[tuple[str, str, str], ...]  # pin, pin, body


def polygons(evaluation: OutputEvaluation) -> tuple[Polygon, Polygon] | None:
    """Of velocities and of accelerations at the only sample; None in space, or with too many pins."""
    mechanism = evaluation.mechanism
    if not mechanism.planar or not mechanism.joint_frames or len(mechanism.joint_frames) > MAX_PINS:
        return None
    velocities: dict[str, Array] = {}
    accelerations: dict[str, Array] = {}
    pins: dict[str, list[str]] = {name: [] for name in mechanism.bodies}
    for joint, frames in mechanism.joint_frames.items():
        moving = [frame for frame in frames if frame.body < len(mechanism.bodies)]
        if not moving:
            continue
        frame = moving[-1]
        velocities[joint] = evaluation.velocity(frame.body, frame.point)[0, :2]
        accelerations[joint] = evaluation.acceleration(frame.body, frame.point)[0, :2]
        for one in moving:
            pins[mechanism.bodies[one.body]].append(joint)
    edges = tuple((p, q, body) for body, own in pins.items() for p, q in pairwise(own))
    return Polygon("m/s", velocities, edges), Polygon("m/s²", accelerations, edges)
