"""Latin hypercube: each variable is divided into as many strata as there are runs, one run in each."""

from collections.abc import Sequence

import numpy as np

from engine.studies.designs.base import DesignKind, Points, Sampled, from_shares
from engine.studies.variables.base import Variable


class LatinHypercube(Sampled, frozen=True, kw_only=True, tag="latin_hypercube"):
    """Spreads few runs evenly over every single variable."""


def points(design: LatinHypercube, variables: Sequence[Variable]) -> Points:
    from scipy.stats import qmc  # slow to import

    sampler = qmc.LatinHypercube(len(variables), seed=np.random.default_rng(design.seed))
    return from_shares(sampler.random(design.count), variables)


KIND = DesignKind(
    name="latin_hypercube",
    summary="one run in every stratum of every variable",
    spec=LatinHypercube,
    points=points,
)
