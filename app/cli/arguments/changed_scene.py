"""The scene that a command is about: read, changed by `--set`, and sound."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from app.cli.arguments.mesh_files import check_meshes

if TYPE_CHECKING:
    from engine import Scene


def changed_scene(path: Path, settings: Sequence[tuple[str, Any]]) -> "Scene":
    """Raises SceneError; what a setting breaks, such as the name of a body, is told as that of a file is."""
    from engine import load_scene, set_value  # heavy: Numba
    from engine.system.prepared import prepare

    scene = load_scene(path)
    for target, value in settings:
        scene = set_value(scene, target, value)
    prepare(scene).refuse_problems()
    check_meshes(scene, path)
    return scene
