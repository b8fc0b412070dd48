"""Forces: one file per kind."""

from engine.elements.forces import bushing, force, linear_actuator, motor, rotational_spring, spring, torque
from engine.elements.forces.base import ForceKind
from engine.registry import Registry

FORCES: Registry[ForceKind] = Registry(
    "force",
    bushing.KIND,  # keep sorted
    force.KIND,
    linear_actuator.KIND,
    motor.KIND,
    rotational_spring.KIND,
    spring.KIND,
    torque.KIND,
)
