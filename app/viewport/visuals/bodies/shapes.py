"""Shapes of bodies as surfaces, each in its own frame."""

from collections.abc import Callable
from typing import Any

from app.viewport.canvas import primitive_surfaces as solids
from app.viewport.canvas.mesh_file import mesh_surface
from app.viewport.canvas.stage import Stage, as_vector
from app.viewport.canvas.surface import Surface


def _box(shape: Any, stage: Stage) -> Surface:
    return solids.box(*(float(value) for value in shape.size))


def _capsule(shape: Any, stage: Stage) -> Surface:
    return solids.capsule(float(shape.radius), float(shape.length))


def _cylinder(shape: Any, stage: Stage) -> Surface:
    return solids.cylinder(float(shape.radius), float(shape.length), stage.sides(40))


def _mesh(shape: Any, stage: Stage) -> Surface:
    return mesh_surface(shape.file, float(shape.scale), stage.folder)


def _outline(shape: Any, stage: Stage) -> Surface:
    return solids.plate(shape.points, float(shape.thickness))


def _rod(shape: Any, stage: Stage) -> Surface:
    return solids.rod(as_vector(shape.start), as_vector(shape.end), float(shape.radius), stage.sides(20))


def _sphere(shape: Any, stage: Stage) -> Surface:
    return solids.sphere(float(shape.radius), stage.sides(28))


SHAPES: dict[str, Callable[[Any, Stage], Surface]] = {
    "box": _box,  # keep sorted
    "capsule": _capsule,
    "cylinder": _cylinder,
    "mesh": _mesh,
    "outline": _outline,
    "rod": _rod,
    "sphere": _sphere,
}
UNKNOWN = 0.02  # of the extent: half a box for what cannot be drawn


def shape_surface(shape: Any, stage: Stage) -> Surface:
    """A shape as it is drawn; what cannot be read leaves at least a small box."""
    try:
        surface = SHAPES[str(shape.__struct_config__.tag)](shape, stage)
        stage.unread.pop(getattr(shape, "file", ""), None)  # mended meanwhile
        return surface
    except (KeyError, OSError, ValueError) as error:
        if hasattr(shape, "file"):
            stage.unread[shape.file] = str(error)
        side = 2.0 * UNKNOWN * stage.extent
        return solids.box(side, side, side)
