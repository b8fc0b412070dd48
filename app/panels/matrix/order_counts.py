"""What the table of orderings says of each."""

from __future__ import annotations

import math

from engine.analyses.answers.result import OrderedForm
from engine.analyses.matrices.matrix import blocks_in_words

HEADINGS = (
    ("Ordering", "the pattern on the right is in this order"),
    ("Blocks", "diagonal blocks of the triangular part"),
    ("Border", "columns right of the triangular part / rows below it"),
    ("Fill-in", "entries of the factor where the matrix has none"),
    ("Multiplications", "of a factorisation in this order, counted from the pattern"),
    ("Factor [µs]", "measured, the best of several"),
    ("Solve [µs]", "measured for one right-hand side, the best of several"),
)

BLOCKS, BORDER = 1, 2  # columns that only orderings of rows and columns have


def cells(form: OrderedForm) -> tuple[tuple[str, str], ...]:
    """Text and tooltip of every column."""
    found, facts = form.reordering, form.facts
    blocks = str(len(found.blocks)) if found.blocks else ""
    border = f"{found.border} / {found.bottom}" if found.blocks else ""
    return (
        (form.title, ""),
        (blocks, blocks_in_words(found)),
        (border, ""),
        (f"{facts['fill']:,.0f}".replace(",", " "), ""),
        (f"{facts['multiplications']:,.0f}".replace(",", " "), ""),
        (_micro(facts["factor_seconds"]), ""),
        (_micro(facts["solve_seconds"]), _residual(facts["residual"])),
    )


def _micro(seconds: float) -> str:
    return "" if math.isnan(seconds) else f"{1e6 * seconds:.3g}" if seconds < 1e-3 else f"{1e6 * seconds:.0f}"


def _residual(value: float) -> str:
    return "" if math.isnan(value) else f"residual {value:.1e} of the right-hand side"
