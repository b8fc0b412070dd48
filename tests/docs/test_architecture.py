"""The page on architecture is true: every package is named in it, and nothing named is missing."""

import ast
import re
import subprocess
import sys

import pytest

from tests.paths import ROOT

PAGE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
PACKAGES = sorted(
    file.parent.relative_to(ROOT).as_posix()
    for container in ("app", "engine")
    for file in (ROOT / container).rglob("__init__.py")
)
HOPS = re.findall(r"^\|[^|]+\| `([^`|]+\.py)` \| `(\w+)` \|$", PAGE, flags=re.MULTILINE)


def test_every_package_is_named() -> None:
    named = set(re.findall(r"`((?:app|engine)(?:/\w+)*)`", PAGE))
    assert {package for package in PACKAGES if "/" in package} - named == set()
    assert {name for name in named if not (ROOT / name).is_dir()} == set()


@pytest.mark.parametrize(("file", "name"), HOPS)
def test_hops_are_where_the_page_says(file: str, name: str) -> None:
    tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
    defined = {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    assert name in defined


def test_both_walks_are_listed() -> None:
    assert len(HOPS) >= 16


@pytest.mark.parametrize("page", ["architecture.md", "engine.md"])
def test_files_that_pages_name_exist(page: str) -> None:
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    files = {name for name in re.findall(r"`([a-z_0-9/]+\.py)`", text) if "/" in name}
    folders = (ROOT, ROOT / "engine")
    assert {name for name in files if not any((folder / name).is_file() for folder in folders)} == set()


def test_the_picture_is_the_one_the_contracts_give() -> None:
    program = ROOT / "docs" / "pictures" / "architecture.py"
    code = f"import runpy; print(runpy.run_path({str(program)!r})['drawn'](), end='')"
    drawn = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert program.with_suffix(".svg").read_text(encoding="utf-8") == drawn, (
        "python docs/pictures/architecture.py"
    )


def test_packages_say_what_they_are() -> None:
    for package in PACKAGES:
        tree = ast.parse((ROOT / package / "__init__.py").read_text(encoding="utf-8"))
        doc = ast.get_docstring(tree) or ""
        assert len(doc.split()) > 2, package
