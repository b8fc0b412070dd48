"""Convex hulls of meshes: what touches others in the place of a surface from a file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from engine.elements.bodies.shapes import Mesh
from engine.model.meshes import mesh_path, read_mesh
from engine.model.meshes.faces import MeshError
from engine.model.meshes.hull_corners import hull_corners
from engine.model.scene import Scene

DIGITS = 9  # of the corners, over the size of the mesh


def hull_of_file(path: Path) -> tuple[tuple[float, ...], ...]:
    """Corners of the hull of a mesh file, in its own unit; raises OSError or MeshError."""
    try:
        corners = hull_corners(read_mesh(path).points)
    except MeshError as error:
        raise error.of(path) from None
    size = float(np.abs(corners).max())
    digits = DIGITS - int(np.floor(np.log10(size))) if size > 0.0 else DIGITS
    return tuple(tuple(round(float(x), digits) for x in corner) for corner in corners)


def with_hulls(scene: Scene, folder: Path | None) -> Scene:
    """The scene with the hulls of meshes that take part in contact and have none yet.

    Files that cannot be used are left to whoever needs them.
    """
    every = any(force.__struct_config__.tag == "contact_group" for force in scene.forces)
    touching = {
        getattr(force, side).body
        for force in scene.forces
        if force.__struct_config__.tag == "contact"
        for side in "ab"
        if getattr(force, f"shape_{side}") == "shapes"
    }
    bodies = tuple(
        _with_hull(body, folder) if every or body.name in touching else body for body in scene.bodies
    )
    return scene if bodies == scene.bodies else msgspec.structs.replace(scene, bodies=bodies)


def _with_hull(body: Any, folder: Path | None) -> Any:
    shapes = []
    for shape in body.shapes:
        if isinstance(shape, Mesh) and not shape.hull:
            try:
                hull = hull_of_file(mesh_path(shape.file, folder))
                shape = msgspec.structs.replace(shape, hull=hull)
            except (OSError, ValueError):
                pass
        shapes.append(shape)
    return msgspec.structs.replace(body, shapes=tuple(shapes)) if tuple(shapes) != body.shapes else body
