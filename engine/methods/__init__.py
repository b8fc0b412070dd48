"""Direct methods: whole steps, one file each."""

<<<<<<< HEAD
from engine.methods import (
    augmented_index3,
    bdf_dae,
    central_differences,
    generalized_alpha,
    hht,
    newmark_index3,
    newmark_nullspace,
    radau,
    wilson_theta,
)
=======
from engine.methods import canonical_trapezoidal, central_differences
>>>>>>> e883e7c (Add Hamilton's canonical equations: with multipliers, augmented Lagrangian, and by the trapezoidal rule)
from engine.methods.base import DirectKind
from engine.registry import Registry

DIRECT: Registry[DirectKind] = Registry(
    "direct method",
<<<<<<< HEAD
    augmented_index3.KIND,  # keep sorted
    bdf_dae.KIND,
=======
    canonical_trapezoidal.KIND,  # keep sorted
>>>>>>> e883e7c (Add Hamilton's canonical equations: with multipliers, augmented Lagrangian, and by the trapezoidal rule)
    central_differences.KIND,
    generalized_alpha.KIND,
    hht.KIND,
    newmark_index3.KIND,
    newmark_nullspace.KIND,
    radau.KIND,
    wilson_theta.KIND,
)
