"""Places among the work integrals; the work of forces and motions follows."""

from typing import Final

DISSIPATED: Final = 0
