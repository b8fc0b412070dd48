"""Bodies: position, velocity, acceleration of the body frame's origin, the centre of mass and named points.

All in world axes. A body that is fixed has no channels.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from engine.compiled.layout import Array
from engine.results.output_evaluation import OutputEvaluation
from engine.results.quantities.base import Channel, Read, vector
from engine.system.compiling.mechanism import Mechanism

QUATERNION = "orientation: unit quaternion that turns body axes into world axes"


def channels(mechanism: Mechanism) -> Iterator[Channel]:
    points_of = {body.name: body.points for body in mechanism.scene.bodies}
    for b, name in enumerate(mechanism.bodies):
        com, prefix = mechanism.com[b], f"body.{name}"
        yield from _motion(mechanism, prefix, b, -com, "the body's origin")
        yield from _motion(mechanism, f"{prefix}.com", b, np.zeros(3), "the centre of mass", bare=True)
        yield from _turning(mechanism, prefix, b)
        for point in points_of[name]:
            p_B = np.array(point.position, dtype=float) - com
            yield from _motion(mechanism, f"{prefix}.point.{point.name}", b, p_B, "a point of the body")


def _motion(
    mechanism: Mechanism, prefix: str, b: int, p_B: Array, of: str, *, bare: bool = False
) -> Iterator[Channel]:
    """Position, velocity and acceleration of a point; `bare`: the position without a word of its own."""
    axes = "xy" if mechanism.planar else "xyz"

    def position(evaluation: OutputEvaluation) -> Array:
        return evaluation.position(b, p_B)

    def velocity(evaluation: OutputEvaluation) -> Array:
        return evaluation.velocity(b, p_B)

    def acceleration(evaluation: OutputEvaluation) -> Array:
        return evaluation.acceleration(b, p_B)

    yield from vector(
        prefix if bare else f"{prefix}.pos", "m", position, axes, f"position of {of}, world axes"
    )
    yield from vector(f"{prefix}.vel", "m/s", velocity, axes, f"velocity of {of}, world axes")
    yield from vector(f"{prefix}.acc", "m/s²", acceleration, axes, f"acceleration of {of}, world axes")


def _turning(mechanism: Mechanism, prefix: str, b: int) -> Iterator[Channel]:
    def omega(evaluation: OutputEvaluation) -> Array:
        return evaluation.to_world(b, evaluation.rates(b)[1])

    def alpha(evaluation: OutputEvaluation) -> Array:
        # ω × ω = 0: no term for the moving axes
        return evaluation.to_world(b, evaluation.rates(b, second=True)[1])

    def omega_body(evaluation: OutputEvaluation) -> Array:
        return evaluation.rates(b)[1]

    axes = "z" if mechanism.planar else "xyz"
    if mechanism.planar:
        yield Channel(
            f"{prefix}.angle",
            "rad",
            lambda evaluation: evaluation.coordinates(b)[:, 2],
            "turn of the body about z, counted over full turns",
        )
    else:
        for k, part in enumerate("wxyz"):
            yield Channel(f"{prefix}.quat.{part}", "", _quaternion(b, k), QUATERNION)
    yield from vector(f"{prefix}.omega", "rad/s", omega, axes, "angular velocity, world axes")
    if not mechanism.planar:
        yield from vector(f"{prefix}.omega_body", "rad/s", omega_body, axes, "angular velocity, body axes")
    yield from vector(f"{prefix}.alpha", "rad/s²", alpha, axes, "angular acceleration, world axes")


def _quaternion(b: int, part: int) -> Read:
    return lambda evaluation: evaluation.coordinates(b)[:, 3 + part]
