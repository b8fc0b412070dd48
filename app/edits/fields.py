"""Edits of values: fields of elements, settings of the simulation, parameters, the start pose."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import msgspec

from app.document.document import Edit
from app.document.element_ref import SETTINGS, SIMULATION, Ref
from engine.compiled.layout import Array
from engine.elements.base import Number
from engine.elements.fields import field_of
from engine.maths.rotations import quaternion_of
from engine.maths.round_numbers import exact, exact_angle
from engine.model.scene import Parameter, Scene
from engine.model.set_value import set_value
from engine.solvers.catalogue import find_method

Poses = Mapping[str, tuple[Array, Array]]


def set_field(scene: Scene, refs: Iterable[Ref], field_path: str, value: Any, key: object = None) -> Edit:
    """Give one field of some elements the same value; raises SceneError. Edits of one drag share a key.

    The path goes inside with dots: "mass", "a.point.1", "points.tip.position". A value of None resets an
    optional field.
    """
    return change_field(scene, refs, field_path, lambda old: value, key)


def change_field(
    scene: Scene, refs: Iterable[Ref], field_path: str, make: Callable[[Any], Any], key: object = None
) -> Edit:
    """Give one field of some elements what `make` makes of its present value; raises SceneError."""
    chosen = tuple(refs)
    after = scene
    for ref in chosen:
        path = path_of(ref, field_path)
        after = set_value(after, path, make(value_at(after, path)))
    return Edit(f"Change {_title(scene, chosen, field_path)}", after, key=key)


def value_at(scene: Scene, path: str) -> Any:
    """What stands at a path; None when there is nothing (yet)."""
    node: Any = scene
    for part in path.split("."):
        if isinstance(node, tuple):
            named = [item for item in node if getattr(item, "name", None) == part]
            place = int(part) if part.isdecimal() and int(part) < len(node) else None
            node = named[0] if named else None if place is None else node[place]
        elif isinstance(node, dict):
            node = node.get(part)
        else:
            node = getattr(node, part, None)
    return node


def set_visible(scene: Scene, refs: Iterable[Ref], visible: bool) -> Edit:
    """Show or hide elements; a group stands for its members."""
    chosen = tuple(refs)
    after = scene
    for ref in _with_members(scene, chosen):
        if ref.where not in ("parameters", "groups"):
            after = set_value(after, path_of(ref.element, "visible"), visible)
    return Edit(f"{'Show' if visible else 'Hide'} {_names(chosen)}", after)


def _with_members(scene: Scene, refs: tuple[Ref, ...]) -> tuple[Ref, ...]:
    if all(ref.where != "groups" for ref in refs):
        return refs
    from app.edits.elements.copies import chosen

    return chosen(scene, refs)


def set_simulation(scene: Scene, *, key: object = None, **fields: Any) -> Edit:
    """Change how the scene is run: method, options, dt, duration, speed, stop_when, sample_every."""
    title = ", ".join(fields)
    return Edit(f"Change {title}", scene.with_simulation(**fields), key=key)


def choose_method(scene: Scene, name: str) -> Edit:
    """Run the scene with another method; options that it does not know go. Raises SceneError."""
    return set_simulation(scene, **method_fields(scene, name))


def method_fields(scene: Scene, name: str) -> dict[str, Any]:
    """The settings that change with the method; raises SceneError."""
    method = find_method(name)
    kept = {key: value for key, value in scene.simulation.options.items() if method.knows(key)}
    return {"method": name, "options": kept}


def set_parameter(scene: Scene, name: str, value: Number, key: object = None) -> Edit:
    """Give a parameter a value; one that is not there is added."""
    if all(parameter.name != name for parameter in scene.parameters):
        return Edit(f"Add parameter {name}", scene.add(Parameter(name=name, value=value)), key=key)
    return Edit(f"Change {name}", set_value(scene, f"parameters.{name}", value), key=key)


def set_start(
    scene: Scene,
    poses: Poses,
    velocities: Mapping[str, tuple[Array, Array]] | None = None,
    key: object = None,
) -> Edit:
    """Make these poses (and velocities of the origin and spins, in the world) those of the start."""
    from engine.model.resolve import resolve

    given = {body.name: body for body in resolve(scene).bodies}
    size = max((abs(float(x)) for origin, _ in poses.values() for x in origin), default=0.0)
    bodies = []
    for body in scene.bodies:
        new: dict[str, Any] = {}
        if body.name in poses and not body.fixed:
            origin, R = poses[body.name]
            new["position"] = tuple(exact(float(x), size) for x in origin)
            if scene.space == "planar":
                new["angle"] = exact_angle(_near(R, float(given[body.name].angle)))
            else:
                new["angle"], new["orientation"] = 0.0, tuple(exact(float(x)) for x in quaternion_of(R))
        if velocities is not None and body.name in velocities and not body.fixed:
            velocity, spin = velocities[body.name]
            new["velocity"], new["angular_velocity"] = tuple(map(float, velocity)), tuple(map(float, spin))
        bodies.append(msgspec.structs.replace(body, **new) if new else body)
    return Edit("Use this pose as start", msgspec.structs.replace(scene, bodies=tuple(bodies)), key=key)


def _near(R: Array, angle: float) -> float:
    """The angle of a rotation about z, with the whole turns of another one."""
    import math

    found = math.atan2(float(R[1, 0]), float(R[0, 0]))
    return found + 2.0 * math.pi * round((angle - found) / (2.0 * math.pi))


def path_of(ref: Ref, field_path: str) -> str:
    """The path that `set_value` takes."""
    if ref.where == SETTINGS:
        return field_path
    if ref.where == SIMULATION:
        return f"{SIMULATION}.{field_path}"
    inner = f"points.{ref.part}." if ref.part and ref.where == "bodies" else ""
    return f"{ref.where}.{ref.name}.{inner}{field_path}"


def _title(scene: Scene, refs: tuple[Ref, ...], field_path: str) -> str:
    from app.document.document import find

    first = field_path.split(".")[0]
    element = find(scene, refs[0]) if refs else None
    info = field_of(type(element), first) if element is not None and not refs[0].part else None
    what = (info.title if info and info.title else first).lower()
    return f"{what} of {_names(refs)}" if refs and refs[0].name else what


def _names(refs: tuple[Ref, ...]) -> str:
    return refs[0].part or refs[0].name if len(refs) == 1 else f"{len(refs)} elements"
