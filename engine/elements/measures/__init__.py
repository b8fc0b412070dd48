"""Measures: numbers to watch, made from positions or channels; one file per kind."""

from engine.elements.measures import angle, distance, expression
from engine.elements.measures.base import MeasureKind
from engine.registry import Registry

MEASURES: Registry[MeasureKind] = Registry(
    "measure",
    distance.KIND,  # in the order of the menu
    angle.KIND,
    expression.KIND,
)
