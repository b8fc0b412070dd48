"""`trammel drive SCRIPT`: run the real window from JSON lines."""

import argparse
import sys
from collections.abc import Iterator

from app.cli.base import Command
from app.cli.failure import FAILED
from app.cli.output import write_json_line
from app.platform.display import has_display
from app.platform.user_error import InputError

STDIN = "-"


def _configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("script", metavar="SCRIPT", help="file of JSON lines; - reads standard input")
    parser.add_argument("--offscreen", action="store_true", help="needs no display")


def _execute(options: argparse.Namespace) -> int:
    lines = _lines(options.script)
    if not (options.offscreen or has_display()):
        raise InputError("there is no display here", remedy="use --offscreen, or a virtual screen")
    from app.cli.driving.driver import drive  # heavy: Qt, VTK and Numba

    return FAILED if drive(lines, write_json_line, offscreen=options.offscreen) else 0


def _lines(script: str) -> Iterator[str]:
    if script == STDIN:
        return iter(sys.stdin.readline, "")  # line by line, not in blocks: someone may be waiting for answers
    with open(script, encoding="utf-8") as stream:
        return iter(stream.readlines())


COMMAND = Command(
    name="drive",
    summary="run the real window from a script of JSON lines, one JSON answer per line",
    configure=_configure,
    execute=_execute,
    for_developers=True,
)
