"""Inserting a whole mechanism, such as a template's, at a place of the scene."""

from __future__ import annotations

from dataclasses import replace

import msgspec

from app.document.document import Edit, refs_of
from app.edits.building.planar_spatial import set_space
from app.edits.elements.clipboard import paste
from app.edits.geometry.transform import Placing, shift, turn
from app.edits.geometry.transformed import Mover
from engine.errors import Problem, SceneError
from engine.model.scene import LISTS, Scene, kind_of

QUARTER = 1.5707963267948966  # rad: from the x-y plane to the x-z plane, where gravity points down


def insert_mechanism(
    scene: Scene, piece: Scene, position: tuple[float, ...] = (0.0, 0.0, 0.0), title: str = ""
) -> Edit:
    """Add all elements of a scene, moved by `position` [m], under free names, as one step.

    An empty scene takes over the space and the settings of the piece. In a spatial scene, a planar piece
    stands upright, along x and z; one that is led along axes of the world lies flat. Raises SceneError.
    """
    empty = not any(getattr(scene, where) for where in LISTS)
    if empty:
        scene = msgspec.structs.replace(
            scene, space=piece.space, gravity=piece.gravity, up=piece.up, simulation=piece.simulation
        )
    if piece.space == "spatial" and scene.space == "planar":
        text = f"{title or piece.title or 'this mechanism'} is spatial, and the scene is planar"
        raise SceneError([Problem("space", piece.space, text, "begin a new scene with it")])
    if piece.space == "planar" and scene.space == "spatial":
        piece = set_space(piece, "spatial").after
        if not any(kind_of(motion).moves(motion).owner == "body" for motion in piece.motions):
            piece = _moved(piece, turn((1.0, 0.0, 0.0), QUARTER))
    if any(position):
        piece = _moved(piece, shift(position[:2] if piece.space == "planar" else position))
    edit = paste(scene, piece)
    return replace(edit, text=f"Insert {title or piece.title or 'a mechanism'}")


def _moved(piece: Scene, placing: Placing) -> Scene:
    """All of a scene at another place."""
    mover = Mover(piece, placing, frozenset(refs_of(piece)))
    return msgspec.structs.replace(
        piece, **{where: tuple(mover(item) for item in getattr(piece, where)) for where in LISTS}
    )
