"""`trammel [SCENE]`: the program; without a display, a headless run that leaves its results in files."""

import argparse
import sys
from pathlib import Path

from app.cli.base import Command
from app.cli.failure import FAILED
from app.cli.output import write_json, write_line
from app.platform.display import has_display
from app.platform.resources import find_scene

DEFAULT_SCENE = "four_bar"
RESULTS = Path("results")


def _configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "scene", metavar="SCENE", nargs="?", help=f"default: {DEFAULT_SCENE}, behind the welcome page"
    )


def _execute(options: argparse.Namespace) -> int:
    path = find_scene(options.scene or DEFAULT_SCENE)
    if has_display():
        _load_before_qt()
        from app.window.main_window import show_window  # heavy: Qt

        return show_window(path, welcome=options.scene is None)
    sys.stderr.write(f"no display here: running {path.stem} without a window\n")
    from app.cli.headless import leave_results  # heavy: Numba, Qt and VTK

    results = leave_results(path, RESULTS)
    if options.json:
        write_json(
            {"scene": str(path), "files": [str(file) for file in results.files], "failures": results.failures}
        )
    else:
        for file in results.files:
            write_line(f"saved {file}")
        for failure in results.failures:
            write_line(failure)
    return FAILED if results.failures else 0


def _load_before_qt() -> None:
    """Numba and VTK first: PySide looks into the source of every module that is loaded after it."""
    from app.viewport.scene import scene_view  # noqa: F401
    from engine.simulation.live import live_simulation  # noqa: F401


COMMAND = Command(
    name="open",
    summary="open the program on a scene (the default command)",
    configure=_configure,
    execute=_execute,
)
