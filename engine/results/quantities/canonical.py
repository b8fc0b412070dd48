"""What canonical methods carry: momenta p = M v − Jᵀσ, multipliers σ of the velocity rows, ∫Φ dt.

Momenta of turning are in body axes. σ and ∫Φ have one number per constraint row, counted from 1 within a
joint; the zero of σ is arbitrary, and `method.resets` counts how often it has begun anew.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from engine.compiled.layout import Array
from engine.results.output_evaluation import OutputEvaluation
from engine.results.quantities.base import Channel, Read
from engine.results.quantities.joints import EFFORTS
from engine.results.stepping import stepping_of
from engine.system.compiling.mechanism import Mechanism, Span

MOMENTUM = "momentum that the method carries, M v − Jᵀσ; turning about body axes"
SIGMA = "multiplier of the row at velocity level; its zero is arbitrary"
LINEAR, TURNING = "kg·m/s", "kg·m²/s"


def channels(mechanism: Mechanism) -> Iterator[Channel]:
    carried = {part.name for part in stepping_of(mechanism).carried}
    if "momenta" in carried:
        yield from _momenta(mechanism)
    if "sigma" in carried:
        yield from _rows(mechanism)
        yield Channel("method.sigma", "N·s, N·m·s", _norm, "norm of σ")
    if "resets" in carried:
        yield Channel("method.resets", "", _resets, "how often σ has begun anew")


def _momenta(mechanism: Mechanism) -> Iterator[Channel]:
    axes = [("x", LINEAR), ("y", LINEAR)]
    if mechanism.planar:
        axes += [("turn.z", TURNING)]
    else:
        axes += [("z", LINEAR), ("turn.x", TURNING), ("turn.y", TURNING), ("turn.z", TURNING)]
    for b, name in enumerate(mechanism.bodies):
        for k, (axis, unit) in enumerate(axes):
            yield Channel(
                f"body.{name}.canonical.{axis}", unit, _column("momenta", b * len(axes) + k), MOMENTUM
            )


def _rows(mechanism: Mechanism) -> Iterator[Channel]:
    spans: list[tuple[str, Span]] = [(f"joint.{name}", span) for name, span in mechanism.joint_rows.items()]
    spans += [(f"motion.{name}", span) for name, span in mechanism.motion_rows.items()]
    for prefix, span in spans:
        for r in range(span.begin, span.end):
            row, place = mechanism.rows[r], r - span.begin + 1
            yield Channel(f"{prefix}.sigma.{place}", f"{EFFORTS[row.unit]}·s", _column("sigma", r), SIGMA)
            if not row.velocity:
                name = f"{prefix}.integral.{place}"
                yield Channel(name, f"{row.unit}·s", _column("integral", r), "time integral of the row")


def _column(name: str, column: int) -> Read:
    return lambda evaluation: evaluation.carried(name)[:, column]


def _norm(evaluation: OutputEvaluation) -> Array:
    return np.asarray(np.linalg.norm(evaluation.carried("sigma"), axis=1))


def _resets(evaluation: OutputEvaluation) -> Array:
    return np.asarray(evaluation.carried("resets").max(axis=1, initial=0.0))
