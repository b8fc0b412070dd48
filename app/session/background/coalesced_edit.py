"""Edits that wait for the worker: several become one."""

from __future__ import annotations

from dataclasses import dataclass, field

from engine.model.scene import Scene
from engine.simulation.live.engine_loop import joined

Names = dict[tuple[str, str], str]  # (list, old name) → new name


@dataclass(frozen=True)
class PendingEdit:
    """The scene to go on with, what has another name in it, and a few words for the timeline."""

    scene: Scene
    renamed: Names = field(default_factory=dict)
    text: str = ""

    def then(self, scene: Scene, renamed: Names, text: str) -> PendingEdit:
        """This edit and a later one as one."""
        words = dict.fromkeys(filter(None, (*self.text.split("; "), text)))
        return PendingEdit(scene, joined(self.renamed, renamed), "; ".join(words))
