"""The one seam to linear algebra.

A method asks for `factor` (the matrix of the current gradients; its pattern was fixed at compile time) and
`solve` (M x = f + Jᵀλ, J x = c). What serves it, dense or sparse, with or without an inverse mass matrix,
is chosen when the mechanism is compiled; methods never know.
"""

from engine.registry import Registry
from engine.solvers.linsolve import augmented, schur
from engine.solvers.linsolve.base import SolverKind

SOLVERS: Registry[SolverKind] = Registry(
    "linear solver",
    augmented.KIND,  # keep sorted
    schur.KIND,
)
