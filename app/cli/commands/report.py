"""`trammel report SCENE_OR_RUN --out FILE`: a page about a run, as .html or .pdf."""

import argparse
import os
from pathlib import Path
from typing import TYPE_CHECKING

from app.cli.arguments.mesh_files import check_meshes
from app.cli.arguments.time_argument import positive_seconds
from app.cli.base import Command
from app.cli.commands.render import RUNS, add_folder, saved_run
from app.cli.failure import INTERRUPTED
from app.cli.interrupt import cancel_on_interrupt
from app.cli.output import write_error, write_json, write_line
from app.cli.progress import ProgressBar
from app.cli.simulated_run import check_file, estimate_error, exit_code, simulated
from app.exchange.report.formats import REPORT_ENDINGS, REPORT_FORMATS
from app.platform.resources import find_scene
from app.platform.user_error import InputError

if TYPE_CHECKING:
    from app.session.recorded.run import Run


def _configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("scene", metavar="SCENE", help="scene, name of a shipped one, or saved run")
    pages = " or ".join(REPORT_FORMATS.names)
    parser.add_argument("-o", "--out", type=Path, required=True, metavar="FILE", help=f"the page: {pages}")
    parser.add_argument("--duration", type=positive_seconds, metavar="S", help="default: the scene's")
    parser.add_argument("--method", metavar="M", help="see `trammel list methods`; default: the scene's")
    parser.add_argument(
        "--plots", action="append", default=[], metavar="CHANNEL", help="one more plot; may be repeated"
    )
    parser.add_argument("--name", default="", help="of a saved run, below the title; default: its file")
    parser.add_argument(
        "--trust",
        action="store_true",
        help="estimate the error of the positions of a scene's run by a second run at half the step",
    )
    add_folder(parser)
    parser.add_argument(
        "--background", action="store_true", help="let other programs go first; tell progress as JSON lines"
    )


def _execute(options: argparse.Namespace) -> int:
    check_file(options.out, REPORT_ENDINGS)
    if options.background and hasattr(os, "nice"):
        os.nice(10)
    saved, message, code = Path(options.scene), "", 0
    if saved.suffix.lower() in RUNS:
        run, folder = saved_run(saved), saved.parent
        run.name = options.name or saved.name
    else:
        from app.exchange.runs.opening import replay_of
        from engine import load_scene

        path = find_scene(options.scene)
        scene = load_scene(path)
        check_meshes(scene, path, options.folder)
        trajectory = simulated(scene, method=options.method, duration=options.duration)
        estimated = estimate_error(trajectory) if options.trust else True
        run, folder = replay_of(trajectory, 1, name=path.stem), path.parent
        message, code = trajectory.message, exit_code(trajectory)
        if code == INTERRUPTED:
            write_error(f"stopped; reporting on what was recorded in {options.out}, Ctrl-C again to leave it")
        code = code or (0 if estimated else INTERRUPTED)
    for name in options.plots:
        if name not in run.names():
            raise InputError(
                f"--plots {name}: there is no such channel", remedy="see `trammel list channels`"
            )
    return _write(run, message, folder, options) or code


def _write(run: "Run", message: str, folder: Path, options: argparse.Namespace) -> int:
    from app.exchange.report.save import save_report
    from engine.progress import Cancelled

    with ProgressBar(lines=options.background) as bar, cancel_on_interrupt() as cancel:
        try:
            report = save_report(
                run,
                options.out,
                options.plots,
                message=message,
                folder=options.folder or folder,
                progress=bar,
                cancel=cancel,
            )
        except Cancelled:
            write_error(f"stopped; {options.out} was not saved")
            return INTERRUPTED
    if options.json:
        tests = [text for _, text in report.tests]
        write_json(
            {"file": str(options.out), "believed": report.believed, "trust": report.color, "verdict": tests}
        )
    elif not options.background:
        write_line(f"saved {options.out}")
    return 0


COMMAND = Command(
    name="report",
    summary="write one page about a run: picture, method, plots, accuracy, scene",
    configure=_configure,
    execute=_execute,
)
