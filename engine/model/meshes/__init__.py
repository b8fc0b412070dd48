"""Meshes in files: STL, OBJ, PLY, glTF. Every count and index of a file is checked before it is used."""

from collections.abc import Callable
from pathlib import Path

from engine.errors import Problem, SceneEdit, SceneError
from engine.model.decode import label
from engine.model.meshes import gltf, obj, ply, stl
from engine.model.meshes.faces import MeshError, Polygons
from engine.model.scene import Scene

MAX_BYTES = 500_000_000

READERS: dict[str, Callable[[bytes, Path], Polygons]] = {
    ".glb": gltf.read,
    ".gltf": gltf.read,
    ".obj": obj.read,
    ".ply": ply.read,
    ".stl": stl.read,
}
ENDINGS = tuple(sorted(READERS))


def mesh_path(name: str, folder: Path | None) -> Path:
    """Where the mesh file of a scene in the folder lies."""
    return Path(name) if folder is None else folder / name


def read_mesh(path: Path) -> Polygons:
    """The faces in a file; raises OSError or MeshError, which names the file, the place and the fault."""
    if not path.is_file():
        raise FileNotFoundError(f"mesh file {path} is missing; put it beside the scene")
    reader = READERS.get(path.suffix.lower())
    if reader is None:
        raise MeshError(f"unknown ending; known are {', '.join(ENDINGS)}").of(path)
    size = path.stat().st_size
    if size > MAX_BYTES:
        limit = f"it has {size / 1e6:.0f} MB, meshes have at most {MAX_BYTES / 1e6:.0f} MB"
        raise MeshError(f"{limit}; reduce its triangles").of(path)
    try:
        return reader(path.read_bytes(), path)
    except MeshError as error:
        raise error.of(path) from None


def refuse_broken_meshes(scene: Scene, folder: Path | None, source: str = "") -> None:
    """Raise SceneError for mesh files that are missing or broken.

    A motion could do without them; but then the same file would be sound to one command and not to another.
    """
    if problems := mesh_problems(scene, folder):
        raise SceneError(problems, source=source)


def mesh_problems(scene: Scene, folder: Path | None) -> list[Problem]:
    """Mesh files of the scene that are missing or cannot be read, each told once."""
    told: set[Path] = set()
    problems = []
    for i, body in enumerate(scene.bodies):
        for j, shape in enumerate(body.shapes):
            name = getattr(shape, "file", None)
            if name is None or (path := mesh_path(name, folder)) in told:
                continue
            told.add(path)
            try:
                read_mesh(path)
            except (OSError, ValueError) as error:
                where = f"{label('bodies', i, body)}.shapes[{j}].file"
                undrawn = SceneEdit(f"bodies.{body.name}.shapes", [])
                remedy = f"mend the file, choose another one, or leave it out: {undrawn.path}=[]"
                problems.append(Problem(where, name, str(error), remedy, (undrawn,)))
    return problems
