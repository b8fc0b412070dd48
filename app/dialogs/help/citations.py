"""Citations in the pages of the help: [Key] or [Key, place], with the keys of docs/references.md."""

import re
from urllib.parse import quote, unquote

PAGE = "references"
# first author and year; a bracket that Markdown was told to leave alone begins with a backslash
CITATION = re.compile(r"\\?\[((?:[^\W\d_]+ )+(?:\d{4}|Newmark))(,[^\]]+)?\](?!\()")


def with_links(text: str) -> str:
    """Markdown whose citations lead to their entry on the page of references."""
    parts = text.split("```")  # every second one is a block of code
    parts[::2] = [CITATION.sub(_link, part) for part in parts[::2]]
    return "```".join(parts)


def entry(fragment: str) -> str:
    """What the entry begins with to which a link of `with_links` leads."""
    return f"[{unquote(fragment)}]"


def _link(found: re.Match[str]) -> str:
    said = " ".join(found[0].strip("\\[]").split())
    return f"[{said}]({PAGE}.md#{quote(found[1])})"
