"""`trammel list WHAT`: what there is."""

import argparse
import json
from pathlib import Path
from typing import Any

from app.cli.command import Command
from app.cli.output import write_json, write_table
from app.errors import InputError
from app.resources import find_scene, scene_paths

Row = dict[str, Any]


def _scenes() -> list[Row]:
    # plain JSON, not load_scene: a list must not wait for Numba
    return [
        {
            "name": name,
            "category": facts.get("category", ""),
            "title": facts.get("title", ""),
            "description": facts.get("description", ""),
        }
        for name, facts in ((name, _read(path)) for name, path in scene_paths().items())
        if facts.get("format") == "trammel-scene"
    ]


def _read(path: Path) -> dict[str, Any]:
    try:
        facts = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise InputError(f"{path} cannot be read: {error}", cure="install Trammel again") from None
    return facts if isinstance(facts, dict) else {}


def _kinds(registry: str) -> list[Row]:
    import engine  # heavy: Numba

    return [
        {"name": kind.name, "title": kind.title, "description": kind.summary}
        for kind in getattr(engine, registry)
    ]


def _channels(scene: str | None) -> list[Row]:
    if scene is None:
        raise InputError("channels belong to a scene", cure="name one: trammel list channels four_bar")
    path = find_scene(scene)
    from engine import load_scene, simulate  # heavy: Numba

    trajectory = simulate(load_scene(path), duration=0.0)
    return [
        {
            "name": name,
            "unit": trajectory.unit(name),
            "description": "not unique: constraints are redundant" if name in trajectory.not_unique else "",
        }
        for name in trajectory.names()
    ]


def _actions() -> list[Row]:
    from app.actions import ACTIONS

    return [action.row() for action in ACTIONS]


def _analyses() -> list[Row]:
    from engine.analyses import ANALYSES  # heavy: Numba
    from engine.analyses.options import option_rows

    return [
        {
            "name": kind.name,
            "title": kind.title,
            "anywhere": kind.anywhere,
            "options": option_rows(kind),
            "description": kind.summary,
        }
        for kind in ANALYSES
    ]


_WHAT = ("analyses", "methods", "joints", "forces", "scenes", "channels", "actions")


def _configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("what", choices=_WHAT)
    parser.add_argument("scene", metavar="SCENE", nargs="?", help="for channels: the scene that has them")


def _execute(options: argparse.Namespace) -> int:
    if options.what == "channels":
        rows = _channels(options.scene)
    elif options.scene is not None:
        raise InputError(f"`list {options.what}` takes no scene", cure=f"leave {options.scene!r} out")
    elif options.what == "scenes":
        rows = _scenes()
    elif options.what == "analyses":
        rows = _analyses()
    elif options.what == "actions":
        rows = _actions()
    else:
        rows = _kinds(options.what.upper())
    if options.json:
        write_json({options.what: rows})
    elif rows:
        write_table(list(rows[0]), [[_cell(cell) for cell in row.values()] for row in rows])
    return 0


def _cell(cell: Any) -> str:
    if isinstance(cell, list):  # options of an analysis: their names
        return ", ".join(str(item["name"]) for item in cell) or "none"
    return {True: "yes", False: "no"}.get(cell, str(cell)) if isinstance(cell, bool) else str(cell)


COMMAND = Command(
    name="list",
    summary="list methods, joints, forces, analyses, scenes, actions of the window, or a scene's channels",
    configure=_configure,
    execute=_execute,
)
