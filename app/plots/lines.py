"""How the curves of a plot become lines: over time, one over another, or over frequency."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from app.plots.curve import FLOOR, Curve
from app.plots.pyramid import Array, Pyramid
from app.plots.statistics import spectrum

DENSE = 400  # points from which on thin lines look as well
PHASE_POINTS = 20_000

Curves = Mapping[tuple[Any, str], Curve]  # by run and channel
Span = tuple[float, float]  # s
Line = tuple[str, Array, Array]  # channel, across, up


def draw_time(curves: Curves, runs: Sequence[Any], channels: Sequence[str], span: Span, pixels: int) -> None:
    """Values over the span, which takes so many pixels."""
    for run in runs:
        for name in channels:
            curve = curves[(run.id, name)]
            state = (span, pixels, _seen(curve.data, span, pixels))
            if curve.drawn != state:
                curve.drawn = state
                x, y = curve.data.drawn(*span, pixels)
                curve.item.setData(x, y)
                curve.thin(len(x) > DENSE)


def draw_phase(curves: Curves, runs: Sequence[Any], channels: Sequence[str]) -> None:
    """The second channel over the first."""
    across, up = channels[:2]
    for run in runs:
        x, y = curves[(run.id, across)], curves[(run.id, up)]
        n = min(len(x.data), len(y.data))
        if y.drawn != (n,):
            y.drawn = (n,)
            stride = max(1, n // PHASE_POINTS)
            y.item.setData(x.data.y[:n:stride], y.data.y[:n:stride])


def draw_spectrum(
    curves: Curves, runs: Sequence[Any], channels: Sequence[str], span: Span | None, *, log: bool
) -> None:
    """Amplitudes over frequency, of what lies in the span."""
    begin, end = span if span is not None else (-np.inf, np.inf)
    for run in runs:
        for name in channels:
            curve = curves[(run.id, name)]
            # every further eighth of the samples, so that a long run is not transformed in every frame
            state = (begin, end, int(8.0 * np.log2(len(curve.data) + 1)))
            if curve.drawn != state:
                curve.drawn = state
                frequency, amplitude = spectrum(*curve.data.between(begin, end))
                curve.item.setData(frequency, np.maximum(amplitude, FLOOR) if log else amplitude)


def shown_lines(curves: Curves, run: Any, channels: Sequence[str], kind: str, span: Span) -> list[Line]:
    """All points of every line of a run in a plot of this kind, in shown units."""
    found: list[Line] = []
    if kind == "phase":
        pair = [curves.get((run.id, name)) for name in channels[:2]]
        if len(pair) < 2 or pair[0] is None or pair[1] is None:
            return []
        n = min(len(pair[0].data), len(pair[1].data))
        return [(channels[1], pair[0].data.y[:n].copy(), pair[1].data.y[:n].copy())] if n else []
    for name in channels:
        curve = curves.get((run.id, name))
        if curve is None or not len(curve.data):
            continue
        if kind == "spectrum":
            x, y = curve.item.getOriginalDataset()
            x, y = (np.zeros(0), np.zeros(0)) if x is None else (np.array(x), np.array(y))
        else:
            x, y = curve.data.between(*span)
        found.append((name, np.asarray(x), np.asarray(y)))
    return found


def _seen(data: Pyramid, span: tuple[float, float], pixels: int) -> int:
    """Changes when the curve has grown by something that can be seen: half a pixel."""
    return int(2.0 * pixels * data.t[-1] / (span[1] - span[0])) if len(data) and span[1] > span[0] else 0
