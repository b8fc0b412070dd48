"""Modes: the small motions about an equilibrium or about a steady motion."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Annotated

import numpy as np
from msgspec import Struct

from engine.analyses.answers.result import Cell, Column, Mode, ModeShapes, Result, Table
from engine.analyses.base import Analysis, Question
from engine.analyses.dynamics.operating_point import About, operating_point
from engine.analyses.dynamics.sparse_spectrum import slowest
from engine.elements.fields import number
from engine.system.assembly.scaling import LARGE, Scales, scales_of
from engine.system.equations.evaluator import Evaluator
from engine.system.small_motions.linearise import Spectrum, spectrum

UNDAMPED = 1e-10  # damping ratios below are rounding
STIFF = 1e3  # ratio of exponents from which explicit steps are wasted on what has long decayed
REAL = 1e-10  # of an exponent: an imaginary part below is rounding


class ModeOptions(Struct, frozen=True, kw_only=True):
    """What the modes are about."""

    about: About = "automatic"
    most: Annotated[
        int,
        number(
            "Most modes",
            description=f"of a mechanism with more than {LARGE} velocities the slowest ones are found",
            ge=1.0,
            le=500.0,
        ),
    ] = 40


def run(question: Question) -> Result:
    """Linearise and solve for the exponents."""
    options = question.options
    assert isinstance(options, ModeOptions)
    mechanism = question.mechanism
    evaluator, scales = Evaluator(mechanism, tangents=True), scales_of(mechanism)
    point = operating_point(question, evaluator, scales, options.about)
    state = point.state
    if state is None:
        return Result(point.what, notes=point.notes)
    question.stage(0.8, "linearising")
    large = mechanism.nv > LARGE
    found = slowest(evaluator, scales, state, options.most) if large else spectrum(evaluator, scales, state)
    modes, rows = _modes(found, scales)
    return Result(
        _summary(found, point.what, len(modes)),
        tables=(_table(rows),),
        modes=ModeShapes(mechanism, state.t, state.q, modes) if modes else None,
        notes=(
            *point.notes,
            *((_slow(len(modes)),) if large and len(modes) >= options.most else ()),
            *stiffness(found.exponents),
        ),
    )


def stiffness(exponents: Sequence[complex] | np.ndarray) -> tuple[str, ...]:
    """The ratio max|s|/min|s| [Celej 2018, eq. 4.6]; nothing where something does not decay."""
    decaying = [abs(s) for s in exponents if s.real < -UNDAMPED * abs(s)]
    if len(decaying) < 2 or len(decaying) < len(exponents):
        return ()
    ratio = max(decaying) / min(decaying)
    words = ": stiff, take an implicit method" if ratio > STIFF else ""
    return (f"stiffness ratio, fastest over slowest exponent: {ratio:.4g}{words}",)


def _slow(count: int) -> str:
    return f"these are the {count} slowest modes; the option most asks for more"


def _modes(found: Spectrum, scales: Scales) -> tuple[tuple[Mode, ...], list[tuple[Cell, ...]]]:
    """Rigid-body modes, oscillations by frequency, then motions that grow or creep; rows of the table."""
    modes = [Mode(shape, 0.0, 0.0, "Rigid-body mode: 0 Hz") for shape in found.zeros.T]
    rows: list[tuple[Cell, ...]] = [("stays where it is put", 0.0, 0.0, 0.0, 0.0) for _ in modes]
    keep = [k for k, s in enumerate(found.exponents) if s.imag >= -REAL * abs(s)]

    def order(k: int) -> tuple[bool, float, float]:
        s = found.exponents[k]
        swings = abs(s.imag) > REAL * abs(s)
        return not swings, abs(s) if swings else 0.0, -s.real

    for k in sorted(keep, key=order):
        s, shape = complex(found.exponents[k]), found.shapes[:, k]
        size = abs(s)
        if abs(s.imag) > REAL * size:
            damping = -s.real / size
            damping = 0.0 if abs(damping) < UNDAMPED else damping
            frequency, rate = size / (2.0 * math.pi), 0.0 - damping * size
            word = "oscillates" if not damping else "decays" if damping > 0.0 else "grows"
            title = f"Mode {len(modes) + 1}: {frequency:.4g} Hz"
            title += f", {word}" if damping else ""
            rows.append((word, frequency, damping, rate, s.imag))
        else:
            grows = s.real > 0.0
            shape = (shape / _largest(shape, scales)).real
            frequency, damping, word = 0.0, -1.0 if grows else 1.0, "grows" if grows else "creeps"
            title = f"Mode {len(modes) + 1}: {word} e-fold in {1.0 / size:.4g} s"
            rows.append((f"{word}, no swing", 0.0, damping, s.real, 0.0))
        modes.append(Mode(shape, frequency, damping, title))
    return tuple(modes), rows


def _largest(shape: np.ndarray, scales: Scales) -> complex:
    return complex(shape[int(np.argmax(np.abs(shape / scales.column)))])


def _table(rows: list[tuple[Cell, ...]]) -> Table:
    return Table(
        "Modes",
        (
            Column("Mode"),
            Column("Motion"),
            Column("Frequency", "Hz"),
            Column("Damping ratio"),
            Column("Growth rate", "1/s"),
            Column("Swing", "rad/s"),
        ),
        tuple((str(k + 1), *row) for k, row in enumerate(rows)),
        empty="The mechanism cannot move.",
    )


def _summary(found: Spectrum, what: str, count: int) -> str:
    if not count:
        return "The mechanism cannot move, so it has no modes."
    growing = [s for s in found.exponents if s.real > UNDAMPED * abs(s) and s.imag >= 0.0]
    rigid = found.zeros.shape[1]
    words = f"{count} mode{'s' if count > 1 else ''} about {what}"
    words += f", {rigid} of them rigid-body modes" if rigid else ""
    if growing:
        fastest = max(s.real for s in growing)
        return f"{words}; {len(growing)} grow{'s' if len(growing) == 1 else ''}, by e in {1 / fastest:.4g} s."
    return f"{words}; none grows."


MODES = Analysis(
    name="modes",
    title="Modes",
    summary="Frequencies, damping and shapes of small motions about an equilibrium or a steady motion.",
    options=ModeOptions,
    run=run,
    anywhere=True,
)
