"""Plots with logarithmic axes as SVG text: lines and letters, a few kilobytes each."""

import math
from collections.abc import Sequence
from html import escape
from itertools import cycle
from typing import NamedTuple

WIDTH, HEIGHT = 380, 280  # px of one plot
LEFT, RIGHT, TOP, BOTTOM = 60, 14, 30, 46  # px around its axes
LEGEND = 28  # px below all
COLUMNS = 3
LABELS = 6  # on an axis at most
COLORS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#3C4043", "#9AA0A6")


class _Scale(NamedTuple):
    """Decades, and the pixels that they fill."""

    low: int
    high: int
    begin: float
    end: float

    def at(self, value: float) -> float:
        return self.begin + (math.log10(value) - self.low) / (self.high - self.low) * (self.end - self.begin)

    def decades(self) -> range:
        return range(self.low, self.high + 1, max(1, -(-(self.high - self.low) // LABELS)))


def _scale(values: Sequence[float], begin: float, end: float) -> _Scale:
    logs = [math.log10(value) for value in values if value > 0.0] or [0.0]
    low, high = math.floor(min(logs)), math.ceil(max(logs))
    return _Scale(low, max(high, low + 1), begin, end)


def _text(x: float, y: float, words: str, more: str = 'text-anchor="middle"') -> str:
    return f'<text x="{x:.0f}" y="{y:.0f}" {more}>{escape(words)}</text>'


def _plot(
    x0: float,
    y0: float,
    title: str,
    bottom: str,
    left: str,
    lines: Sequence[tuple[str, str, Sequence[float], Sequence[float]]],
) -> list[str]:
    x = _scale([v for line in lines for v in line[2]], x0 + LEFT, x0 + WIDTH - RIGHT)
    y = _scale([v for line in lines for v in line[3]], y0 + HEIGHT - BOTTOM, y0 + TOP)
    out = [_text(0.5 * (x.begin + x.end), y0 + 18, title, 'text-anchor="middle" font-size="13"')]
    for k in x.decades():
        at = x.at(10.0**k)
        out.append(f'<path d="M{at:.1f} {y.begin:.1f}V{y.end:.1f}" stroke="#ddd"/>')
        out.append(_text(at, y.begin + 15, f"1e{k}"))
    for k in y.decades():
        at = y.at(10.0**k)
        out.append(f'<path d="M{x.begin:.1f} {at:.1f}H{x.end:.1f}" stroke="#ddd"/>')
        out.append(_text(x.begin - 5, at + 4, f"1e{k}", 'text-anchor="end"'))
    out.append(f'<path d="M{x.begin:.1f} {y.end:.1f}V{y.begin:.1f}H{x.end:.1f}" fill="none" stroke="#555"/>')
    out.append(_text(0.5 * (x.begin + x.end), y.begin + 34, bottom))
    middle = 0.5 * (y.begin + y.end)
    out.append(
        _text(
            x0 + 14, middle, left, f'text-anchor="middle" transform="rotate(-90 {x0 + 14:.0f} {middle:.0f})"'
        )
    )
    for _, color, xs, ys in lines:
        points = [(x.at(a), y.at(b)) for a, b in zip(xs, ys, strict=True) if a > 0.0 and b > 0.0]
        path = " ".join(f"{a:.1f},{b:.1f}" for a, b in points)
        out.append(f'<polyline points="{path}" fill="none" stroke="{color}" stroke-width="2"/>')
        out += [f'<circle cx="{a:.1f}" cy="{b:.1f}" r="3.5" fill="{color}"/>' for a, b in points]
    return out


def logarithmic_svg(
    plots: Sequence[tuple[str, str, str, Sequence[tuple[str, Sequence[float], Sequence[float]]]]],
) -> str:
    """Plots (title, labels below and at the left, named lines) side by side, with one legend below."""
    columns = min(len(plots), COLUMNS)
    rows = -(-len(plots) // columns)
    names = dict.fromkeys(line[0] for plot in plots for line in plot[3])
    colors = dict(zip(names, cycle(COLORS), strict=False))
    body = []
    for number, (title, bottom, left, lines) in enumerate(plots):
        colored = [(name, colors[name], xs, ys) for name, xs, ys in lines]
        place = (number % columns * WIDTH, number // columns * HEIGHT)
        body += _plot(*place, title, bottom, left, colored)
    for number, name in enumerate(names):
        x, y = LEFT + number * columns * WIDTH / max(len(names), 1), rows * HEIGHT + 14
        body.append(f'<circle cx="{x:.0f}" cy="{y}" r="5" fill="{colors[name]}"/>')
        body.append(_text(x + 12, y + 4, name, ""))
    size = f'width="{columns * WIDTH}" height="{rows * HEIGHT + LEGEND}"'
    style = 'font-family="sans-serif" font-size="11" fill="#202124"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} {style}>'
    return "\n".join((head, '<rect width="100%" height="100%" fill="white"/>', *body, "</svg>")) + "\n"
