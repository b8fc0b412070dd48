"""`trammel import FILE --out SCENE`: robots as scenes, measured series into a scene."""

import argparse
from pathlib import Path

from app.cli.base import Command
from app.cli.output import write_json, write_line
from app.cli.simulated_run import check_file
from app.platform.resources import find_scene
from app.platform.user_error import InputError

SERIES = (".csv", ".txt", ".dat", ".tsv")
ROBOTS = (".urdf", ".xml")


def _configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "scene", metavar="FILE", help=f"a robot: {' '.join(ROBOTS)}; a table of numbers: {' '.join(SERIES)}"
    )
    parser.add_argument(
        "-o", "--out", type=Path, required=True, metavar="SCENE", help="the scene to write: .json"
    )
    robots = parser.add_argument_group("robots")
    robots.add_argument("--free-base", action="store_true", help="the root link moves; default: it is fixed")
    robots.add_argument(
        "--stops", type=float, metavar="K", help="limits act as stops of this stiffness [N·m/rad or N/m]"
    )
    series = parser.add_argument_group("tables of numbers")
    series.add_argument("--into", metavar="SCENE", help="the scene that gets the new element")
    series.add_argument(
        "--as",
        dest="target",
        metavar="WHAT",
        help="joint_motion:JOINT.angle, joint_motion:JOINT.displacement, body_motion:BODY.x, force:BODY.x,"
        " torque:BODY.z; for a motion /velocity behind it means that values are rates",
    )
    series.add_argument("--time", default="1", metavar="COLUMN", help="heading or number; default: the first")
    series.add_argument(
        "--value", default="2", metavar="COLUMN", help="heading or number; default: the second"
    )
    series.add_argument("--time-unit", metavar="U", help="default: as in the heading, else s")
    series.add_argument("--unit", metavar="U", help="of the values; default: as in the heading, else SI")
    series.add_argument("--every", type=int, metavar="N", help="every n-th row; default: at most 2000 rows")
    series.add_argument("--linear", action="store_true", help="straight lines between the samples, no spline")
    series.add_argument("--outside", choices=("hold", "periodic", "error"), default="hold")
    series.add_argument("--name", default="", help="of the new element")


def _execute(options: argparse.Namespace) -> int:
    check_file(options.out, (".json",))
    path = Path(options.scene)
    if path.suffix.lower() in SERIES:
        return _series(path, options)
    if path.suffix.lower() in ROBOTS:
        return _robot(path, options)
    known = " ".join((*ROBOTS, *SERIES))
    raise InputError(f"{path}: unknown ending {path.suffix!r}", remedy=f"use one of {known}")


def _robot(path: Path, options: argparse.Namespace) -> int:
    from app.exchange.imports.robot import with_near_meshes
    from engine import load_urdf, save_scene
    from engine.model.urdf import UrdfError

    if options.stops is not None and not options.stops > 0.0:
        raise InputError(f"--stops {options.stops}: a stiffness is positive", remedy="for instance 1000")
    try:
        imported = load_urdf(path, free_base=options.free_base, stop_stiffness=options.stops)
    except UrdfError as error:
        raise InputError(str(error), remedy="mend the file and import it again") from None
    save_scene(with_near_meshes(imported.scene, options.out.parent), options.out)
    if options.json:
        notes = [{"line": line, "text": text} for line, text in imported.notes]
        write_json({"file": str(options.out), "not_taken_over": notes})
        return 0
    if imported.notes:
        write_line("not taken over, or taken over otherwise:")
    for line in imported.lines():
        write_line(f"  {line}")
    write_line(f"saved {options.out}")
    return 0


def _series(path: Path, options: argparse.Namespace) -> int:
    from app.exchange.imports.series import TARGETS, SeriesPlan, column_unit, import_series, thinning
    from engine import load_scene, read_table, save_scene

    remedy = "for instance --into scene.json --as joint_motion:J1.angle"
    if not options.into or not options.target:
        raise InputError("a table of numbers needs --into SCENE and --as WHAT", remedy=remedy)
    scene = load_scene(find_scene(options.into))
    words, _, level = options.target.partition("/")
    target, _, rest = words.partition(":")
    owner, _, coordinate = rest.rpartition(".")
    if target not in TARGETS or not owner:
        raise InputError(f"--as {options.target}: unknown (known: {', '.join(TARGETS)})", remedy=remedy)
    if level not in ("", *TARGETS[target].levels):
        known = ", ".join(TARGETS[target].levels) or "none"
        raise InputError(f"--as {options.target}: unknown level {level!r} (known: {known})", remedy=remedy)
    try:
        table = read_table(path)
        time, value = table.index(options.time), table.index(options.value)
        si = TARGETS[target].unit(coordinate, level)
        plan = SeriesPlan(
            table,
            table.headings[time],
            table.headings[value],
            options.time_unit or column_unit(table, time, "s"),
            options.unit or column_unit(table, value, si),
            options.every or thinning(len(table.values)),
            interpolation="linear" if options.linear else "cubic",
            outside=options.outside,
        )
        edit = import_series(scene, plan, target, owner, coordinate, level, options.name)
    except ValueError as error:
        raise InputError(f"{path}: {error}", remedy="see `trammel import --help`") from None
    save_scene(edit.after, options.out)
    if options.json:
        write_json({"file": str(options.out), "rows": len(table.values), "message": edit.text})
    else:
        write_line(f"{edit.text}: saved {options.out}")
    return 0


COMMAND = Command(
    name="import",
    summary="make a scene of a robot (URDF), or take a measured series into a scene",
    configure=_configure,
    execute=_execute,
)
