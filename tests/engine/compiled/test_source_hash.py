"""The cache of compiled code is begun anew when a source changes that it depends on, and only then."""

import shutil
from pathlib import Path

import pytest

from engine.compiled.sources import Sources

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
    "other_kernels.py": "\n@kernel\ndef g(): ...\n",
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
        ("other_kernels.py", False),
        ("report.py", False),
    ],
)
def test_an_edit_counts_where_kernels_depend_on_it(engine: Path, file: str, counts: bool) -> None:
    def hashed() -> str:
        return Sources(engine).hash_behind(engine / "kernels.py")

    before = hashed()
    assert hashed() == before
    path = engine / file
    path.write_text(path.read_text(encoding="utf-8") + "# edited\n", encoding="utf-8")
    assert (hashed() != before) is counts


def test_the_same_sources_elsewhere_have_the_same_hash(
    engine: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    copy = tmp_path_factory.mktemp("copy") / "checkout"
    shutil.copytree(engine, copy)
    assert Sources(copy).hash_behind(copy / "kernels.py") == Sources(engine).hash_behind(
        engine / "kernels.py"
    )


def test_all_files_with_kernels_are_found(engine: Path) -> None:
    assert sorted(path.name for path in Sources(engine).with_kernels()) == ["kernels.py", "other_kernels.py"]
