"""Pins on the ground that go along with bodies: while these are in the hand, only the bodies are moved."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from app.document.element_ref import Ref, find
from app.edits.elements.references import used_by
from app.edits.geometry.joint_frames import anchored, frames_of
from app.edits.geometry.move_together import going
from app.viewport.scene.scene_view import SceneView
from engine.compiled.layout import Array
from engine.elements.base import WORLD
from engine.errors import SceneError
from engine.model.scene import Scene


class GroundPins:
    """Their symbols are hidden from `lift` to `settle`, with those of motors and forces that act in them;
    `places` [m] are where they were, shape (n, 3).
    """

    def __init__(self, view: SceneView, scene: Scene, refs: Iterable[Ref]) -> None:
        self._view = view
        self._refs: list[Ref] = []
        places: list[Array] = []
        try:
            along = going(scene, refs)
            for ref in along:
                joint = anchored(scene, ref) if ref.where == "joints" else None
                if joint is not None and WORLD in (joint.a.body, joint.b.body):
                    self._refs.append(ref)
                    places.append(frames_of(scene, joint)[0 if joint.a.body == WORLD else 1].p_W)
            pins = set(self._refs)
            self._refs += [ref for ref in along if ref not in pins and used_by(find(scene, ref)) & pins]
        except SceneError:
            self._refs, places = [], []
        self.places = np.array(places).reshape(-1, 3)

    def lift(self) -> None:
        self._present(False)

    def settle(self) -> None:
        self._present(True)

    def _present(self, on: bool) -> None:
        for ref in self._refs:
            visual = self._view.visuals.get(ref)
            for part in visual.parts if visual is not None else ():
                part.present(on)
