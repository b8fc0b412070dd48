"""`trammel guibench [SCENE]`: measure how fluent the window is."""

import argparse
import time

from app.cli.arguments.time_argument import positive_seconds
from app.cli.base import Command
from app.cli.output import write_facts, write_json
from app.platform.display import has_display
from app.platform.resources import find_scene, scene_argument
from app.platform.user_error import InputError

SCENE = "double_four_bar"


def _configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("scene", metavar="SCENE", nargs="?", default=SCENE, help="default: %(default)s")
    parser.add_argument(
        "--seconds",
        type=positive_seconds,
        default=20.0,
        metavar="S",
        help="time to play [s]; default: %(default)g",
    )
    parser.add_argument("--offscreen", action="store_true", help="needs no display")


def _execute(options: argparse.Namespace) -> int:
    begin = time.perf_counter()
    path = find_scene(options.scene)
    if not (options.offscreen or has_display()):
        raise InputError("there is no display here", remedy="use --offscreen, or a virtual screen")
    from app.cli.driving.window_bench import measure  # heavy: Qt, VTK and Numba

    figures = {
        "scene": scene_argument(path),
        **measure(path, options.seconds, begin=begin, offscreen=options.offscreen),
    }
    if options.json:
        write_json(figures)
    else:
        write_facts(
            {
                name: ", ".join(f"{part} {number:.4g}" for part, number in value.items())
                if isinstance(value, dict)
                else value
                for name, value in figures.items()
            }
        )
    return 0


COMMAND = Command(
    name="guibench",
    summary="measure frame times, delays and throughput of the window",
    configure=_configure,
    execute=_execute,
    for_developers=True,
)
