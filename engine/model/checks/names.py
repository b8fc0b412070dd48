"""Names: well formed, not reserved, not given twice."""

import re
from collections.abc import Iterator
from typing import Any

from engine.elements.base import WORLD
from engine.errors import Problem, shorten
from engine.maths.expressions import RESERVED
from engine.model.checks.context import Context
from engine.model.decode import label
from engine.model.resolve import VARIABLES
from engine.model.scene import LISTS

NAME = re.compile(r"[^\W\d](?:[\w\- ]*[\w\-])?")
MAX_LENGTH = 80


def check(context: Context) -> Iterator[Problem]:
    for where in LISTS:
        yield from _list(context.items(where))
    for path, body in context.items("bodies"):
        yield from _list((label(f"{path}.points", i, point), point) for i, point in enumerate(body.points))
    for path, parameter in context.items("parameters"):
        yield from _parameter(f"{path}.name", parameter.name)


def _list(items: Iterator[tuple[str, Any]]) -> Iterator[Problem]:
    first: dict[str, str] = {}
    for path, item in items:
        name = item.name
        if name in first:
            text = f"the name {shorten(name)!r} is given twice; first at {first[name]}"
            yield Problem(f"{path}.name", name, text, "give each element of a list its own name")
        first.setdefault(name, path)
        if name == WORLD:
            yield Problem(f"{path}.name", name, "'world' is the name of the ground", "choose another name")
        elif not NAME.fullmatch(name) or len(name) > MAX_LENGTH:
            text = f"{shorten(name)!r} cannot be a name"
            remedy = f"a letter or _, then letters, digits, _, - and blanks; at most {MAX_LENGTH} characters"
            yield Problem(f"{path}.name", name, text, remedy)


def _parameter(path: str, name: str) -> Iterator[Problem]:
    if name in RESERVED or name in VARIABLES:
        text = f"{name!r} has a meaning of its own in expressions"
        yield Problem(path, name, text, f"choose another name, such as {name}_1")
    elif NAME.fullmatch(name) and not name.isidentifier():
        text = f"{shorten(name)!r} cannot be used in expressions"
        yield Problem(path, name, text, "use letters, digits and _ only")
