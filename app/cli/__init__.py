"""The command line: one file per command, one line per command in the table below."""

import argparse
import sys
from collections.abc import Sequence

import app
from app.cli.base import Command
from app.cli.commands import (
    analyze,
    bench,
    check,
    compare,
    drive,
    errors,
    export,
    guibench,
    new,
    open,
    optimise,
    page,
    render,
    report,
    run,
    sweep,
)
from app.cli.commands import import_ as importing
from app.cli.commands import list_ as listing
from app.cli.failure import exit_code_for
from app.cli.interrupt import interrupts_arrive

COMMANDS: tuple[Command, ...] = (
    analyze.COMMAND,  # keep sorted
    bench.COMMAND,
    check.COMMAND,
    compare.COMMAND,
    drive.COMMAND,
    errors.COMMAND,
    export.COMMAND,
    guibench.COMMAND,
    importing.COMMAND,
    listing.COMMAND,
    new.COMMAND,
    open.COMMAND,
    optimise.COMMAND,
    page.COMMAND,
    render.COMMAND,
    report.COMMAND,
    run.COMMAND,
    sweep.COMMAND,
)

_DEFAULT = open.COMMAND.name
_GLOBAL_OPTIONS = ("-h", "--help", "--version")


def build_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="trammel",
        description="Simulate mechanisms. Without a command: open the program on SCENE.",
        usage="trammel [SCENE] | trammel COMMAND …",
        epilog="SCENE is a file or the name of a shipped scene. `trammel COMMAND --help` says more.",
    )
    parser.add_argument("--version", action="version", version=f"trammel {app.__version__}")
    commands = parser.add_subparsers(title="commands", prog="trammel", metavar="COMMAND", required=True)
    for command in COMMANDS:
        if command.for_developers:  # a parser without a help text does not stand in the list
            subparser = commands.add_parser(command.name, description=command.summary)
        else:
            subparser = commands.add_parser(command.name, description=command.summary, help=command.summary)
        command.configure(subparser)
        subparser.add_argument("--json", action="store_true", help="print one JSON object instead of text")
        subparser.set_defaults(execute=command.execute, refuse=subparser.error)
    return parser


def run_command_line(arguments: Sequence[str]) -> int:
    """Run one command; the exit code is 0 only on success, 2 on bad input."""
    options, unknown = build_parser().parse_known_args(_with_command(arguments))
    if unknown:
        options.refuse(f"unrecognized arguments: {' '.join(unknown)}")  # with the usage of the command
    try:
        with interrupts_arrive():
            code: int = options.execute(options)
        sys.stdout.flush()
    except Exception as error:
        return exit_code_for(error, as_json=options.json, scene=getattr(options, "scene", None))
    except KeyboardInterrupt as stop:
        return exit_code_for(stop, as_json=options.json)
    return code


def _with_command(arguments: Sequence[str]) -> list[str]:
    """`trammel four_bar` and `trammel` alone mean `trammel open …`."""
    known = {command.name for command in COMMANDS}
    if arguments and (arguments[0] in known or arguments[0] in _GLOBAL_OPTIONS):
        return list(arguments)
    return [_DEFAULT, *arguments]
