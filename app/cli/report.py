"""`trammel report SCENE_OR_RUN --out FILE.html`: one page about a run."""

import argparse
from pathlib import Path

from app.cli.command import Command
from app.cli.output import write_json, write_line
from app.cli.render import RUNS, saved_run
from app.cli.seconds import positive_seconds
from app.cli.simulated import check_file, exit_code, simulated
from app.errors import InputError
from app.resources import find_scene


def _configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("scene", metavar="SCENE", help="scene, name of a shipped one, or saved run")
    parser.add_argument("--out", type=Path, required=True, metavar="FILE", help="the page: .html")
    parser.add_argument("--duration", type=positive_seconds, metavar="S", help="default: the scene's")
    parser.add_argument("--method", metavar="M", help="see `trammel list methods`; default: the scene's")
    parser.add_argument(
        "--plots", action="append", default=[], metavar="CHANNEL", help="one more plot; may be repeated"
    )


def _execute(options: argparse.Namespace) -> int:
    check_file(options.out, (".html", ".htm"))
    saved, message, code = Path(options.scene), "", 0
    if saved.suffix.lower() in RUNS:
        run = saved_run(saved)
    else:
        from app.export.opening import replay_of
        from engine import load_scene

        path = find_scene(options.scene)
        trajectory = simulated(load_scene(path), method=options.method, duration=options.duration)
        run, message, code = (
            replay_of(trajectory, 1, name=path.stem),
            trajectory.message,
            exit_code(trajectory),
        )
    for name in options.plots:
        if name not in run.names():
            raise InputError(f"--plots {name}: there is no such channel", cure="see `trammel list channels`")
    from app.export.report import save_report, verdict

    save_report(run, options.out, options.plots, message=message)
    good = all(passed for passed, _ in verdict(run))
    if options.json:
        write_json(
            {"file": str(options.out), "believed": good, "verdict": [text for _, text in verdict(run)]}
        )
    else:
        write_line(f"saved {options.out}")
    return code


COMMAND = Command(
    name="report",
    summary="write one page about a run: picture, method, plots, verdict, scene",
    configure=_configure,
    execute=_execute,
)
