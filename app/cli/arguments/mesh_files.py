"""Mesh files of the scene that a command reads: what `trammel check` refuses is refused everywhere."""

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engine import Scene


def check_meshes(scene: "Scene", path: Path, folder: Path | None = None) -> None:
    """Raise SceneError for mesh files that are missing or broken; `folder`: where they are, if elsewhere."""
    from engine.model.meshes import refuse_broken_meshes

    refuse_broken_meshes(scene, folder or path.parent, str(path))
