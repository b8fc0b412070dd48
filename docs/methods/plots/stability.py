"""Draw the stability regions of schemes over (αh, β²h²): `python docs/methods/plots/stability.py`.

Writes stability.svg beside this file. A scheme is stable below its line and, for small gains, above zero.
"""

import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[3]))
from engine.solvers.stability_map import stability_map

SCHEMES = {"euler": "#0072B2", "rk2": "#E69F00", "rk4": "#009E73", "ab4": "#D55E00", "abm4": "#CC79A7"}
WIDTH, HEIGHT, LEFT, BOTTOM = 560, 420, 60, 50
ALPHA, BETA2 = np.linspace(0.01, 3.2, 120), np.linspace(0.01, 9.0, 180)


def boundary(scheme: str) -> list[tuple[float, float]]:
    """Largest stable β²h² at every αh that has one."""
    stable = stability_map(scheme, ALPHA, BETA2) <= 1.0
    return [
        (a, BETA2[np.flatnonzero(column)[-1]])
        for a, column in zip(ALPHA, stable.T, strict=True)
        if column.any()
    ]


def place(a: float, b: float) -> str:
    x = LEFT + a / ALPHA[-1] * (WIDTH - LEFT - 10)
    y = HEIGHT - BOTTOM - b / BETA2[-1] * (HEIGHT - BOTTOM - 10)
    return f"{x:.1f},{y:.1f}"


def main() -> None:
    size, font = f'viewBox="0 0 {WIDTH} {HEIGHT}"', 'font-family="sans-serif" font-size="13"'
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" {size} {font}>']
    parts.append(f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>')
    parts.append(
        f'<polyline points="{place(0, 9)} {place(0, 0)} {place(3.2, 0)}" fill="none" stroke="#333"/>'
    )
    for a in range(4):
        x, y = place(a, 0).split(",")
        parts.append(f'<text x="{x}" y="{float(y) + 18}" text-anchor="middle">{a}</text>')
    for b in range(0, 10, 3):
        x, y = place(0, b).split(",")
        parts.append(f'<text x="{float(x) - 8}" y="{float(y) + 4}" text-anchor="end">{b}</text>')
    parts.append(f'<text x="{WIDTH / 2}" y="{HEIGHT - 10}" text-anchor="middle">α h</text>')
    parts.append(f'<text x="16" y="{HEIGHT / 2}" text-anchor="middle">β² h²</text>')
    for k, (scheme, colour) in enumerate(SCHEMES.items()):
        points = " ".join(place(a, b) for a, b in boundary(scheme))
        parts.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"/>')
        parts.append(f'<text x="{LEFT + 20}" y="{30 + 18 * k}" fill="{colour}">{scheme}</text>')
    Path(__file__).with_suffix(".svg").write_text("\n".join([*parts, "</svg>", ""]), encoding="utf-8")


if __name__ == "__main__":
    main()
