"""Copying between arrays inside kernels.

A slice assignment may allocate (sources could overlap); a loop never does.
"""

from engine.kernel import kernel
from engine.problems import Array


@kernel
def copy(source: Array, target: Array) -> None:
    """target[...] = source, over the length of the source."""
    for i in range(source.shape[0]):
        target[i] = source[i]
