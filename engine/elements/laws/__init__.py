"""Force laws: the compiled side of the forces. A force element lists the laws it is made of."""

from engine.elements.laws import applied, line, motor, mouse
from engine.elements.laws.base import LawKind
from engine.registry import Registry

ON_BODIES = (applied.KIND.name, mouse.KIND.name)  # these act on a body, the others along a gauge
LAWS: Registry[LawKind] = Registry(
    "force law",
    applied.KIND,  # keep sorted
    line.KIND,
    motor.KIND,
    mouse.KIND,
)
