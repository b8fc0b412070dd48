"""Citations lead somewhere: every key is listed in docs/references.md, and every work listed is cited."""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from app.dialogs.help.citations import CITATION, with_links
from tests.paths import ROOT

PAGE = ROOT / "docs" / "references.md"
FOLDERS = ("app", "docs", "engine", "scenes", "tests")
KINDS = {".json", ".md", ".py"}
METHOD_PAGES = sorted(
    set((ROOT / "docs" / "methods").glob("*.md")) - {ROOT / "docs" / "methods" / "README.md"}
)
# names that nobody outside can resolve; and authors with a year that is no key
UNRESOLVABLE = re.compile(
    r"\bseeds?[ -]?0\d\d\b|\bthes[ie]s\b|\bthe digest\b|\bdigest's\b|\b(?:the|planar) course\b|\bcourse on\b",
    re.IGNORECASE,
)
LOOSE = re.compile(r"(?:\bet al\.|[A-Z][a-zé]+),? \(?(?:1[5-9]|20)\d\d\b(?! s\b)")


def files() -> Iterator[Path]:
    yield from ROOT.glob("*.md")
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in KINDS and path not in (PAGE, Path(__file__)):
                yield path


@cache
def texts() -> dict[str, str]:
    return {path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8") for path in files()}


def listed() -> list[str]:
    return re.findall(r"^- \*\*\[(.+?)\]\*\* ", PAGE.read_text(encoding="utf-8"), re.MULTILINE)


def cited(text: str) -> set[str]:
    return {found[1] for found in CITATION.finditer(text)}


def test_keys_are_listed_once_and_look_like_keys() -> None:
    keys = listed()
    assert len(keys) > 40
    assert len(set(keys)) == len(keys)
    assert all(CITATION.fullmatch(f"[{key}, §1]") for key in keys)


def test_every_citation_is_listed() -> None:
    known = set(listed())
    assert {name: lost for name, text in texts().items() if (lost := cited(text) - known)} == {}


def test_every_work_listed_is_cited() -> None:
    assert set(listed()) - set().union(*map(cited, texts().values())) == set()


@pytest.mark.parametrize("page", METHOD_PAGES, ids=[page.stem for page in METHOD_PAGES])
def test_every_method_page_names_its_source(page: Path) -> None:
    assert cited(page.read_text(encoding="utf-8")) & set(listed())


def test_no_name_for_a_source_that_only_its_reader_knows() -> None:
    assert {name: found[0] for name, text in texts().items() if (found := UNRESOLVABLE.search(text))} == {}


def test_the_engine_and_the_method_pages_have_no_author_and_year_without_a_key() -> None:
    loose = {}
    for name, text in texts().items():
        if name.startswith(("engine/", "docs/methods/")) and name.endswith((".py", ".md")):
            found = LOOSE.search(CITATION.sub("", text))
            if found:
                loose[name] = found[0]
    assert loose == {}


def test_citations_become_links_but_not_in_code() -> None:
    code = "```\nx = [Baumgarte 1972]\n```"
    text = f"a [Flores 2012, eq. 172] and\n{code}\n\\[Antón 2015,\n§3.5], [page](rk4.md)"
    assert with_links(text) == (
        f"a [Flores 2012, eq. 172](references.md#Flores%202012) and\n{code}\n"
        "[Antón 2015, §3.5](references.md#Ant%C3%B3n%202015), [page](rk4.md)"
    )
