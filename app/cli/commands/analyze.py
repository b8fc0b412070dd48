"""`trammel analyze SCENE NAME`: questions about a scene that are no run."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from app.cli.arguments.changed_scene import changed_scene
from app.cli.arguments.set_argument import add_set, parse_setting
from app.cli.arguments.time_argument import instant
from app.cli.base import Command
from app.cli.failure import INTERRUPTED
from app.cli.interrupt import cancel_on_interrupt
from app.cli.output import write_error, write_json, write_line, write_table
from app.cli.progress import ProgressBar
from app.cli.simulated_run import check_file, check_other_file
from app.platform.resources import find_scene, scene_argument
from app.platform.user_error import InputError
from engine.results.files.formats import endings

if TYPE_CHECKING:
    from engine import Scene
    from engine.analyses.answers.result import Result

PICTURES = (".png", ".svg")
SYSTEMS = (".npz", ".mat", ".json")  # files of linear models


def _configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("scene", metavar="SCENE", help="scene file, or name of a shipped scene")
    parser.add_argument("analysis", metavar="NAME", help="see `trammel list analyses`")
    parser.add_argument(
        "--option",
        action="append",
        default=[],
        dest="options",
        metavar="NAME=VALUE",
        help="an option of the analysis, in SI units; may be repeated (see `trammel list analyses --json`)",
    )
    add_set(parser, "change the scene first, for instance parameters.v0=5")
    parser.add_argument(
        "--at",
        type=instant,
        default=0.0,
        metavar="S",
        help="simulate up to this instant [s] and ask there; default: the start",
    )
    parser.add_argument(
        "-o",
        "--out",
        type=Path,
        metavar="FILE",
        help=f"save the motion that was found, a linear model (.npz .mat .json), or else the tables: "
        f"{' '.join(endings())}",
    )
    parser.add_argument(
        "--plot", type=Path, metavar="FILE", help=f"draw the charts of the answer: {' '.join(PICTURES)}"
    )


def _execute(options: argparse.Namespace) -> int:
    given = dict(_pair(text) for text in options.options)
    settings = [parse_setting(text) for text in options.settings]
    if options.out:
        check_file(options.out, (*endings(), ".json"))
    if options.plot:
        check_file(options.plot, PICTURES, "--plot")
    path = find_scene(options.scene)
    if options.out:
        check_other_file(options.out, path)
    from engine.progress import Cancelled  # heavy: Numba
    from engine.simulation.analyze import analyze

    scene = changed_scene(path, settings)
    with ProgressBar() as progress, cancel_on_interrupt() as cancel:
        try:
            result = analyze(scene, options.analysis, given, at=options.at, progress=progress, cancel=cancel)
        except Cancelled:
            write_error("stopped; there is no answer")
            return INTERRUPTED
    if options.out:
        _save(result, options.out)
    if options.plot:
        _draw(result, options.plot)
    if options.json:
        facts = {"scene": scene_argument(path), "analysis": options.analysis, "at": options.at}
        write_json({**facts, **result.to_dict()})
    else:
        _tell(result, scene, options.out)
    return 0


def _pair(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not (name and equals):
        raise InputError(f"--option {text!r} is not NAME=VALUE", remedy="write for instance --option poses=5")
    return name.strip(), value.strip()


def _save(result: "Result", file: Path) -> None:
    from engine.results.files.whole_file import write_whole
    from engine.simulation.analysis_motions import trajectory_of

    if result.motions:
        trajectory_of(result.motions[0]).save(file)
    elif result.system is not None and file.suffix.lower() in SYSTEMS:
        result.system.save(file)
    elif file.suffix.lower() == ".csv":
        write_whole(file, result.csv())
    elif file.suffix.lower() == ".json":
        import json

        write_whole(file, json.dumps(result.to_dict(), indent=2, ensure_ascii=False))
    else:
        raise InputError(f"--out {file}: the answer has no motion", remedy="save its tables as .csv or .json")


def _draw(result: "Result", file: Path) -> None:
    if not result.charts and not result.matrices:
        raise InputError(f"--plot {file}: the answer has no chart", remedy="leave --plot out")
    from app.platform.application import application  # heavy: Qt
    from app.widgets.charts.chart_picture import save_charts
    from app.widgets.matrix.painting import save_matrix

    application(offscreen=True)
    if result.charts:
        save_charts(result.charts, file)
    else:
        save_matrix(result.matrices[0], file)


def _tell(result: "Result", scene: "Scene", file: Path | None) -> None:
    from engine.analyses.answers.noise import noise_floors, without_noise
    from engine.analyses.answers.result import plain

    write_line(result.summary)
    floors = noise_floors(result, scene)
    for table in result.tables:
        write_line()
        write_line(table.title)
        if table.rows:
            rows: list[Any] = [
                [plain(without_noise(*pair, floors)) for pair in zip(row, table.columns, strict=True)]
                for row in table.rows
            ]
            write_table([column.heading for column in table.columns], rows)
        else:
            write_line(table.empty)
    for motion in result.motions:
        write_line()
        write_line(f"{motion.title}: {len(motion.t)} instants from {motion.t[0]:g} to {motion.t[-1]:g} s")
    if result.notes:
        write_line()
    for note in result.notes:
        write_line(f"remark: {note}")
    if file:
        write_line(f"saved {file}")


COMMAND = Command(
    name="analyze",
    summary="ask a question about a scene: degrees of freedom, assembly, and more (see `list analyses`)",
    configure=_configure,
    execute=_execute,
)
