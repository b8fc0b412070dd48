"""First index of `Work.tangent`."""

from typing import Final

RATE_Q: Final = 0  # ∂(grad·v)/∂q
ACC_Q: Final = 1  # ∂(grad·a + bias)/∂q
ACC_V: Final = 2  # ∂(bias)/∂v
# two tables of the rows, kept from when a saddle-point matrix was factored (`linsolve/saddle.py`)
ACTING: Final = 3  # by which reactions act
HELD: Final = 4  # that hold
COLUMNS: Final = 5
