"""Forces: one file per kind."""

from engine.elements.forces import (
    bushing,
    contact,
    contact_group,
    force,
    friction,
    linear_actuator,
    mesh_loss,
    motor,
    rope,
    rotational_spring,
    spring,
    stop,
    torque,
)
from engine.elements.forces.base import ForceKind
from engine.registry import Registry

FORCES: Registry[ForceKind] = Registry(
    "force",
    bushing.KIND,  # keep sorted
    contact.KIND,
    contact_group.KIND,
    force.KIND,
    friction.KIND,
    linear_actuator.KIND,
    mesh_loss.KIND,
    motor.KIND,
    rope.KIND,
    rotational_spring.KIND,
    spring.KIND,
    stop.KIND,
    torque.KIND,
)
