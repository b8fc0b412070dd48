"""First index of `Work.tangent`."""

from typing import Final

RATE_Q: Final = 0  # ∂(grad·v)/∂q
ACC_Q: Final = 1  # ∂(grad·a + bias)/∂q
ACC_V: Final = 2  # ∂(bias)/∂v
