"""The cache of compiled code is begun anew when a source changes that it depends on, and only then."""

from pathlib import Path

import pytest

from engine.compiled.kernel import source_hash

SOURCES = {
    "__init__.py": "",
    "kernels.py": "from engine.constants import SIZE\nfrom engine.rows import h\n\n@kernel\ndef f(): ...\n",
    "constants.py": "from engine.deep.numbers import NUMBER as SIZE\n",
    "deep/__init__.py": "",
    "deep/numbers.py": "NUMBER = 3\n",
    "rows/__init__.py": "from engine.rows.first import h\n",
    "rows/first.py": "h = 1\n",
    "rows/second.py": "width = 2\n",
    "deep/other.py": "OTHER = 4\n",
    "report.py": "from engine.kernels import f\n",
}


@pytest.fixture
def engine(tmp_path: Path) -> Path:
    for name, text in SOURCES.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize(
    ("file", "counts"),
    [
        ("kernels.py", True),
        ("constants.py", True),
        ("deep/numbers.py", True),  # through another file
        ("rows/first.py", True),
        ("rows/second.py", True),  # a package stands for all its modules
        ("deep/other.py", False),
        ("report.py", False),
    ],
)
def test_an_edit_counts_where_kernels_depend_on_it(engine: Path, file: str, counts: bool) -> None:
    before = source_hash(engine)
    assert source_hash(engine) == before
    path = engine / file
    path.write_text(path.read_text(encoding="utf-8") + "# edited\n", encoding="utf-8")
    assert (source_hash(engine) != before) is counts
