"""Mass: every body has one, and its inertia could belong to a real body."""

import math
from collections.abc import Iterator

import numpy as np

from engine.elements.bodies.body import Body
from engine.elements.bodies.shapes import shape_kind
from engine.elements.protocols.checking import known_vector
from engine.errors import Problem
from engine.model.checks.context import Context
from engine.model.mass import inertia_matrix, shape_properties

LENGTHS = {"planar": (1,), "spatial": (3, 6)}
FORMS = {"planar": "[Izz]", "spatial": "[Ixx, Iyy, Izz] or [Ixx, Iyy, Izz, Ixy, Ixz, Iyz]"}
ROUNDING = 1e-6  # of the largest moment: published inertias are rounded


def check(context: Context) -> Iterator[Problem]:
    for path, body in context.items("bodies"):
        if not body.fixed:
            yield from _mass(path, body)
        if body.shapes and (body.mass is None or body.inertia is None):
            yield from _beyond(path, body)
        if body.inertia is not None:
            yield from _inertia(f"{path}.inertia", body, context.scene.space)


def _mass(path: str, body: Body) -> Iterator[Problem]:
    if body.mass is None and all(shape.density is None for shape in body.shapes):
        text = f"body {body.name!r} has no mass and no shape with a density"
        yield Problem(f"{path}.mass", None, text, 'give "mass" in kg, or a shape a "density" in kg/m³')
    for i, shape in enumerate(body.shapes):
        incomplete = body.mass is None or body.inertia is None
        if not shape_kind(shape).solid and shape.density is not None and incomplete:
            text = f"the mass of a mesh is not computed, and {body.name!r} has one"
            yield Problem(
                f"{path}.shapes[{i}].density",
                shape.density,
                text,
                'give the body "mass", "com" and "inertia"',
            )


def _beyond(path: str, body: Body) -> Iterator[Problem]:
    """Shapes so large or dense that their mass or inertia is no number."""
    found = shape_properties(body)
    if math.isfinite(found.mass) and np.isfinite(found.com).all() and np.isfinite(found.inertia).all():
        return
    if "nan" not in repr(body.shapes):  # a number with a fault of its own, which is told
        text = f"the shapes of {body.name!r} have a mass or an inertia beyond all numbers"
        remedy = "make them smaller or less dense; lengths are in m, densities in kg/m³"
        yield Problem(f"{path}.shapes", None, text, remedy)


def _inertia(path: str, body: Body, space: str) -> Iterator[Problem]:
    entries = body.inertia or ()
    if len(entries) not in LENGTHS[space]:
        text = f"{len(entries)} numbers are no inertia in a {space} scene"
        yield Problem(path, entries, text, f"write {FORMS[space]}")
        return
    if not known_vector(entries):
        return
    matrix = inertia_matrix(tuple(float(entry) for entry in entries))
    if body.mass == 0.0 and matrix.any():
        text = f"body {body.name!r} has no mass and cannot have inertia"
        yield Problem(path, entries, text, "give it a mass, or write zeros")
        return
    if space == "planar":
        if matrix[2, 2] < 0.0:
            yield Problem(
                path,
                entries,
                f"the moment of inertia of {body.name!r} is negative: {matrix[2, 2]:g}",
                "write a positive one",
            )
        return
    low, middle, high = np.linalg.eigvalsh(matrix)
    slack = ROUNDING * max(abs(low), abs(high))
    if low < -slack:
        text = f"the inertia of {body.name!r} is not physical: principal moment {low:g} is negative"
        yield Problem(path, entries, text, "check signs; the last three are matrix entries, Ixy = -∫xy dm")
    elif high > low + middle + slack and not math.isnan(high):
        rest = low + middle
        text = f"the inertia of {body.name!r} is not physical: principal moment {high:g} exceeds {rest:g}"
        yield Problem(path, entries, text, "the largest principal moment is at most the sum of the other two")
