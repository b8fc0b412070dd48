"""`--set PATH=VALUE` and `--option NAME=VALUE,…`: changes of the scene and of methods on the command line."""

import argparse
import json
from collections.abc import Sequence
from typing import Any

from app.platform.user_error import InputError


def add_set(parser: argparse.ArgumentParser, words: str, metavar: str = "PATH=VALUE") -> None:
    """Take `--set`, as `settings`; `words` say what it changes."""
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        dest="settings",
        metavar=metavar,
        help=f"{words}; may be repeated",
    )


def add_method_options(parser: argparse.ArgumentParser) -> None:
    """Take `--option`, as `method_options`, for `parse_options`."""
    parser.add_argument(
        "--option",
        action="append",
        default=[],
        dest="method_options",
        metavar="NAME=X,X,…",
        help="values of an option of the methods; those that know it run with each; may be repeated",
    )


def parse_options(texts: Sequence[str]) -> dict[str, list[float]]:
    """`--option NAME=VALUE,VALUE,…`: values of options of the methods."""
    found = {}
    for text in texts:
        name, equals, values = text.partition("=")
        try:
            numbers = [float(value) for value in values.split(",")]
        except ValueError:
            numbers = []
        if not (name.strip() and equals and numbers):
            raise InputError(
                f"--option {text!r} is not NAME=NUMBER,NUMBER,…",
                remedy="write for instance --option alpha=5,10",
            )
        found[name.strip()] = numbers
    return found


def parse_setting(text: str) -> tuple[str, Any]:
    """PATH and value."""
    path, equals, value = text.partition("=")
    if not (path and equals and value):
        raise InputError(
            f"--set {text!r} is not PATH=VALUE", remedy="write for instance --set bodies.crank.mass=2"
        )
    return path.strip(), parse_value(value)


def parse_value(text: str) -> Any:
    """JSON where it is, such as a number; else a word or an expression."""
    try:
        return json.loads(text)
    except ValueError:
        return text.strip()
