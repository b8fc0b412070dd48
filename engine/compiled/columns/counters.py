"""Entries of `Work.counters`."""

from typing import Final

EVALUATIONS: Final = 0
FACTORISATIONS: Final = 1
ITERATIONS: Final = 2  # of the present step
REJECTED: Final = 3
NEAR_SINGULAR: Final = 4
OFFENDER: Final = 5  # row or velocity that stopped the run; behind the velocities count work integrals
STEPS: Final = 6
# 1 when the constraints were just evaluated at the state that comes next, 2 with the feedback in them
FRESH: Final = 7
ELIMINATIONS: Final = 8  # factorisations that a method made itself, beside those of the linear solver
PRODUCTS: Final = 9  # multiplications in them, and in solving with them
FACTORED: Final = 10  # 1 when the formulation left a factor of the linear solver near the accepted state
REBASED: Final = 11  # 1 when `project` gave y another meaning: what a scheme remembers no longer counts
ALL_ITERATIONS: Final = 12  # of all steps, recorded or not, accepted or not
COLUMNS: Final = 13
