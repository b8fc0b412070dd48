"""Designs of studies: one file per kind, one line here."""

from engine.registry import Registry
from engine.studies.designs import grid, latin_hypercube, list_, random_, sobol
from engine.studies.designs.base import DesignKind

DESIGNS: Registry[DesignKind] = Registry(
    "design",
    grid.KIND,  # keep sorted
    latin_hypercube.KIND,
    list_.KIND,
    random_.KIND,
    sobol.KIND,
)
