"""The pattern of the mechanism's equations, before and after ordering, as a picture for a report."""

from __future__ import annotations

from app.platform.picture_bytes import picture_bytes
from app.widgets.matrix.painting import sheet_image
from engine.analyses.base import Question
from engine.analyses.matrices.matrix import MATRIX, MatrixOptions
from engine.errors import SceneError
from engine.model.scene import Scene

ORDERINGS = ("natural", "reverse_cuthill_mckee", "approximate_minimum_degree")
MAX_BODIES = 300  # bodies; ordering takes longer than a report should beyond


def matrix_picture(scene: Scene) -> bytes:
    """PNG of J M⁻¹ Jᵀ in three orderings; empty where there are no constraints or too many bodies."""
    if len(scene.bodies) > MAX_BODIES:
        return b""
    try:
        (matrix,) = MATRIX.run(Question(scene, MatrixOptions(orderings=", ".join(ORDERINGS)))).matrices
    except SceneError:  # the run was made, so the scene is sound; the start as it is now may not be
        return b""
    if not matrix.forms:
        return b""
    return picture_bytes(sheet_image(matrix))
