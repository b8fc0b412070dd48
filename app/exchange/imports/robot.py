"""Mesh files of an imported robot, as a scene in some folder writes them."""

from pathlib import Path

import msgspec

from app.widgets.editors.file import relative
from engine.elements.bodies.shapes import Mesh
from engine.model.scene import Scene


def with_near_meshes(scene: Scene, folder: Path) -> Scene:
    """The scene with paths relative to the folder, where the files lie near it."""
    for body in scene.bodies:
        shapes = tuple(
            msgspec.structs.replace(shape, file=relative(shape.file, str(folder.resolve())))
            if isinstance(shape, Mesh)
            else shape
            for shape in body.shapes
        )
        if shapes != body.shapes:
            scene = scene.replace(msgspec.structs.replace(body, shapes=shapes))
    return scene
