"""A mesh file becomes a shape of a body, or a body of its own with the mass of what it encloses."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from app.document.document import Edit, Ref
from app.edits import add, add_shape, free_name
from app.viewport.canvas.mesh_file import mesh_surface
from app.viewport.canvas.mesh_mass import box_mass, mesh_mass
from engine.elements.bodies.body import Body
from engine.elements.bodies.shapes import Mesh
from engine.model.names import clean_name
from engine.model.scene import Scene

CORNER_TOLERANCE = 1e-7  # of the size: corners nearer than this are one


@dataclass(frozen=True)
class Solid:
    """A surface in the units of its file, and what it encloses, for a density of 1."""

    low: np.ndarray  # shape (3,), corner of the box around it
    high: np.ndarray
    faces: int
    closed: bool
    volume: float
    com: np.ndarray  # shape (3,)
    inertia: np.ndarray  # shape (3, 3), about the centre of mass

    @property
    def size(self) -> np.ndarray:
        size: np.ndarray = self.high - self.low
        return size


def read_mesh(path: Path) -> Solid:
    """Read a file; raises OSError or ValueError."""
    surface = mesh_surface(str(path), 1.0, None)
    return solid_of(np.asarray(surface.points), np.asarray(surface.triangles))


def solid_of(points: np.ndarray, triangles: np.ndarray) -> Solid:
    """Of triangles; where they have holes the box around them counts."""
    low, high = points.min(axis=0), points.max(axis=0)
    closed = _is_closed(points, triangles, float(np.max(high - low)))
    found = mesh_mass(points, triangles, 1.0) if closed else box_mass(low, high, 1.0)
    return Solid(low, high, len(triangles), closed, found.mass, found.com, found.inertia)


def _is_closed(points: np.ndarray, triangles: np.ndarray, size: float) -> bool:
    """Whether every edge belongs to two faces that run along it in opposite ways."""
    _, same = np.unique(np.round(points / (size * CORNER_TOLERANCE or 1.0)), axis=0, return_inverse=True)
    corners = same.ravel()[triangles]
    edges = np.concatenate([corners[:, [0, 1]], corners[:, [1, 2]], corners[:, [2, 0]]])
    edges = edges[edges[:, 0] != edges[:, 1]]
    count = int(corners.max()) + 1
    there, back = edges[:, 0] * count + edges[:, 1], edges[:, 1] * count + edges[:, 0]
    return bool(np.array_equal(np.sort(there), np.sort(back)))


def add_mesh(scene: Scene, body: str, file: str, scale: float) -> Edit:
    """A further shape of a body."""
    edit = add_shape(scene, Ref("bodies", body), "mesh", file=file, scale=scale)
    return Edit(f"Import {Path(file).name}", edit.after)


def add_mesh_body(scene: Scene, file: str, scale: float, solid: Solid, density: float) -> Edit:
    """A new body that looks like the mesh and weighs what it encloses; raises ValueError without any."""
    mass = density * solid.volume * scale**3
    if not mass > 0.0:
        raise ValueError("the mesh encloses nothing, so its mass is not known; add it to a body that has one")
    inertia = density * scale**5 * solid.inertia
    com = tuple(float(x) for x in scale * solid.com)
    off = (inertia[0, 1], inertia[0, 2], inertia[1, 2])
    entries = (float(inertia[2, 2]),) if scene.space == "planar" else (*np.diag(inertia).tolist(), *off)
    body = Body(
        name=free_name(scene, "bodies", clean_name(Path(file).stem, otherwise="body")),
        mass=float(mass),
        com=com[:2] if scene.space == "planar" else com,
        inertia=tuple(float(x) for x in entries),
        shapes=(Mesh(file=file, scale=scale),),
    )
    return Edit(f"Import {Path(file).name}", add(scene, body).after)
