"""Mass properties of bodies: given as numbers, or computed from shapes and their densities."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from msgspec.structs import replace

from app.document.document import Edit, Ref, find
from app.edits.elements.copies import words
from app.edits.geometry.joint_frames import written
from engine.elements.bodies.body import Body
from engine.elements.bodies.shapes import shape_kind
from engine.errors import Problem, SceneError
from engine.model.mass import mass_properties, placed, total
from engine.model.resolve import resolve_leniently
from engine.model.scene import Scene

STEEL = 7850.0  # kg/m³


def give_mass(scene: Scene, refs: Iterable[Ref]) -> Edit:
    """Write down mass, centre of mass and inertia as they are now: later changes of shape leave them."""
    bodies = _bodies(scene, refs)
    resolved, _ = resolve_leniently(scene)
    after, planar = scene, scene.space == "planar"
    for ref in bodies:
        known = mass_properties(find(resolved, ref), scene.space)
        if not np.isfinite([known.mass, *known.com, *known.inertia.ravel()]).all():
            raise _problem(ref, f"the mass of {ref.name!r} cannot be computed", "mend its numbers first")
        fields: dict[str, Any] = {
            "mass": float(known.mass),
            "com": written(known.com, planar),
            "inertia": _entries(known.inertia, planar),
        }
        after = after.replace(replace(find(after, ref), **fields))
    return Edit(f"Give the mass of {words(bodies)}", after)


def compute_mass(scene: Scene, refs: Iterable[Ref]) -> Edit:
    """Let mass, centre of mass and inertia come from the shapes; raises SceneError.

    Shapes of which none has a density get one that gives the body the mass it had, or that of steel.
    """
    bodies = _bodies(scene, refs)
    resolved, _ = resolve_leniently(scene)
    after = scene
    for ref in bodies:
        body, known = find(scene, ref), find(resolved, ref)
        solid = [shape for shape in known.shapes if shape_kind(shape).solid]
        if not solid:
            remedy = "give it a shape such as a rod or a box, or its mass"
            raise _problem(ref, f"{ref.name!r} has no shape to compute a mass from", remedy)
        shapes = body.shapes
        if all(shape.density is None for shape in solid):
            volume = total(placed(shape, 1.0) for shape in solid).mass
            mass = float(known.mass) if known.mass is not None else 0.0
            density = mass / volume if mass > 0.0 and volume > 0.0 else STEEL
            shapes = tuple(replace(s, density=density) if shape_kind(s).solid else s for s in shapes)
        after = after.replace(replace(body, mass=None, com=None, inertia=None, shapes=shapes))
    return Edit(f"Compute the mass of {words(bodies)}", after)


def _bodies(scene: Scene, refs: Iterable[Ref]) -> tuple[Ref, ...]:
    whole = dict.fromkeys(ref.element for ref in refs if ref.where == "bodies")
    found = tuple(ref for ref in whole if isinstance(find(scene, ref), Body))
    if not found:
        raise SceneError([Problem("bodies", None, "no body is selected", "select a body")])
    return found


def _entries(inertia: Any, planar: bool) -> tuple[float, ...]:
    if planar:
        return (float(inertia[2, 2]),)
    products = (inertia[0, 1], inertia[0, 2], inertia[1, 2])
    size = float(np.max(np.abs(inertia), initial=0.0))
    moments = tuple(float(inertia[i, i]) for i in range(3))
    if all(abs(x) <= 1e-12 * size for x in products):
        return moments
    return (*moments, *(float(x) for x in products))


def _problem(ref: Ref, message: str, remedy: str) -> SceneError:
    return SceneError([Problem(str(ref), ref.name, message, remedy)])
