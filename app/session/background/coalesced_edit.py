"""Edits that wait until the engine can take them: several become one."""

from __future__ import annotations

from dataclasses import dataclass, field

from engine.model.scene import Scene
from engine.simulation.live.engine_loop import joined

Names = dict[tuple[str, str], str]  # (list, old name) → new name


@dataclass(frozen=True)
class SceneEdit:
    """The scene to go on with, what has another name in it, and a few words for the timeline."""

    scene: Scene
    renamed: Names = field(default_factory=dict)
    text: str = ""


class CoalescedEdit:
    """One edit at most: a later one is joined to that which waits."""

    def __init__(self) -> None:
        self._edit: SceneEdit | None = None

    def add(self, edit: SceneEdit) -> None:
        if self._edit is not None:
            words = dict.fromkeys(filter(None, (*self._edit.text.split("; "), edit.text)))
            edit = SceneEdit(edit.scene, joined(self._edit.renamed, edit.renamed), "; ".join(words))
        self._edit = edit

    def take(self) -> SceneEdit | None:
        """What waits, which then waits no more."""
        edit, self._edit = self._edit, None
        return edit

    def forget(self) -> None:
        self._edit = None
