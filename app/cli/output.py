"""Text, tables and JSON on standard output."""

import json
import math
import re
import shutil
import sys
import textwrap
from collections.abc import Iterable, Sequence
from typing import Any

_GAP = "  "
_UNLIMITED = 100_000
_NARROWEST = 20  # columns the last cell keeps on a small terminal


# control characters but for ends of lines and tabs, marks that turn the direction of text, half characters
_UNSEEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


def printable(text: str) -> str:
    """The text without what a terminal would obey: names and titles may come from strangers.

    It is written as JSON writes it, so that JSON stays the same JSON.
    """
    return _UNSEEN.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def write_line(text: str = "") -> None:
    sys.stdout.write(printable(text) + "\n")


def write_error(text: str) -> None:
    sys.stderr.write(printable(text) + "\n")


def write_json(value: Any) -> None:
    write_line(json.dumps(_finite(value), indent=2, ensure_ascii=False))


def write_json_line(value: Any) -> None:
    """One object on one line, at once: the reader may be waiting for it."""
    write_line(json.dumps(_finite(value), ensure_ascii=False))
    sys.stdout.flush()


def write_table(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Columns as wide as their widest cell; the last one is wrapped on a terminal, never in a pipe."""
    cells = [list(headings), *(list(row) for row in rows)]
    widths = [max(len(row[i]) for row in cells) for i in range(len(headings) - 1)]
    indent = sum(widths) + len(_GAP) * len(widths)
    width = shutil.get_terminal_size().columns if sys.stdout.isatty() else _UNLIMITED
    room = max(_NARROWEST, width - indent)
    for row in cells:
        head = "".join(cell.ljust(width) + _GAP for cell, width in zip(row, widths, strict=False))
        first, *more = textwrap.wrap(row[-1], room) or [""]
        write_line((head + first).rstrip())
        for line in more:
            write_line(" " * indent + line)


def write_facts(facts: dict[str, Any]) -> None:
    """Name and value, one per line."""
    width = max(map(len, facts), default=0)
    for name, value in facts.items():
        write_line(f"{name.ljust(width)}{_GAP}{format_value(value)}")


def format_value(value: Any) -> str:
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def format_cell(value: Any) -> str:
    """Of a table: a dash where there is nothing."""
    return "–" if value is None else format_value(value)


def _finite(value: Any) -> Any:
    """JSON has no NaN and no infinity: they become null. NumPy scalars become plain numbers."""
    if isinstance(value, dict):
        return {str(key): _finite(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(item) for item in value]
    if hasattr(value, "tolist"):
        return _finite(value.tolist())
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value
