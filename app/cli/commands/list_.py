"""`trammel list WHAT`: what there is."""

import argparse
import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from app.cli.base import Command
from app.cli.output import write_json, write_line, write_table
from app.platform.resources import find_scene, scene_paths
from app.platform.user_error import InputError

if TYPE_CHECKING:
    from engine import Trajectory

Row = dict[str, Any]
SORTS = ("formulation", "scheme", "stabilisation")
PLAIN = ("name", "short_name", "order", "implicit", "adaptive", "title")  # of a method, in a table


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
        raise InputError(f"{path} cannot be read: {error}", remedy="install Trammel again") from None
    return facts if isinstance(facts, dict) else {}


def _kinds(registry: str) -> list[Row]:
    import engine  # heavy: Numba

    return [
        {"name": kind.name, "title": kind.title, "description": kind.summary}
        for kind in getattr(engine, registry)
    ]


def _channels(scene: str | None) -> list[Row]:
    if scene is None:
        raise InputError("channels belong to a scene", remedy="name one: trammel list channels four_bar")
    path = find_scene(scene)
    from engine import load_scene, simulate  # heavy: Numba

    trajectory = simulate(load_scene(path), duration=0.0)
    return [
        {
            "name": name,
            "unit": trajectory.unit(name),
            "description": _meaning(trajectory, name),
        }
        for name in trajectory.names()
    ]


def _meaning(trajectory: "Trajectory", name: str) -> str:
    text = trajectory.meaning(name)
    return f"{text}; not unique: constraints are redundant" if name in trajectory.not_unique else text


def _actions() -> list[Row]:
    from app.window.actions import ACTIONS

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


def _methods() -> list[Row]:
    """Every method with the names that `--method` takes."""
    from app.panels.transport.method_choice import kinds_of  # heavy: Numba
    from engine import METHODS

    return [
        {
            "name": method.name,
            "short_name": method.short_name,
            "title": method.title,
            "order": method.order,
            "implicit": method.implicit,
            "adaptive": method.adaptive,
            "pieces": dict(zip(SORTS, method.pieces, strict=True)) if method.pieces else {},
            "options": [
                {"name": o.name, "default": o.default, "unit": o.unit, "title": o.title}
                for o in method.options
            ],
            "description": " ".join(kind.summary for kind in kinds_of(method)),
        }
        for method in METHODS
    ]


def _write_pieces() -> None:
    """What methods are made of, and what goes with what."""
    from app.panels.transport.method_choice import DIRECT_METHODS, partners  # heavy: Numba
    from engine import METHODS

    composed = len(METHODS) - len(DIRECT_METHODS)
    write_line(
        "A method is written formulation/scheme/stabilisation, for instance null_space/rk4/projection;"
    )
    write_line("a scheme alone means lagrange/SCHEME/projection. Direct methods have one name.")
    for sort in SORTS:
        write_line(f"\n{sort.upper()}S")
        write_table(
            ["name", "description", "goes with"],
            [[kind.name, kind.summary, limits] for kind, limits in partners(sort)],
        )
    write_line("\nDIRECT METHODS")
    write_table(["name", "description"], [[method.name, method.summary] for method in DIRECT_METHODS])
    write_line(
        f"\n{composed} combinations, {len(DIRECT_METHODS)} direct; `trammel list methods --all` prints all."
    )


def _templates() -> list[Row]:
    from engine import TEMPLATES

    return [
        {
            "name": template.name,
            "title": template.title,
            "options": [
                {
                    "name": p.name,
                    "title": p.title,
                    "unit": p.unit,
                    "default": p.default,
                    "min": p.low,
                    "max": p.high,
                    "choices": list(p.choices),
                    "help": p.help,
                }
                for p in template.parameters
            ],
            "description": template.summary,
        }
        for template in TEMPLATES
    ]


# what can be listed, and its rows; channels are those of a scene
LISTED: dict[str, Callable[[], list[Row]]] = {
    "analyses": _analyses,
    "methods": _methods,
    "joints": partial(_kinds, "JOINTS"),
    "forces": partial(_kinds, "FORCES"),
    "scenes": _scenes,
    "templates": _templates,
    "actions": _actions,
}


def _configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("what", choices=(*LISTED, "channels"))
    parser.add_argument("--all", action="store_true", help="for methods: every combination, one per line")
    parser.add_argument("scene", metavar="SCENE", nargs="?", help="for channels: the scene that has them")


def _execute(options: argparse.Namespace) -> int:
    if options.all and options.what != "methods":
        raise InputError(f"`list {options.what}` always lists all", remedy="leave --all out")
    if options.what == "channels":
        rows = _channels(options.scene)
    elif options.scene is not None:
        raise InputError(f"`list {options.what}` takes no scene", remedy=f"leave {options.scene!r} out")
    elif options.what == "methods" and not options.json and not options.all:
        _write_pieces()
        return 0
    else:
        rows = LISTED[options.what]()
        if options.what == "methods" and not options.json:
            rows = [{key: row[key] for key in PLAIN} for row in rows]
    if options.json:
        write_json({options.what: rows})
    elif rows:
        write_table(list(rows[0]), [[_cell(cell) for cell in row.values()] for row in rows])
    return 0


def _cell(cell: Any) -> str:
    if isinstance(cell, list):  # options of an analysis or a template: their names
        return ", ".join(str(item["name"]) for item in cell) or "none"
    return {True: "yes", False: "no"}.get(cell, str(cell)) if isinstance(cell, bool) else str(cell)


COMMAND = Command(
    name="list",
    summary="list methods, joints, forces, analyses, scenes, templates, actions, or a scene's channels",
    configure=_configure,
    execute=_execute,
)
