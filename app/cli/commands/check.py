"""`trammel check SCENE`: is the scene sound, and how does it move?"""

import argparse

from app.cli.base import Command
from app.cli.failure import BAD_INPUT
from app.cli.output import write_json, write_line
from app.platform.resources import find_scene, scene_argument


def _configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("scene", metavar="SCENE", help="scene file, or name of a shipped scene")


def _execute(options: argparse.Namespace) -> int:
    path = find_scene(options.scene)
    from engine import load_scene

    scene = load_scene(path)
    from engine import check_scene  # heavy: Numba; a broken file is refused without waiting for it

    report = check_scene(scene)
    from engine.model.meshes import mesh_problems

    meshes = mesh_problems(scene, path.parent)  # the motion does not need them, the picture does
    if options.json:
        facts = report.to_dict()
        facts["remarks"] += [f"{problem.path}: {problem.message}" for problem in meshes]
        problems = [{"path": one.path, "message": one.message, "cure": one.cure} for one in meshes]
        write_json({**facts, "scene": scene_argument(path), "problems": problems})
    else:
        write_line("\n".join([report.text(), *(f"problem: {problem}" for problem in meshes)]))
    return BAD_INPUT if meshes else 0


COMMAND = Command(
    name="check",
    summary="validate a scene; show degrees of freedom, redundant constraints and the initial violation",
    configure=_configure,
    execute=_execute,
)
