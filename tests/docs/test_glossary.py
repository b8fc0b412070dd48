"""The glossary is true: each term stands once, and what it says of the code is found there."""

import io
import re
import tokenize
from functools import cache

from tests.paths import ROOT

PAGE = ROOT / "docs" / "glossary.md"
PRIVATE = {
    "remark",
    "verdict",
    "freedom",
    "gauge",
    "scout",
    "stumble",
    "guilty",
    "blame",
    "unbalance",
    "walker",
}
PRIVATE |= {"walker", "station", "outlook"}


def rows() -> list[list[str]]:
    lines = [line for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith("| ")]
    cells = [[cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in lines]
    return [row for row in cells if row[0] != "term"]


@cache
def words() -> set[str]:
    found: set[str] = set()
    for folder in ("app", "engine"):
        for path in (ROOT / folder).rglob("*.py"):
            found.update(re.findall(r"\w+", path.read_text(encoding="utf-8")), [path.stem])
    return found


def test_every_row_has_all_columns_and_says_where() -> None:
    assert len(rows()) > 50
    for row in rows():
        assert len(row) == 5, row
        assert all((row[0], row[2], "`" in row[3])), row


def test_terms_stand_once() -> None:
    terms = [row[0] for row in rows()]
    assert len(set(terms)) == len(terms)


def test_names_in_code_exist() -> None:
    lost = []
    for row in rows():
        for name in re.findall(r"`([^`]+)`", f"{row[3]} {row[4]}"):
            known = (ROOT / name).exists() if "/" in name else set(re.findall(r"\w+", name)) <= words()
            if not known:
                lost.append((row[0], name))
    assert lost == []


def test_identifiers_speak_the_terms_of_the_field() -> None:
    """Words that were ours alone stay out of names; "degrees of freedom" has its "of"."""
    found = []
    for path in (path for room in ("app", "engine") for path in (ROOT / room).rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        if not any(word in text.lower() for word in PRIVATE):
            continue
        names = (t for t in tokenize.generate_tokens(io.StringIO(text).readline) if t.type == tokenize.NAME)
        for token in names:
            parts = re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", token.string)
            words = {part.lower().removesuffix("s") for part in parts}
            if words & PRIVATE and "of" not in words:
                found.append(f"{path.relative_to(ROOT)}:{token.start[0]}: {token.string}")
    assert found == []
