"""Mesh files of the scene that a command reads: what `trammel check` refuses is refused everywhere."""

from pathlib import Path
from typing import TYPE_CHECKING

from engine.errors import SceneError

if TYPE_CHECKING:
    from engine import Scene


def check_meshes(scene: "Scene", path: Path, folder: Path | None = None) -> None:
    """Raise SceneError for mesh files that are missing or broken; `folder`: where they are, if elsewhere.

    A motion could do without them; but then the same file would be sound to one command and not to another.
    """
    from engine.model.meshes import mesh_problems

    if problems := mesh_problems(scene, folder or path.parent):
        raise SceneError(problems, source=str(path))
