"""Copies beside what they are copies of, so that they are seen."""

from __future__ import annotations

import numpy as np

from app.document.document import Edit
from app.edits.geometry.move_together import move_together
from app.edits.geometry.transform import shift
from engine.errors import SceneError
from engine.maths.round_numbers import nice
from engine.model.poses import given_poses
from engine.model.scene import Scene

STEP = 0.08  # of the extent, to the right and down
SAME = 1e-6  # of the extent: nearer bodies lie over each other


def set_aside(before: Scene, edit: Edit, extent: float, key: object = None) -> Edit:
    """An edit that adds bodies, with those that would lie over others beside them; `extent` in m."""
    new = {ref.name for ref in edit.made if ref.where == "bodies"}
    places = given_poses(edit.after)
    old = [places[body.name][0] for body in before.bodies if body.name in places]
    over = any(
        np.linalg.norm(places[name][0] - place) < SAME * extent
        for name in new
        if name in places
        for place in old
    )
    after = edit.after
    if over:
        step = nice(STEP * extent)
        down = (-step,) if edit.after.space == "planar" else (0.0, -step)
        try:
            after = move_together(edit.after, edit.made, shift((step, *down))).after
        except SceneError:
            after = edit.after  # joints hold it where it is
    return Edit(edit.text, after, edit.renamed, key, edit.made, edit.notes)
