"""How the curves of a plot become lines: over time, one over another, or over frequency."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from app.session.recorded.run import Run
from app.widgets.plots.curves.curve import FLOOR, Curve
from app.widgets.plots.curves.gaps import with_gaps
from app.widgets.plots.curves.pyramid import Array, Pyramid
from app.widgets.plots.curves.raster import Raster, Span
from app.widgets.plots.curves.statistics import spectrum
from app.widgets.plots.curves.wrapping import wrapped

GRAIN = 512  # a phase plot is drawn anew when it has grown by this part of its samples

Curves = Mapping[tuple[Any, str], Curve]  # by run and channel
Periods = Mapping[str, float]  # of channels that are drawn within one, in shown units
NO_PERIODS: Periods = {}


class Line(NamedTuple):
    """All points of a line in a plot, in shown units."""

    channel: str
    x: Array
    y: Array
    t: Array  # the instant of each point; empty in a spectrum


def draw_time(
    curves: Curves,
    runs: Sequence[Any],
    channels: Sequence[str],
    raster: Raster,
    floor: float = 0.0,
    periods: Periods = NO_PERIODS,
) -> None:
    """Values over time; on a logarithmic axis, those below the floor lie on it."""
    span = raster.across
    for run in runs:
        for name in channels:
            curve = curves[(run.id, name)]
            state = (span, raster.key, floor, _seen(curve.data, span, raster.width))
            if curve.drawn != state:
                curve.drawn = state
                t, y = with_gaps(*curve.data.drawn(*span, raster.width))
                if name in periods:
                    y, t = wrapped(periods[name], y, t)
                curve.show(t, np.maximum(y, floor) if raster.log else y, raster)
            else:
                curve.stay()


def draw_phase(
    curves: Curves,
    runs: Sequence[Any],
    channels: Sequence[str],
    raster: Raster,
    periods: Periods = NO_PERIODS,
) -> None:
    """The second channel over the first."""
    across, up = channels[:2]
    for run in runs:
        x, y = curves[(run.id, across)], curves[(run.id, up)]
        n = min(len(x.data), len(y.data))
        state = (n // max(1, n // GRAIN), raster.key)
        if y.drawn != state:
            y.drawn = state
            line = _over(channels[:2], x.data.y[:n], y.data.y[:n], y.data.t[:n], periods)
            y.show(line.x, line.y, raster, ordered=False)
        else:
            y.stay()


def _over(names: Sequence[str], x: Array, y: Array, t: Array, periods: Periods) -> Line:
    """One channel over another, each within its period."""
    across, up = names
    t, x, y = with_gaps(t, x, y)
    if across == up and up in periods:
        y, t = wrapped(periods[up], y, t)
        return Line(up, y, y, t)
    if across in periods:
        x, y, t = wrapped(periods[across], x, y, t)
    if up in periods:
        y, x, t = wrapped(periods[up], y, x, t)
    return Line(up, x, y, t)


def draw_spectrum(
    curves: Curves, runs: Sequence[Any], channels: Sequence[str], span: Span | None, raster: Raster
) -> None:
    """Amplitudes over frequency, of what lies in the span of time."""
    begin, end = span if span is not None else (-np.inf, np.inf)
    for run in runs:
        for name in channels:
            curve = curves[(run.id, name)]
            # every further eighth of the samples, so that a long run is not transformed in every frame
            source = (begin, end, int(8.0 * np.log2(len(curve.data) + 1)))
            if curve.drawn[:1] != (source,):
                frequency, amplitude = spectrum(*curve.data.between(begin, end))
                curve.spectrum = Pyramid()
                curve.spectrum.append(frequency, np.maximum(amplitude, FLOOR) if raster.log else amplitude)
            if curve.drawn != (source, raster.key):
                curve.drawn = (source, raster.key)
                curve.show(*curve.spectrum.drawn(-np.inf, np.inf, 4.0 * raster.width), raster)
            else:
                curve.stay()


def shown_lines(
    curves: Curves,
    run: Run,
    channels: Sequence[str],
    kind: str,
    span: Span,
    periods: Periods = NO_PERIODS,
) -> list[Line]:
    """Every line of a run in a plot of this kind."""
    found: list[Line] = []
    if kind == "phase":
        pair = [curves.get((run.id, name)) for name in channels[:2]]
        if len(pair) < 2 or pair[0] is None or pair[1] is None:
            return []
        n = min(len(pair[0].data), len(pair[1].data))
        x, y, t = (values[:n].copy() for values in (pair[0].data.y, pair[1].data.y, pair[1].data.t))
        return [_over(channels[:2], x, y, t, periods)] if n else []
    for name in channels:
        curve = curves.get((run.id, name))
        if curve is None or not len(curve.data):
            continue
        if kind == "spectrum":
            found.append(Line(name, curve.spectrum.t.copy(), curve.spectrum.y.copy(), np.zeros(0)))
        else:
            x, y = with_gaps(*curve.data.between(*span))
            if name in periods:
                y, x = wrapped(periods[name], y, x)
            found.append(Line(name, x, y, x))
    return found


def _seen(data: Pyramid, span: Span, pixels: float) -> int:
    """Changes when the curve has grown by something that can be seen: half a pixel."""
    return int(2.0 * pixels * data.t[-1] / (span[1] - span[0])) if len(data) and span[1] > span[0] else 0
