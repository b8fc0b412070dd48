"""Spectral radius of the implicit families: `python -m docs.methods.plots.spectral_radius`.

Amplification matrices of x'' + ω² x = 0 in the state (x, h v, h² a), from the formulas on the method pages.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from docs.methods.plots.svg import Curve, Panel, picture

PERIODS = np.logspace(-2, 2, 160)  # h over the period
SHOWN = 1.4  # larger radii are cut off


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
    panels = [
        Panel(
            title,
            "step over period",
            "spectral radius",
            tuple(
                Curve(name, PERIODS, [min(SHOWN, radius(matrix(2 * np.pi * x))) for x in PERIODS])
                for name, matrix in curves.items()
            ),
            log_y=False,
        )
        for title, curves in PANELS.items()
    ]
    file.write_text(picture(panels), encoding="utf-8")


if __name__ == "__main__":
    main(Path(__file__).with_suffix(".svg"))
