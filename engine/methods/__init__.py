"""Direct methods: whole steps, one file each."""

from engine.methods import central_differences, newmark_index3, newmark_nullspace
from engine.methods.base import DirectKind
from engine.registry import Registry

DIRECT: Registry[DirectKind] = Registry(
    "direct method",
    central_differences.KIND,  # keep sorted
    newmark_index3.KIND,
    newmark_nullspace.KIND,
)
