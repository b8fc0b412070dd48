"""First slot of each piece of a method in `Work.options`.

A formulation, a scheme and a stabilisation have eight slots each; a direct method has those of the first two,
and the control of its steps those of the third. What is asked of every run stands behind them.
"""

from typing import Final

FORMULATION: Final = 0
SCHEME: Final = 8
STABILISATION: Final = 16
RUN: Final = 24
COLUMNS: Final = 32

DIRECT: Final = 0  # up to the slots of the step control
STEP_CONTROL: Final = 16
