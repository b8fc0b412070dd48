"""`trammel export SCENE`: the scene as a Python script, or as a scene file in its standard form."""

import argparse
from pathlib import Path

from app.cli.base import Command
from app.cli.output import write_json, write_line
from app.cli.simulated_run import check_file
from app.platform.resources import find_scene, scene_argument

ENDINGS = (".py", ".json")


def _configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("scene", metavar="SCENE", help="scene file, or name of a shipped scene")
    parser.add_argument(
        "-o",
        "--out",
        type=Path,
        metavar="FILE",
        help=".py: a script that rebuilds the scene; .json: the scene anew. Without: prints the script",
    )


def _execute(options: argparse.Namespace) -> int:
    if options.out is not None:
        check_file(options.out, ENDINGS)
    path = find_scene(options.scene)
    from engine import load_scene, save_scene, to_python
    from engine.model.files.script import save_python

    scene = load_scene(path)
    if options.out is not None:
        write = save_python if options.out.suffix.lower() == ".py" else save_scene
        write(scene, options.out)
    if options.json:
        found = {"script": to_python(scene)} if options.out is None else {"file": str(options.out)}
        write_json({"scene": scene_argument(path), **found})
    else:
        write_line(to_python(scene).rstrip() if options.out is None else f"saved {options.out}")
    return 0


COMMAND = Command(
    name="export",
    summary="write a scene as a Python script that rebuilds it",
    configure=_configure,
    execute=_execute,
)
