"""Sobol: a sequence that fills the space of all variables evenly, scrambled."""

from collections.abc import Sequence

import numpy as np

from engine.errors import Problem
from engine.studies.designs.base import DesignKind, Points, Sampled, from_shares
from engine.studies.variables.base import Variable


class Sobol(Sampled, frozen=True, kw_only=True, tag="sobol"):
    """So many points of Sobol's sequence, a power of two: other numbers lose its balance."""


def points(design: Sobol, variables: Sequence[Variable]) -> Points:
    from scipy.stats import qmc  # slow to import

    sampler = qmc.Sobol(len(variables), seed=np.random.default_rng(design.seed))
    return from_shares(sampler.random_base2(design.count.bit_length() - 1), variables)


def check(design: Sobol, variables: Sequence[Variable]) -> list[Problem]:
    below = 1 << (design.count.bit_length() - 1)
    if design.count == below:
        return []
    text = f"{design.count} is no power of two, which Sobol's sequence needs"
    return [Problem("design.count", design.count, text, f"give {below} or {2 * below}")]


KIND = DesignKind(name="sobol", summary="Sobol's sequence, scrambled", spec=Sobol, points=points, check=check)
