"""`trammel new TEMPLATE`: a scene from a template."""

import argparse
from contextlib import suppress
from pathlib import Path

from app.cli.arguments.set_argument import add_set, parse_setting
from app.cli.base import Command
from app.cli.output import write_json, write_line
from app.cli.simulated_run import check_file
from app.platform.user_error import InputError
from engine.errors import shorten

ENDINGS = (".json", ".py")


def _configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("template", metavar="TEMPLATE", help="see `trammel list templates`")
    add_set(parser, "a parameter of the template, in SI units or as the word of a choice", "NAME=VALUE")
    parser.add_argument(
        "-o", "--out", type=Path, metavar="FILE", help="the scene: .json, or .py for a script"
    )


def _execute(options: argparse.Namespace) -> int:
    if options.out is not None:
        check_file(options.out, ENDINGS)
    from engine import TEMPLATES, save_scene
    from engine.model.files.script import save_python

    try:
        template = TEMPLATES[options.template]
        values = {}
        for name, value in map(parse_setting, options.settings):
            choices = template.parameter(name).choices
            values[name] = choices.index(value) if value in choices else _number(name, value)
    except KeyError as error:
        raise InputError(error.args[0], remedy="see `trammel list templates --json`") from None
    made = template.make(**values)
    if options.out is not None:
        write = save_python if options.out.suffix.lower() == ".py" else save_scene
        write(made.scene, options.out)
    facts = [{"title": fact.title, "value": fact.value, "unit": fact.unit} for fact in made.facts]
    if options.json:
        file = None if options.out is None else str(options.out)
        write_json({"template": template.name, "mobility": made.mobility, "facts": facts, "file": file})
        return 0
    write_line(f"{template.title}: {template.summary}")
    write_line(f"Degrees of freedom without motions: {made.mobility}")
    for fact in made.facts:
        write_line(str(fact))
    write_line("name a file with --out to keep it" if options.out is None else f"saved {options.out}")
    return 0


def _number(name: str, value: object) -> float:
    if not isinstance(value, bool) and isinstance(value, int | float):
        with suppress(OverflowError):
            return float(value)
    raise InputError(f"--set {name}={shorten(value)}: this is no number", remedy="write for instance 0.25")


COMMAND = Command(
    name="new",
    summary="make a scene from a template, such as a four-bar by its lengths",
    configure=_configure,
    execute=_execute,
)
