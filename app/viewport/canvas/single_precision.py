"""Numbers as pictures are made of them: in single precision, and none that it does not hold."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

MAX_COORDINATE = 1e9  # m from the origin; runs that explode and nonsense in files go beyond it


def single(lengths: ArrayLike) -> NDArray[np.float32]:
    """Lengths and places [m] in one piece of memory; what is too large comes as far as pictures reach."""
    return np.ascontiguousarray(np.clip(lengths, -MAX_COORDINATE, MAX_COORDINATE), np.float32)
