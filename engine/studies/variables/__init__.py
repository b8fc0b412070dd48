"""Kinds of variables: one file per kind, one line here."""

from engine.registry import Registry
from engine.studies.variables import choices, interval, logarithmic, tolerance
from engine.studies.variables.base import VariableKind

VARIABLES: Registry[VariableKind] = Registry(
    "variable",
    choices.KIND,  # keep sorted
    interval.KIND,
    logarithmic.KIND,
    tolerance.KIND,
)
