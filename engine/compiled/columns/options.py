"""First slot of each piece of a method in `Work.options`: each has eight numbers of its own."""

from typing import Final

FORMULATION: Final = 0
DIRECT: Final = 0  # a direct method has the numbers of all three pieces
SCHEME: Final = 8
STABILISATION: Final = 16
LINSOLVE: Final = 24
COLUMNS: Final = 32
