"""Transmission angle of every four-bar over the turn of its input, and over its proportions."""

from __future__ import annotations

from typing import Annotated

import numpy as np
from msgspec import Struct

from engine.analyses.answers.chart import Axis, Chart, Field, Series
from engine.analyses.answers.result import Cell, Column, Mention, Result, Table
from engine.analyses.base import Analysis, Question
from engine.analyses.kinematics.four_bars import FourBar, four_bars
from engine.compiled.layout import Array
from engine.elements.fields import number

STEPS = 721  # of a turn
RATIOS = np.linspace(0.5, 2.0, 121)  # of coupler and output bar, in the map


class TransmissionOptions(Struct, frozen=True, kw_only=True):
    """What is good enough."""

    least: Annotated[
        float, number("At least", "rad", "the smallest angle that passes force well", ge=0.0, le=1.5708)
    ] = 0.6981317007977318  # 40°


def run(question: Question) -> Result:
    """Closed forms of the loops, as they are and with other lengths of coupler and output."""
    options = question.options
    assert isinstance(options, TransmissionOptions)
    question.stage(0.0, "looking for four-bars")
    loops = four_bars(question.scene)
    if not loops:
        return Result("There is no four-bar loop of hinges in the plane.")
    rows: list[tuple[Cell, ...]] = []
    turning: list[Series] = []
    for i, loop in enumerate(loops):
        question.stage(i / len(loops), f"four-bar of {loop.bodies[1]}")
        phi, mu = transmission_angles(*loop.lengths)
        worst = worst_angle(*loop.lengths)
        rows.append(
            (
                Mention("bodies", loop.bodies[1]),
                loop.grashof[0],
                float(np.nanmin(mu)),
                float(np.nanmax(mu)),
                worst,
                "good" if worst >= options.least else "poor",
            )
        )
        turning.append(Series(loop.bodies[1], np.degrees(phi), np.degrees(mu), group=i))
    good = sum(row[-1] == "good" for row in rows)
    columns = (
        Column("Coupler"),
        Column("Class"),
        Column("Smallest", "rad"),
        Column("Largest", "rad"),
        Column("Worst, from 0 or π", "rad"),
        Column("Verdict"),
    )
    limit = np.degrees(options.least)
    edge = Series("wanted", np.array([0.0, 360.0]), np.array([limit, limit]), group=len(loops))
    return Result(
        f"{len(loops)} four-bar{'' if len(loops) == 1 else 's'}, {good} with a transmission angle of "
        f"at least {limit:.3g}° throughout.",
        tables=(Table("Transmission angles", columns, tuple(rows)),),
        charts=(
            Chart(
                "Transmission angle",
                Axis("Input angle [°]"),
                Axis("Transmission angle [°]"),
                (*turning, edge),
            ),
            *(_map(loop, options.least) for loop in loops),
        ),
    )


def transmission_angles(a: float, b: float, c: float, d: float) -> tuple[Array, Array]:
    """Input angle from the ground and transmission angle [rad]; NaN where the loop does not close."""
    phi = np.linspace(0.0, 2.0 * np.pi, STEPS)
    cosine = (b * b + c * c - a * a - d * d + 2.0 * a * d * np.cos(phi)) / (2.0 * b * c)
    with np.errstate(invalid="ignore"):
        return phi, np.where(np.abs(cosine) <= 1.0, np.arccos(np.clip(cosine, -1.0, 1.0)), np.nan)


def worst_angle(a: float, b: float, c: float, d: float) -> float:
    """The distance from 0 and from π at the worst pose; 0 where the input cannot turn [rad]."""
    cosines = [(b * b + c * c - (d + side * a) ** 2) / (2.0 * b * c) for side in (-1.0, 1.0)]
    if max(map(abs, cosines)) > 1.0:
        return 0.0
    return float(min(min(x, np.pi - x) for x in np.arccos(cosines)))


def _map(loop: FourBar, wanted: float) -> Chart:
    """The worst angle over the lengths of coupler and output bar; open where the input cannot turn."""
    a, b, c, d = loop.lengths
    couplers, outputs = b * RATIOS, c * RATIOS
    worst = np.array([[worst_angle(a, x, y, d) for y in outputs] for x in couplers])
    return Chart(
        f"Map of {loop.bodies[1]}",
        Axis(f"Length of {loop.bodies[1]}", "m"),
        Axis(f"Length of {loop.bodies[2]}", "m"),
        (Series("as it is", np.array([b]), np.array([c]), "points"),),
        field=Field(
            couplers,
            outputs,
            np.where(worst > 0.0, worst, np.nan),
            Axis("Worst transmission angle", "rad"),
            marked=wanted,
        ),
    )


TRANSMISSION = Analysis(
    name="transmission",
    title="Transmission angle",
    summary="Transmission angle of four-bars over a turn, and a map over their proportions.",
    options=TransmissionOptions,
    run=run,
)
