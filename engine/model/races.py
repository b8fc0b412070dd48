"""Races: the same scene with several methods, steps or values, to be run in step with one clock."""

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from engine.elements.base import Number, Part
from engine.elements.fields import number, text

MAX_LANES = 8
Measured = Literal["distance", "energy", "position", "velocity", "acceleration", "cost"]


class Lane(Part, frozen=True, kw_only=True):
    """One of those that race; what it does not say is as the scene has it."""

    name: Annotated[str, text("Name")]
    method: Annotated[str, text("Method", "empty: that of the scene")] = ""
    options: Annotated[dict[str, Number], number("Options", "", "the method's numbers by name")] = (
        msgspec.field(default_factory=dict)
    )
    dt: Annotated[Number | None, number("Step", "s", gt=0.0)] = None
    values: Annotated[dict[str, Number], text("Values", "by path, such as parameters.L1")] = msgspec.field(
        default_factory=dict
    )


class Race(Part, frozen=True, kw_only=True):
    """A race that is kept with its scene."""

    name: Annotated[str, text("Name")]
    lanes: Annotated[tuple[Lane, ...], Meta(max_length=MAX_LANES), text("Lanes", "up to eight")] = ()
    note: Annotated[str, text("Note", "what is to be seen")] = ""
    plots: Annotated[
        tuple[Measured, ...], text("Plots", "what shows it; empty: what is plotted already")
    ] = ()
