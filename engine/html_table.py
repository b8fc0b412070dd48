"""Tables as notebooks show them."""

import html
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from engine.errors import shorten


def html_table(title: str, names: Sequence[str], rows: Iterable[Sequence[Any]], more: str = "") -> str:
    """A heading, a table with a line of names, and what to know beyond it."""
    head = "".join(f"<th>{html.escape(name)}</th>" for name in names)
    lines = ("".join(f"<td>{html.escape(_shown(cell))}</td>" for cell in row) for row in rows)
    body = "".join(f"<tr>{line}</tr>" for line in lines)
    table = f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
    return (
        f"<div><p><b>{html.escape(title)}</b></p>{table}{f'<p>{html.escape(more)}</p>' if more else ''}</div>"
    )


def html_facts(title: str, facts: Mapping[str, Any], more: str = "") -> str:
    """Names and values, one pair per line."""
    return html_table(title, ("", ""), facts.items(), more)


def _shown(cell: Any) -> str:
    if cell is None:
        return "–"
    return f"{cell:.6g}" if isinstance(cell, float) else shorten(cell)
