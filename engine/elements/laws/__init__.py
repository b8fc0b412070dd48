"""Force laws: the compiled side of the forces. A force element lists the laws it is made of."""

from engine.compiled.dispatch import KINDS
from engine.elements.laws import (
    applied,
    cone,
    contact_friction,
    contact_group,
    friction,
    held_friction,
    limit,
    line,
    lugre,
    mesh_loss,
    motor,
    mouse,
    pressure,
)
from engine.elements.laws.base import LawKind
from engine.registry import Registry

LAWS: Registry[LawKind] = Registry(
    "force law",
    applied.KIND,  # keep sorted
    cone.KIND,
    contact_friction.KIND,
    contact_group.KIND,
    friction.KIND,
    held_friction.KIND,
    limit.KIND,
    line.KIND,
    lugre.KIND,
    mesh_loss.KIND,
    motor.KIND,
    mouse.KIND,
    pressure.KIND,
    places=KINDS,
)
ON_BODIES = tuple(kind.name for kind in LAWS if kind.on_body)  # the others act along a coordinate function
