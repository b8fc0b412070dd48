"""The scene of a command: what `trammel check` refuses is refused by every command that reads the file."""

from pathlib import Path
from typing import TYPE_CHECKING

from engine.errors import Problem, SceneError

if TYPE_CHECKING:
    from engine import Scene


def load_sound_scene(path: Path) -> "Scene":
    """The scene of a file, whose mesh files can be read too; raises SceneError."""
    from engine import load_scene  # heavy: Numba

    scene = load_scene(path)
    if problems := broken_meshes(scene, path.parent):
        raise SceneError(problems, source=str(path))
    return scene


def broken_meshes(scene: "Scene", folder: Path) -> list[Problem]:
    """Mesh files of a scene that cannot be drawn. A motion could do without, but nobody would be told."""
    from engine.model.meshes import mesh_problems

    return mesh_problems(scene, folder)
