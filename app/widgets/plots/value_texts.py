"""Values in words: the heading of a plot at the playhead, and statistics of a chosen range."""

import math
from collections.abc import Callable
from html import escape

from app.platform.units import plain_number
from app.session.recorded.run import NOT_UNIQUE, Run
from app.widgets.plots.content import PlotContent
from app.widgets.plots.curves.statistics import statistics
from app.widgets.plots.drawn_curves import DrawnCurves

Color = Callable[[int], str]  # of the curves of the present run, by number


def heading(
    content: PlotContent, curves: DrawnCurves, run: Run, t: float, color: Color
) -> tuple[str, list[str]]:
    """Title, and each channel with its colour and its value; and those that are shown as 0 as they are."""
    if content.kind == "phase":
        return _phase_heading(content, curves, run, t, color), []
    parts = [f"<b>{escape(content.title)}</b>"] if content.title else []
    crowded = content.crowded
    noise: list[str] = []
    for index, name in enumerate(content.channels):
        value = curves.value(run, name, t) if content.kind == "time" else math.nan
        if 0.0 < abs(value) < curves.noise(run, name):
            noise.append(f"{content.short(name)} {value:.4g}")
            value = 0.0
        shown = "" if math.isnan(value) else f" {value:.2g}" if crowded else f" {value:.4g}"
        named = crowded or (content.right and len(content.channels) > 2)  # which axis it belongs to
        unit = f" [{escape(content.unit(name))}]" if named and content.unit(name) else ""
        note = f" <i>{NOT_UNIQUE}</i>" if name in content.not_unique else ""
        words = f"{escape(content.short(name))}{unit}{shown}{note}".replace(" ", "&nbsp;")
        words = words.replace("/s", "/&#8288;s")  # units stay on one line
        parts.append(f'<span style="color:{color(index)}">━</span>&nbsp;{words}')
    return " &nbsp; ".join(parts), noise


def _phase_heading(content: PlotContent, curves: DrawnCurves, run: Run, t: float, color: Color) -> str:
    """What stands over what, and where the playhead is."""
    found = f"<b>{escape(content.name)}</b>"
    if len(content.channels) < 2:
        return found
    across, up = content.channels[:2]
    point = [
        f"{content.short(name) if content.title else ''} {value:.4g} {content.unit(name)}".strip()
        for name in dict.fromkeys((up, across))
        if math.isfinite(value := curves.calm(run, name, curves.value(run, name, t)))
    ]
    parts = [escape(part).replace(" ", "&nbsp;") for part in point or [content.short(up)]]
    line = f'<span style="color:{color(content.channels.index(up))}">━</span>'
    return f"{found} &nbsp; {line}&nbsp;{' at '.join(parts)}"


def statistics_table(content: PlotContent, curves: DrawnCurves, run: Run, chosen: tuple[float, float]) -> str:
    """Smallest, largest, mean and quadratic mean of every channel over the chosen range."""
    rows = []
    for name in content.channels:
        curve = curves.by_key.get((run.id, name))
        found = statistics(*curve.data.between(*chosen)) if curve is not None else None
        if found is not None:
            noise = curves.noise(run, name)
            numbers = (v if abs(v) >= noise else 0.0 for v in (found.low, found.high, found.mean, found.rms))
            cells = "".join(f"<td align=right>&nbsp;{plain_number(v, 4)}</td>" for v in numbers)
            rows.append(f"<tr><td>{escape(content.short(name))}</td>{cells}</tr>")
    head = "".join(f"<td align=right>&nbsp;{word}</td>" for word in ("min", "max", "mean", "RMS"))
    return f"<table><tr><td></td>{head}</tr>{''.join(rows)}</table>"
