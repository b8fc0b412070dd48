"""`--set PATH=VALUE`: a change of the scene on the command line."""

import json
from typing import Any

from app.errors import InputError


def parse_setting(text: str) -> tuple[str, Any]:
    """PATH and value; what is not JSON (a number, a list, true) is an expression or a word."""
    path, equals, value = text.partition("=")
    if not (path and equals and value):
        raise InputError(
            f"--set {text!r} is not PATH=VALUE", cure="write for instance --set bodies.crank.mass=2"
        )
    try:
        return path.strip(), json.loads(value)
    except ValueError:
        return path.strip(), value.strip()
