"""Names of others as names of elements."""

import re
from collections.abc import Collection

from engine.elements.base import WORLD

_FORBIDDEN = re.compile(r"[^\w\- ]+")


def clean_name(wanted: str, taken: Collection[str] = (), otherwise: str = "element") -> str:
    """As near to the wanted name as the rules for names allow, and not among those that are taken."""
    name = " ".join(_FORBIDDEN.sub(" ", wanted).split()) or otherwise
    if not (name[0].isalpha() or name[0] == "_"):
        name = f"_{name.lstrip('-')}"
    if name == WORLD:
        name = f"{WORLD}_"
    found, n = name, 2
    while found in taken:
        found, n = f"{name} {n}", n + 1
    return found
