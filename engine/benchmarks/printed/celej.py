"""Figures of [Celej 2018]: canonical equations by the trapezoidal rule."""

from engine.benchmarks.printed.base import Figure, PrintedTable, of_run
from engine.benchmarks.problem_measures import andrews_balance

SQUEEZER = PrintedTable(
    name="canonical-andrews",
    source="[Celej 2018, §6.3.3]",
    title="Andrews' squeezer, canonical equations, α = 1e9, ξ = 1e6, ω = 1, balance over 0.05 s",
    unit="J",
    figures=(
        Figure(
            "1e-06 s",
            2e-6,
            of_run(
                "andrews",
                "canonical_trapezoidal",
                1e-6,
                andrews_balance,
                options={"penalty": 1e9, "weights": 1.0, "xi": 1e6, "omega": 1.0},
            ),
        ),
    ),
)
