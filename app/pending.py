"""Edits that wait for the worker: several become one."""

from __future__ import annotations

from dataclasses import dataclass, field

from engine.model.scene import Scene

Names = dict[tuple[str, str], str]  # (list, old name) → new name


@dataclass(frozen=True)
class PendingEdit:
    """The scene to go on with, what has another name in it, and a few words for the timeline."""

    scene: Scene
    renamed: Names = field(default_factory=dict)
    text: str = ""

    def then(self, scene: Scene, renamed: Names, text: str) -> PendingEdit:
        """This edit and a later one as one."""
        joined = {old: renamed.get((old[0], new), new) for old, new in self.renamed.items()}
        passed = {(where, new) for (where, _), new in self.renamed.items()}
        joined.update({old: new for old, new in renamed.items() if old not in passed})
        words = dict.fromkeys(filter(None, (*self.text.split("; "), text)))
        return PendingEdit(scene, joined, "; ".join(words))
