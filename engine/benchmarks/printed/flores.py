"""Figures of [Flores 2012]: Euler's rule under Baumgarte's feedback."""

import numpy as np

from engine.benchmarks.printed.base import Figure, PrintedTable, known
from engine.solvers.stability_map import stability_map

STEP = 1e-3  # s
MISPRINT = "eq. 212 of the source itself gives 0.9997"


def euler_growth(alpha: float, beta: float) -> float:
    """|z| of one step of Euler's rule."""
    grid = stability_map("euler", np.array([alpha * STEP]), np.array([(beta * STEP) ** 2]))
    return float(grid[0, 0])


def _gains(alpha: float, beta: float, printed: float, reason: str = "") -> Figure:
    return Figure(
        f"α = {alpha:g}, β = {beta:g} 1/s", printed, known(lambda: euler_growth(alpha, beta)), reason
    )


BAUMGARTE = PrintedTable(
    name="baumgarte-gains",
    source="[Flores 2012, table 1]",
    title="Modulus of the pole of a violation, Euler's rule at 1 ms",
    unit="",
    figures=(
        _gains(-5, -5, 1.005),
        _gains(5, 5, 0.995),
        _gains(20, 20, 0.980),
        _gains(10, 14, 0.990),
        _gains(1000, 1414, 0.990, MISPRINT),
        _gains(0.8, 2100, 2.326),
    ),
)
