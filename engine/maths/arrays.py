"""Small helpers for arrays inside kernels.

A slice assignment may allocate (sources could overlap); a loop never does.
"""

import numpy as np

from engine.compiled.kernel import inlined, kernel
from engine.compiled.layout import Array


@kernel
def copy(source: Array, target: Array) -> None:
    """target[...] = source, over the length of the source."""
    for i in range(source.shape[0]):
        target[i] = source[i]


@inlined
def index(i: int) -> int:
    """An index that is never negative: Numba then need not look whether it counts from the end."""
    return np.uint64(i)  # type: ignore[return-value]
