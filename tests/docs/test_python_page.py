"""The page on Python tells the truth: its blocks run one after the other and print what it says."""

import contextlib
import io
import re
from pathlib import Path
from typing import Any

import pytest

from tests.paths import ROOT

BLOCK = re.compile(r"```(python|text)\n(.*?)```", re.DOTALL)
PAGE = (ROOT / "docs" / "python.md").read_text(encoding="utf-8")


def examples() -> list[tuple[str, str]]:
    """Code with what it prints; "" where the page shows nothing."""
    blocks = BLOCK.findall(PAGE)
    following = [*blocks[1:], ("python", "")]
    return [
        (text, after if kind_after == "text" else "")
        for (kind, text), (kind_after, after) in zip(blocks, following, strict=True)
        if kind == "python"
    ]


def test_every_block_prints_what_the_page_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    for code, told in examples():
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(code, "docs/python.md", "exec"), names)
        assert printed.getvalue() == told, code
