"""What is known to go wrong with a method on a mechanism: said when a run begins, never changed silently."""

from collections.abc import Iterator
from typing import Any

from engine.elements.fields import Field, fields_of
from engine.maths.expressions import ExpressionError, parse
from engine.model.scene import Scene, kind_of
from engine.solvers.catalogue import Method

LARGE_ORDER = 1200  # of a full matrix: from here on one factorisation takes half a second and more
SHOWN = 3  # forces that a warning names


def method_warnings(method: Method, scene: Scene, warning: str = "", order: int = 0) -> tuple[str, ...]:
    """Warnings of a run of a resolved scene, after what the method itself warns of.

    `order`: that of a full matrix over the state, if the method has one.
    """
    said = [warning] if warning else []
    if order > LARGE_ORDER:
        said.append(
            f"{method.name} factors a full matrix of order {order}, whose cost grows with the cube of the "
            "size: take a direct method, such as radau or generalized_alpha, whose matrices are sparse."
        )
    resisting = [] if method.bears_damping else list(forces_of_velocity(scene))
    if resisting:
        names = ", ".join(repr(name) for name in resisting[:SHOWN])
        more = f" and {len(resisting) - SHOWN} more" if len(resisting) > SHOWN else ""
        said.append(
            f"{method.name} is unstable with forces against the velocity, however small the step; here: "
            f"{names}{more}. Take another scheme, such as d2 or rk4, or remove the damping."
        )
    return tuple(said)


def forces_of_velocity(scene: Scene) -> Iterator[str]:
    """Names of the forces of a resolved scene that depend on velocities."""
    for force in scene.forces:
        by_law = any(_of_velocity(fact, getattr(force, fact.name)) for fact in fields_of(type(force)))
        if by_law or kind_of(force).resists(force):
            yield force.name


def _of_velocity(fact: Field, value: Any) -> bool:
    if fact.name.endswith("damping"):
        return any(value) if isinstance(value, tuple) else bool(value)
    if fact.role != "function" or not isinstance(value, str) or "v" not in fact.extra["of"]:
        return False
    try:
        return "v" in parse(value).names
    except ExpressionError:
        return False
