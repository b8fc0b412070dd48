"""Small pictures of curves on logarithmic axes, as SVG text: a few kilobytes each, no library needed."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

WIDTH, HEIGHT = 276, 250  # px of a panel: two fit into the help window
LEFT, RIGHT, TOP, BOTTOM, LINE = 58, 10, 26, 44, 15
COLORS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9")
GREY = "#999999"
DECADES = 6  # labels on an axis at most


@dataclass(frozen=True)
class Curve:
    """Points, all positive where their axis is logarithmic; `grey` for what is only there to compare."""

    label: str
    x: Sequence[float]
    y: Sequence[float]
    grey: bool = False
    marks: bool = False


@dataclass(frozen=True)
class Panel:
    """One plot; axes are logarithmic unless told otherwise, and linear ones begin at zero."""

    title: str
    x: str
    y: str
    curves: tuple[Curve, ...]
    log_x: bool = True
    log_y: bool = True


class _Axis:
    def __init__(self, values: Sequence[float], log: bool, begin: float, end: float) -> None:
        self.log, self.begin, self.end = log, begin, end
        low, high = min(values), max(values)
        if log:
            self.low, self.high = math.floor(math.log10(low)), math.ceil(math.log10(high))
            self.high = max(self.high, self.low + 1)
        else:
            self.low, self.high = min(0.0, low), max(0.0, high if high > low else low + 1.0)

    def place(self, value: float) -> float:
        number = math.log10(value) if self.log else value
        return self.begin + (number - self.low) / (self.high - self.low) * (self.end - self.begin)

    def ticks(self) -> list[tuple[float, str]]:
        if self.log:
            step = max(1, math.ceil((self.high - self.low) / DECADES))
            return [(10.0**k, f"1e{k}") for k in range(self.low, self.high + 1, step)]
        step = (self.high - self.low) / 5
        return [(self.low + k * step, f"{self.low + k * step:.4g}") for k in range(6)]


def _panel(panel: Panel, at: float, top: float) -> list[str]:
    curves = [
        Curve(c.label, [p for p, _ in points], [p for _, p in points], c.grey, c.marks)
        for c in panel.curves
        if (
            points := [
                (x, y)
                for x, y in zip(c.x, c.y, strict=True)
                if math.isfinite(y) and (y > 0.0 or not panel.log_y)
            ]
        )
    ]
    x = _Axis([v for c in curves for v in c.x], panel.log_x, at + LEFT, at + WIDTH - RIGHT)
    y = _Axis([v for c in curves for v in c.y], panel.log_y, top + HEIGHT - BOTTOM, top + TOP)
    out = [f'<text x="{at + WIDTH / 2:.0f}" y="{top + 16}" text-anchor="middle">{panel.title}</text>']
    for value, text in x.ticks():
        p = x.place(value)
        out.append(f'<path d="M{p:.1f},{top + TOP}V{top + HEIGHT - BOTTOM}" stroke="#ddd"/>')
        out.append(f'<text x="{p:.1f}" y="{top + HEIGHT - BOTTOM + 15}" text-anchor="middle">{text}</text>')
    for value, text in y.ticks():
        p = y.place(value)
        out.append(f'<path d="M{at + LEFT},{p:.1f}H{at + WIDTH - RIGHT}" stroke="#ddd"/>')
        out.append(f'<text x="{at + LEFT - 5}" y="{p + 4:.1f}" text-anchor="end">{text}</text>')
    colors = iter(COLORS)
    for k, curve in enumerate(curves):
        color = GREY if curve.grey else next(colors)
        points = [f"{x.place(a):.1f},{y.place(b):.1f}" for a, b in zip(curve.x, curve.y, strict=True)]
        out.append(f'<polyline points="{" ".join(points)}" fill="none" stroke="{color}" stroke-width="1.6"/>')
        if curve.marks:
            out += [
                f'<circle cx="{p.split(",")[0]}" cy="{p.split(",")[1]}" r="2.5" fill="{color}"/>'
                for p in points
            ]
        below = top + HEIGHT + 6 + LINE * k  # beside the curves a legend would hide some
        out.append(f'<path d="M{at + LEFT},{below - 4}h18" stroke="{color}" stroke-width="1.6"/>')
        out.append(f'<text x="{at + LEFT + 24}" y="{below}">{curve.label}</text>')
    middle = top + (TOP + HEIGHT - BOTTOM) / 2
    out.append(
        f'<text x="{at + WIDTH / 2:.0f}" y="{top + HEIGHT - 10}" text-anchor="middle">{panel.x}</text>'
    )
    turn = f'transform="rotate(-90 {at + 12:.0f} {middle:.0f})"'
    out.append(f'<text x="{at + 12:.0f}" y="{middle:.0f}" text-anchor="middle" {turn}>{panel.y}</text>')
    return out


def picture(panels: Sequence[Panel]) -> str:
    """Panels, two in a row."""
    row = HEIGHT + LINE * max(len(panel.curves) for panel in panels)
    width, height = WIDTH * min(2, len(panels)), row * math.ceil(len(panels) / 2)
    size, font = f'width="{width}" height="{height}"', 'font-family="sans-serif" font-size="11"'
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" {size} viewBox="0 0 {width} {height}" {font}>']
    parts.append(f'<rect width="{width}" height="{height}" fill="white"/>')
    for k, panel in enumerate(panels):
        parts += _panel(panel, k % 2 * WIDTH, k // 2 * row)
    return "\n".join([*parts, "</svg>", ""])
