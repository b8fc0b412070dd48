"""Direct methods: whole steps, one file each."""

from engine.methods import central_differences
from engine.methods.base import DirectKind
from engine.registry import Registry

DIRECT: Registry[DirectKind] = Registry(
    "direct method",
    central_differences.KIND,
)
