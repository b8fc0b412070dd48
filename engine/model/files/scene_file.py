"""Scene files: load with all faults found, save readably and without half-written files."""

import os
import shutil
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, get_args

from engine.elements.fields import field_of, fields_of
from engine.errors import Problem, SceneError, shorten
from engine.model.decode import BROKEN, decode, label
from engine.model.files.json_text import read_json, to_plain, write_json
from engine.model.files.migrations import migrate
from engine.model.meshes.hull import with_hulls
from engine.model.resolve import ANY
from engine.model.scene import LISTS, Scene, refuse_other
from engine.model.validate import validate
from engine.spelling import did_you_mean

MAX_BYTES = 20_000_000  # a scene of ten thousand bodies has five
SAVED_RUNS = (b"PK\x03\x04", b"\x89HDF", b"MATLAB")  # how .npz, .h5 and .mat begin


def load_scene(path: str | os.PathLike[str]) -> Scene:
    """The scene in a file; raises SceneError with everything that is wrong with it."""
    scene, problems = read_scene(path)
    if problems:
        raise SceneError(problems, os.fspath(path))
    return scene


def read_scene(path: str | os.PathLike[str]) -> tuple[Scene, list[Problem]]:
    """The scene in a file, for someone who can mend it, and what is wrong with it.

    Raises SceneError for a file that holds no scene: one that cannot be read, fields that mean nothing, names
    given twice.
    """
    source = os.fspath(path)
    try:
        size = os.stat(path).st_size
        if size > MAX_BYTES:
            raise SceneError([_too_large(size)])
        with open(path, "rb") as file:
            data = file.read(MAX_BYTES + 1)
    except OSError as error:
        text = f"the file cannot be read: {error.strerror or error}"
        raise SceneError([Problem("", source, text, "check the name and the permissions")], source) from None
    except SceneError as error:
        raise SceneError(error.problems, source) from None
    return _read(data, source, Path(path).parent)


def loads(text: str | bytes, source: str = "") -> Scene:
    """The scene that the text holds; raises SceneError. `source` names the file in messages."""
    if not isinstance(text, str | bytes):
        raise TypeError(
            f"loads takes the text of a scene, not {shorten(text, 80)}; load_scene(path) reads a file"
        )
    scene, problems = _read(text, source)
    if problems:
        raise SceneError(problems, source)
    return scene


def _read(text: str | bytes, source: str, folder: Path | None = None) -> tuple[Scene, list[Problem]]:
    try:
        if len(text) > MAX_BYTES:
            raise SceneError([_too_large(len(text))])
        raw = read_json(_decoded_text(text))
        problems = migrate(raw)
        if problems:
            raise SceneError(problems)
        return _checked(raw, folder)
    except SceneError as error:
        raise SceneError(error.problems, source) from None


def dumps(scene: Scene) -> str:
    """The scene as text: stable order, no defaults, short lists on one line."""
    return write_json(to_plain(refuse_other("dumps", scene))) + "\n"


def save_scene(scene: Scene, path: str | os.PathLike[str]) -> None:
    """Write the scene; an existing file is replaced in one go or not at all."""
    write_text(dumps(scene), path)


def write_text(text: str, path: str | os.PathLike[str]) -> None:
    """Write a text file; an existing one is replaced in one go or not at all."""
    target = Path(path).resolve()
    temporary = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        with open(temporary, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        if target.exists():
            shutil.copymode(target, temporary)
        os.replace(temporary, target)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


@dataclass
class Decoded:
    """What could be read of a scene: elements with faults are left out."""

    scene: Scene
    problems: list[Problem] = field(default_factory=list)
    positions: dict[str, list[int]] = field(default_factory=dict)  # places of the others in the file
    lost: dict[str, set[str]] = field(default_factory=dict)  # list → names of elements left out


def decode_scene(raw: dict[str, Any]) -> Decoded:
    """Decode a scene element by element."""
    problems: list[Problem] = []
    scene = decode(Scene, raw, "", [])
    if scene is not BROKEN:
        return Decoded(scene)
    result = Decoded(Scene())
    kept: dict[str, Any] = {}
    names = tuple(f.name for f in fields_of(Scene))
    for key, value in raw.items():
        known = field_of(Scene, key)
        if known is None:
            hint = did_you_mean(key, names) or f"; known fields: {', '.join(names)}"
            text = f"unknown field {shorten(key)!r}{hint}"
            problems.append(Problem(shorten(key), value, text, "remove it or correct its name"))
        elif key in LISTS and isinstance(value, list):
            kept[key] = _decode_list(key, known.type, value, result, problems)
        elif (item := decode(known.type, value, key, problems)) is not BROKEN:
            kept[key] = item
        else:
            result.lost[key] = {ANY}
    result.scene, result.problems = Scene(**kept), problems
    return result


def _decode_list(
    where: str, wanted: Any, items: list[Any], result: Decoded, problems: list[Problem]
) -> tuple[Any, ...]:
    item_type = get_args(get_args(wanted)[0])[0]
    kept = []
    result.positions[where], result.lost[where] = [], set()
    for i, raw in enumerate(items):
        item = decode(item_type, raw, label(where, i, raw), problems)
        if item is not BROKEN:
            kept.append(item)
            result.positions[where].append(i)
        else:
            name = raw.get("name") if isinstance(raw, dict) else None
            result.lost[where].add(name if isinstance(name, str) else ANY)
    return tuple(kept)


def _checked(raw: dict[str, Any], folder: Path | None = None) -> tuple[Scene, list[Problem]]:
    decoded = decode_scene(raw)
    if folder is not None:
        decoded.scene = with_hulls(decoded.scene, folder)
    problems = decoded.problems
    if not any(problem.path == "space" for problem in problems):
        problems = problems + validate(decoded.scene, positions=decoded.positions, lost=decoded.lost)
    if decoded.problems or _ambiguous(decoded.scene):
        raise SceneError(problems)
    return decoded.scene, problems


def _ambiguous(scene: Scene) -> bool:
    """Whether a name stands for two elements: nobody could say which one an edit means."""
    lists = [*(getattr(scene, where) for where in LISTS), *(body.points for body in scene.bodies)]
    return any(len({item.name for item in items}) < len(items) for items in lists)


def _decoded_text(text: str | bytes) -> str:
    if isinstance(text, str):
        return text.removeprefix("\ufeff")
    try:
        return text.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        message, remedy = f"byte {error.start} is not UTF-8 text", "save the file as UTF-8 JSON"
        if text.startswith(SAVED_RUNS):
            message = "this is a saved run, not a scene"
            remedy = "open it in the window: trammel open FILE; a scene is a JSON file"
        raise SceneError([Problem("", None, message, remedy)]) from None


def _too_large(size: int) -> Problem:
    text = f"the file has {size / 1e6:.0f} MB; scenes have at most {MAX_BYTES / 1e6:.0f} MB"
    return Problem(
        "", size, text, "check that this is a scene file; keep meshes and data in files of their own"
    )
