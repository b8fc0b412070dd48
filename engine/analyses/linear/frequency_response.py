"""Frequency response: how outputs follow a small oscillation of an input, by linear model and by runs."""

from __future__ import annotations

from typing import Annotated

import numpy as np
from msgspec import Struct

from engine.analyses.answers.chart import Axis, Chart, Series
from engine.analyses.answers.result import Cell, Column, Result, Table
from engine.analyses.answers.state_space import StateSpace
from engine.analyses.base import Analysis, Question
from engine.analyses.dynamics.operating_point import About, operating_point
from engine.analyses.linear.inputs import input_paths
from engine.analyses.linear.linear_model import linear_model, listed
from engine.analyses.linear.simulated_response import Probe, simulated_response
from engine.compiled.layout import Array
from engine.elements.fields import number, text
from engine.errors import Problem, SceneError
from engine.system.assembly.scaling import scales_of
from engine.system.equations.evaluator import Evaluator

DECADES = 1.5  # beyond the slowest and the fastest pole, where no range is given
AT_REST = 1e-6  # of the fastest pole: a slower one counts as zero
TURN = 2.0 * np.pi


class FrequencyOptions(Struct, frozen=True, kw_only=True):
    """From where to where, and how fast."""

    input: Annotated[
        str, text("Input", "a function of a force or motion by its path; empty: the first there is")
    ] = ""
    outputs: Annotated[
        str, text("Outputs", "channels or expressions of them: a ; b; empty: coordinates of the joints")
    ] = ""
    low: Annotated[float, number("From", "Hz", "0: below the slowest pole", ge=0.0)] = 0.0
    high: Annotated[float, number("To", "Hz", "0: above the fastest pole", ge=0.0)] = 0.0
    count: Annotated[int, number("Values", "", ge=2, le=20000)] = 400
    simulated: Annotated[
        int, number("Simulated", "", "frequencies at which runs check it; 0: none", ge=0, le=50)
    ] = 0
    amplitude: Annotated[float, number("Amplitude", "", "of the input in these runs, SI units", gt=0.0)] = (
        1e-3
    )
    about: About = "automatic"


def run(question: Question) -> Result:
    """The response of the linear model, and of runs where they are asked for."""
    options = question.options
    assert isinstance(options, FrequencyOptions)
    known = tuple(input_paths(question.scene))
    chosen = options.input or next(iter(known), "")
    mechanism = question.mechanism
    evaluator, scales = Evaluator(mechanism, tangents=True), scales_of(mechanism)
    point = operating_point(question, evaluator, scales, options.about, share=0.3)
    if not chosen:
        return Result(
            "There is no input: the scene has no force or motion with a function of time.",
            notes=("add a force, a motor or a motion and name its function",),
        )
    if point.state is None:
        return Result(point.what, notes=point.notes)
    question.stage(0.3, "linearising")
    outputs = listed(options.outputs) or tuple(
        f"joint.{joint}.{coordinate}" for joint, coordinate in mechanism.coordinates
    )
    system = linear_model(question.scene, evaluator, scales, point.state, [chosen], outputs)
    frequencies = _frequencies(system, options)
    gains = of_function(system, frequencies)
    probes: tuple[Probe, ...] = ()
    if options.simulated:
        spots = np.geomspace(frequencies[0], frequencies[-1], options.simulated + 2)[1:-1]
        slowest = float(np.max(system.poles().real, initial=-np.inf))
        probes = simulated_response(question, chosen, outputs, spots, options.amplitude, slowest)
    notes = [*point.notes, *(f"{p.frequency:.4g} Hz: {p.trouble}" for p in probes if p.trouble)]
    return Result(
        f"Response of {len(system.outputs)} output{'' if len(system.outputs) == 1 else 's'} to {chosen} "
        f"from {frequencies[0]:.4g} to {frequencies[-1]:.4g} Hz about {point.what}.",
        tables=(_peaks(system, frequencies, gains), *_checked(system, probes)),
        charts=_charts(system, frequencies, gains, probes),
        notes=tuple(notes),
        system=system,
    )


def of_function(system: StateSpace, frequencies: Array) -> Array:
    """Response to the one input's function, shape (frequencies, outputs).

    A motion is driven by a derivative of its function: the response to that times (iω)².
    """
    omega = TURN * frequencies
    gains = system.response(omega)[:, :, 0]
    order = len(system.inputs[0].name) - len(system.inputs[0].name.rstrip("'"))
    return np.asarray(gains * (1j * omega[:, None]) ** order)


def _frequencies(system: StateSpace, options: FrequencyOptions) -> Array:
    """Evenly in ratios [Hz]; raises SceneError for an empty range."""
    sizes = np.abs(system.poles()) / TURN
    sizes = sizes[sizes > AT_REST * np.max(sizes, initial=1e-300)]
    slow, fast = (float(np.min(sizes)), float(np.max(sizes))) if len(sizes) else (1.0, 1.0)
    low = options.low or slow / 10.0**DECADES
    high = options.high or max(fast * 10.0**DECADES, 10.0 * low)
    if not low < high:
        remedy = "give a larger end of the range"
        raise SceneError(
            [Problem("options.high", high, f"the range from {low:g} to {high:g} Hz is empty", remedy)]
        )
    return np.geomspace(low, high, options.count)


def _peaks(system: StateSpace, frequencies: Array, gains: Array) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for k, output in enumerate(system.outputs):
        size = np.abs(gains[:, k])
        inside = np.flatnonzero((size[1:-1] > size[:-2]) & (size[1:-1] >= size[2:])) + 1
        rows += [(str(output), float(frequencies[i]), float(size[i])) for i in inside]
    columns = (Column("Output"), Column("Frequency", "Hz"), Column("Gain"))
    return Table("Peaks", columns, tuple(rows), empty="No gain has a peak in this range.")


def _checked(system: StateSpace, probes: tuple[Probe, ...]) -> tuple[Table, ...]:
    rows: list[tuple[Cell, ...]] = []
    for probe in probes:
        if probe.trouble:
            continue
        model = of_function(system, np.array([probe.frequency]))[0]
        for output, here, there in zip(system.outputs, model, probe.gains, strict=True):
            off = abs(there - here) / abs(here) if here else float("nan")
            rows.append((str(output), probe.frequency, abs(here), abs(there), float(off)))
    if not probes:
        return ()
    columns = (
        Column("Output"),
        Column("Frequency", "Hz"),
        Column("Gain, linear"),
        Column("Gain, simulated"),
        Column("Difference"),
    )
    return (Table("Against runs", columns, tuple(rows), empty="No run came to a steady oscillation."),)


def _charts(
    system: StateSpace, frequencies: Array, gains: Array, probes: tuple[Probe, ...]
) -> tuple[Chart, ...]:
    along = Axis("Frequency", "Hz", logarithmic=True)
    good = [probe for probe in probes if not probe.trouble]
    spots = np.array([probe.frequency for probe in good])
    seen = np.array([probe.gains for probe in good]).reshape(len(good), len(system.outputs))
    size, phase = [], []
    for k, output in enumerate(system.outputs):
        line = gains[:, k]
        if not np.any(np.abs(line) > 0.0):
            continue
        size.append(Series(str(output), frequencies, np.abs(line), group=k))
        phase.append(Series(str(output), frequencies, np.degrees(np.unwrap(np.angle(line))), group=k))
        if len(good):
            # the simulated phase on the turn of the linear one
            near = np.interp(np.log(spots), np.log(frequencies), phase[-1].y)
            own = np.degrees(np.angle(seen[:, k]))
            own += 360.0 * np.round((near - own) / 360.0)
            size.append(Series("simulated", spots, np.abs(seen[:, k]), "points", group=k))
            phase.append(Series("", spots, own, "points", group=k))
    return (
        Chart("Gain", along, Axis("Gain", logarithmic=True), tuple(size)),
        Chart("Phase", along, Axis("Phase [°]"), tuple(phase)),
    )


FREQUENCY_RESPONSE = Analysis(
    name="frequency_response",
    title="Frequency response",
    summary="Gain and phase from a force or motion to any channel, by the linear model and checked by runs.",
    options=FrequencyOptions,
    run=run,
    anywhere=True,
)
