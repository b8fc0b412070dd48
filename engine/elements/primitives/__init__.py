"""Primitives: the scalar functions of the configuration that joints, motions and forces are made of."""

from engine.compiled.dispatch import KINDS
from engine.elements.primitives import (
    angle,
    combination,
    component,
    composite,
    contact,
    distance,
    dot,
    knife_edge,
    planar_angle,
    point,
    rolling,
    slip,
    spin,
    twist,
    wheel_height,
)
from engine.elements.primitives.base import PrimitiveKind
from engine.registry import Registry

PRIMITIVES: Registry[PrimitiveKind] = Registry(
    "primitive",
    angle.KIND,  # keep sorted; those that are made of others come last
    component.KIND,
    contact.KIND,
    distance.KIND,
    dot.KIND,
    knife_edge.KIND,
    planar_angle.KIND,
    point.KIND,
    rolling.KIND,
    slip.KIND,
    spin.KIND,
    twist.KIND,
    wheel_height.KIND,
    composite.KIND,
    composite.ROW_KIND,
    combination.KIND,
    places=KINDS,
)
