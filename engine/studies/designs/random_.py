"""Random: independent draws."""

from collections.abc import Sequence

import numpy as np

from engine.studies.designs.base import DesignKind, Points, Sampled, from_shares
from engine.studies.variables.base import Variable


class Random(Sampled, frozen=True, kw_only=True, tag="random"):
    """Each run draws all its values anew."""


def points(design: Random, variables: Sequence[Variable]) -> Points:
    return from_shares(np.random.default_rng(design.seed).random((design.count, len(variables))), variables)


KIND = DesignKind(name="random", summary="independent draws", spec=Random, points=points)
