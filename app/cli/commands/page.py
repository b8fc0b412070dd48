"""`trammel page SCENE_OR_RUN --out FILE.html`: the motion as a web page to play and to turn."""

import argparse
import os
from pathlib import Path
from typing import TYPE_CHECKING

from app.cli.arguments.mesh_files import check_meshes
from app.cli.arguments.time_argument import instant, positive_seconds
from app.cli.base import Command
from app.cli.commands.render import RUNS, add_folder, saved_run
from app.cli.failure import INTERRUPTED
from app.cli.interrupt import cancel_on_interrupt
from app.cli.output import write_error, write_json, write_line
from app.cli.progress import ProgressBar
from app.cli.simulated_run import check_file, exit_code, simulated
from app.platform.resources import find_scene
from app.platform.user_error import InputError

if TYPE_CHECKING:
    from app.session.recorded.run import Run

ENDINGS = (".html", ".htm")


def _configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "scene", metavar="SCENE", help=f"scene, name of a shipped one, or saved run: {' '.join(RUNS)}"
    )
    parser.add_argument(
        "-o",
        "--out",
        type=Path,
        required=True,
        metavar="FILE",
        help="the page, one file: .html",
    )
    parser.add_argument("--method", metavar="M", help="see `trammel list methods`; default: the scene's")
    parser.add_argument("--dt", type=positive_seconds, metavar="S", help="step [s]; default: the scene's")
    parser.add_argument("--from", type=instant, dest="begin", metavar="S", help="begin here [s]")
    parser.add_argument("--to", type=positive_seconds, dest="end", metavar="S", help="end here [s]")
    parser.add_argument(
        "--plots",
        action="append",
        default=[],
        metavar="CHANNELS",
        help="channels beside the mechanism, with commas between them; may be repeated; default: energies",
    )
    parser.add_argument("--dark", action="store_true", help="the dark look")
    add_folder(parser)
    parser.add_argument(
        "--background", action="store_true", help="let other programs go first; tell progress as JSON lines"
    )


def _execute(options: argparse.Namespace) -> int:
    check_file(options.out, ENDINGS)
    if None not in (options.begin, options.end) and options.begin >= options.end:
        raise InputError("--from does not lie before --to", remedy="give the earlier instant first")
    if options.background and hasattr(os, "nice"):
        os.nice(10)
    saved = Path(options.scene)
    if saved.suffix.lower() in RUNS:
        return _write(saved_run(saved), saved.parent, "", options)

    from app.exchange.runs.opening import replay_of
    from engine import load_scene

    path = find_scene(options.scene)
    scene = load_scene(path)
    check_meshes(scene, path, options.folder)
    trajectory = simulated(scene, method=options.method, dt=options.dt, duration=options.end)
    code = exit_code(trajectory)
    if code == INTERRUPTED:
        write_error(f"stopped; {options.out} gets what was recorded, Ctrl-C again to leave it")
    return _write(replay_of(trajectory, 1, name=path.stem), path.parent, trajectory.message, options) or code


def _write(run: "Run", folder: Path, message: str, options: argparse.Namespace) -> int:
    from app.exchange.interactive.page import PagePlan, save_page
    from app.viewport.canvas.style import Style
    from engine.progress import Cancelled

    channels = tuple(word.strip() for text in options.plots for word in text.split(",") if word.strip())
    for name in channels:
        if name not in run.names():
            raise InputError(
                f"--plots {name}: there is no such channel", remedy="see `trammel list channels`"
            )
    if options.begin is not None and options.begin >= run.t_last:
        raise InputError(
            f"--from {options.begin:g} does not lie before the end of the run, {run.t_last:g} s",
            remedy="begin earlier, or give a later --to",
        )
    plan = PagePlan(channels, options.begin, options.end, Style(dark=options.dark), message)
    with ProgressBar(lines=options.background) as bar, cancel_on_interrupt() as cancel:
        try:
            frames = save_page(
                run, plan, options.out, folder=options.folder or folder, progress=bar, cancel=cancel
            )
        except Cancelled:
            write_error(f"stopped; {options.out} was not saved")
            return INTERRUPTED
    if options.json:
        write_json({"file": str(options.out), "frames": frames, "message": message})
    elif not options.background:
        write_line(f"saved {options.out}")
    return 0


COMMAND = Command(
    name="page",
    summary="make a web page of a run, in one file: play it, turn it, read its curves in any browser",
    configure=_configure,
    execute=_execute,
)
