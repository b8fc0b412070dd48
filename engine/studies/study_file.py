"""Study files, `*.study.json`: the scene is another file, named relative to this one, or stands inside."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from engine.arguments import of_kind
from engine.errors import Problem, SceneError, shorten
from engine.model.decode import BROKEN, decode
from engine.model.files.json_text import read_json, to_plain, write_json
from engine.model.files.scene_file import load_scene, loads, write_text
from engine.model.scene import Scene
from engine.studies.study import FORMAT, Study

ENDING = ".study.json"

FindScene = Callable[[str], Path]  # the file of a scene that is known by a name


def load_study(path: str | os.PathLike[str], find_scene: FindScene | None = None) -> Study:
    """The study in a file; raises SceneError with everything that is wrong with it.

    `find_scene` is asked for scenes that do not lie where the file says, such as the shipped ones.
    """
    return read_study(path, find_scene)[0]


def read_study(path: str | os.PathLike[str], find_scene: FindScene | None = None) -> tuple[Study, Path]:
    """The same, and the folder of its scene, from which mesh files are named."""
    source = os.fspath(path)
    try:
        raw = read_json(Path(path).read_text(encoding="utf-8-sig"))
        study, folder = _decoded(raw, Path(path).parent, find_scene)
        return study.refuse_problems(), folder
    except OSError as error:
        text = f"the file cannot be read: {error.strerror or error}"
        raise SceneError([Problem("", source, text, "check the name and the permissions")], source) from None
    except UnicodeDecodeError as error:
        text = f"byte {error.start} is not UTF-8 text"
        raise SceneError([Problem("", None, text, "save the file as UTF-8 JSON")], source) from None
    except SceneError as error:
        raise SceneError(error.problems, error.source or source) from None


def save_study(study: Study, path: str | os.PathLike[str]) -> None:
    """Write the study with its scene inside; an existing file is replaced in one go or not at all."""
    of_kind("save_study", study, Study, "load_study(path) reads one from a file")
    plain = to_plain(study)
    head = {"format": study.format, "version": study.version}
    write_text(write_json({**head, **plain}) + "\n", path)


def _decoded(raw: dict[str, Any], folder: Path, find_scene: FindScene | None) -> tuple[Study, Path]:
    if raw.get("format") != FORMAT:
        text = f"the format is {shorten(raw.get('format'))!r}, a study has {FORMAT!r}"
        raise SceneError(
            [Problem("format", raw.get("format"), text, f'begin with {{"format": "{FORMAT}", …}}')]
        )
    problems: list[Problem] = []
    given = raw.get("scene")
    study: Any = decode(Study, {**raw, "scene": {}}, "", problems)
    if study is BROKEN:
        raise SceneError(problems)
    scene, place = _scene(given, folder, find_scene)
    return replace(study, scene=scene), place


def _scene(given: Any, folder: Path, find_scene: FindScene | None) -> tuple[Scene, Path]:
    """The scene, and the folder that its mesh files are named from."""
    if isinstance(given, dict):
        return loads(write_json(given), "scene"), folder
    if not isinstance(given, str) or not given:
        remedy = 'write the path of a scene file, "scene": "four_bar.json", or the scene itself'
        raise SceneError([Problem("scene", given, "the study names no scene", remedy)])
    file = folder / given
    if not file.is_file() and find_scene is not None:
        file = find_scene(given)
    return load_scene(file), file.parent
