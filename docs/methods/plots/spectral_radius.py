"""Spectral radius of the implicit families: `python docs/methods/plots/spectral_radius.py [FILE]`.

Amplification matrices of x'' + ω² x = 0 in the state (x, h v, h² a), from the formulas on the method pages.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pyqtgraph as pg

sys.path.insert(0, str(Path(__file__).parents[3]))

from app.qt import application

SIZE = (1200, 900)  # px
COLORS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9")
PERIODS = np.logspace(-2, 3, 600)  # h over the period


def alpha_family(w: float, am: float, af: float, beta: float, gamma: float) -> np.ndarray:
    """(1 − α_m) a⁺ + α_m a = −(ω h)²((1 − α_f) x⁺ + α_f x); Newmark's formulas for x⁺ and v⁺."""
    ahead = np.array([[1.0, 0.0, -beta], [0.0, 1.0, -gamma], [(1 - af) * w * w, 0.0, 1 - am]])
    now = np.array([[1.0, 1.0, 0.5 - beta], [0.0, 1.0, 1 - gamma], [-af * w * w, 0.0, -am]])
    return np.linalg.solve(ahead, now)


def newmark(w: float, beta: float, gamma: float) -> np.ndarray:
    return alpha_family(w, 0.0, 0.0, beta, gamma)


def hht(w: float, alpha: float) -> np.ndarray:
    return alpha_family(w, 0.0, -alpha, 0.25 * (1 - alpha) ** 2, 0.5 - alpha)


def generalized_alpha(w: float, rho: float) -> np.ndarray:
    am, af = (2 * rho - 1) / (rho + 1), rho / (rho + 1)
    gamma = 0.5 + af - am
    return alpha_family(w, am, af, 0.25 * (gamma + 0.5) ** 2, gamma)


def wilson(w: float, theta: float) -> np.ndarray:
    """Equilibrium at t + θh, acceleration linear."""
    share = 1.0 / (1.0 + (w * theta) ** 2 / 6.0)
    hat = -w * w * share * np.array([1.0, theta, theta * theta / 3.0])
    old = np.array([0.0, 0.0, 1.0])
    a = old + (hat - old) / theta
    return np.array([[1.0, 1.0, 1 / 3] + a / 6.0, [0.0, 1.0, 0.5] + 0.5 * a, a])


PANELS = {
    "Newmark": {
        "trapezoidal β = 1/4": lambda w: newmark(w, 1 / 4, 1 / 2),
        "linear acceleration β = 1/6": lambda w: newmark(w, 1 / 6, 1 / 2),
        "Fox–Goodwin β = 1/12": lambda w: newmark(w, 1 / 12, 1 / 2),
        "damped γ = 0.6, β = 0.3025": lambda w: newmark(w, 0.3025, 0.6),
    },
    "HHT": {f"α = {a:g}": (lambda w, a=a: hht(w, a)) for a in (0.0, -0.05, -0.1, -0.3)},
    "Generalised-α": {f"ρ∞ = {r:g}": (lambda w, r=r: generalized_alpha(w, r)) for r in (1.0, 0.9, 0.5, 0.0)},
    "Wilson-θ": {f"θ = {s:g}": (lambda w, s=s: wilson(w, s)) for s in (1.3, 1.366, 1.42, 2.0)},
}


def radius(matrix: np.ndarray) -> float:
    return float(np.abs(np.linalg.eigvals(matrix)).max())


def main(file: Path) -> None:
    application(offscreen=True)
    page = pg.GraphicsLayoutWidget(show=False, size=SIZE)
    page.setBackground("w")
    for k, (title, curves) in enumerate(PANELS.items()):
        plot = page.addPlot(row=k // 2, col=k % 2, title=title)
        plot.addLegend(offset=(10, -10))
        plot.setLogMode(x=True)
        plot.setYRange(0.0, 1.4)
        plot.setLabel("bottom", "h / period")
        plot.setLabel("left", "spectral radius")
        plot.showGrid(x=True, y=True, alpha=0.3)
        for color, (name, matrix) in zip(COLORS, curves.items(), strict=False):
            values = [radius(matrix(2 * np.pi * x)) for x in PERIODS]
            plot.plot(PERIODS, values, pen=pg.mkPen(color, width=2), name=name)
    if not page.grab().save(str(file)):
        raise OSError(f"{file} could not be written")
    page.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).with_suffix(".png"))
