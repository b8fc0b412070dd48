"""What is known of a body's mass: the numbers, where they come from, and what is not physical about them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from app.document.document import Ref, find
from engine.elements.bodies.body import Body
from engine.model.mass import MassProperties, mass_properties
from engine.model.resolve import resolve_leniently
from engine.model.scene import Scene

ROUNDING = 1e-6  # of the largest moment: published inertias are rounded
GIVEN, COMPUTED = "given", "from the shapes"


@dataclass(frozen=True)
class MassFacts:
    """Mass properties in body axes, their source by name, principal moments [kg·m²] and axes (columns)."""

    properties: MassProperties
    source: dict[str, str]
    moments: tuple[float, float, float]
    axes: np.ndarray
    warnings: tuple[str, ...]

    @property
    def given(self) -> bool:
        """Whether any of it is written in the scene."""
        return GIVEN in self.source.values()


def mass_facts(scene: Scene, ref: Ref) -> MassFacts | None:
    """The facts of a body; None when its numbers cannot be computed."""
    resolved, _ = resolve_leniently(scene)
    body = find(resolved, ref)
    if not isinstance(body, Body):
        return None
    try:
        known = mass_properties(body, scene.space)
        if not np.isfinite([known.mass, *known.com, *known.inertia.ravel()]).all():
            return None
        moments, axes = np.linalg.eigh(known.inertia)
    except (TypeError, ValueError, np.linalg.LinAlgError):
        return None
    source = {
        "mass": COMPUTED if body.mass is None else GIVEN,
        "com": GIVEN if body.com is not None or body.mass is not None else COMPUTED,
        "inertia": COMPUTED if body.inertia is None else GIVEN,
    }
    low, middle, high = (float(x) for x in moments)
    warnings = tuple(_warnings(body, known, (low, middle, high), scene.space == "planar"))
    return MassFacts(known, source, (low, middle, high), axes, warnings)


def _warnings(
    body: Body, known: MassProperties, moments: tuple[float, float, float], planar: bool
) -> list[str]:
    """What no real body has, each with the body's name and a remedy."""
    if body.fixed:
        return []
    low, middle, high = moments
    name, slack = body.name, ROUNDING * max(abs(low), abs(high))
    if not known.mass > 0.0:
        return [f"{name} has no mass; give it one, or a shape with a density (fine where joints hold it)"]
    if planar:
        izz = float(known.inertia[2, 2])
        if izz < 0.0:
            return [f"the moment of inertia of {name} is negative; write a positive one"]
        if izz == 0.0:
            return [f"{name} has mass but no inertia; give it a moment of inertia or a shape"]
        return []
    if low < -slack:
        return [f"the inertia of {name} is not positive: {low:.3g} about a principal axis; check its signs"]
    if high > low + middle + slack:
        text = f"the inertia of {name} breaks the triangle rule: {high:.3g} > {low:.3g} + {middle:.3g}"
        return [f"{text}; lower the largest moment or compute it from the shapes"]
    if high == 0.0:
        return [f"{name} has mass but no inertia; give it moments of inertia or a shape"]
    return []
