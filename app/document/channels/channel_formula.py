"""Expressions of channels as people write them: names with blanks as they are listed. No Qt."""

from __future__ import annotations

import re
from collections.abc import Iterable

from engine.maths.expressions import quote_name


def quoted(text: str, channels: Iterable[str]) -> str:
    """With double quotes where names of channels need them: `measure.angle 1` → `measure."angle 1"`."""
    # a wrong last part shall be told as such, so the names of elements count too
    known = {".".join(parts[:n]) for parts in (name.split(".") for name in channels) for n in (2, len(parts))}
    special = sorted((name for name in known if quote_name(name) != name), key=len, reverse=True)
    if not special:
        return text
    names = re.compile(r'(?<![\w."])(' + "|".join(map(re.escape, special)) + r')(?![\w"])')
    return names.sub(lambda match: quote_name(match[0]), text)
