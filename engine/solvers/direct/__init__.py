"""Direct methods: whole steps, one file each."""

from engine.registry import Registry
from engine.solvers.direct import (
    augmented_index3,
    bdf_dae,
    canonical_trapezoidal,
    central_differences,
    energy_momentum,
    generalized_alpha,
    hht,
    moreau_jean,
    newmark_index3,
    newmark_minimal,
    newmark_nullspace,
    nonsmooth_alpha,
    radau,
    wilson_theta,
)
from engine.solvers.direct.base import DirectKind

DIRECT: Registry[DirectKind] = Registry(
    "direct method",
    augmented_index3.KIND,  # keep sorted
    bdf_dae.KIND,
    canonical_trapezoidal.KIND,
    central_differences.KIND,
    energy_momentum.KIND,
    generalized_alpha.KIND,
    hht.KIND,
    moreau_jean.KIND,
    newmark_index3.KIND,
    newmark_minimal.KIND,
    newmark_nullspace.KIND,
    nonsmooth_alpha.KIND,
    radau.KIND,
    wilson_theta.KIND,
)
