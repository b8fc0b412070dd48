"""First index of `Work.tangent`."""

from typing import Final

RATE_Q: Final = 0  # ∂(grad·v)/∂q
ACC_Q: Final = 1  # ∂(grad·a + bias)/∂q
ACC_V: Final = 2  # ∂(bias)/∂v
FACTORED: Final = 3  # gradients of the rows, kept from when the matrix of an iteration was factored
COLUMNS: Final = 4
