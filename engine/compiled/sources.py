"""Which source files compiled code depends on, and their hash: the name under which it is cached.

Numba notices an edit in a kernel's own file only, not in kernels it calls from other files. The cache of a
kernel therefore lies in a folder named after all that it depends on: an edit begins a new one for the kernels
that can have changed by it, and checkouts with equal sources share theirs.
"""

import hashlib
import re
from functools import cache
from pathlib import Path

import numba

PACKAGE = __name__.removesuffix(".compiled.sources")  # `engine`, or `trammel.engine` where it is installed
FOLDER = Path(__file__).parents[1]

# a line's beginning is looked for by the end of the one before: `^` is twenty times slower
_DECORATED = re.compile(r"\n@(?:\w*kernel|inlined\w*)\b")
_IMPORTED = re.compile(rf"\nfrom {re.escape(PACKAGE)}\.([\w.]+) import")


class Sources:
    """The files of one package as they were when they were first asked for."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._texts: dict[Path, str] = {}

    def hash_behind(self, *paths: Path) -> str:
        """Short hash of these files and, to any depth, of those they import from: constants are compiled in.

        The version of Numba is in it, and whether kernels check their indices (`NUMBA_BOUNDSCHECK=1`), which
        its own cache does not ask.
        """
        digest = hashlib.sha256(f"{numba.__version__} {numba.config.BOUNDSCHECK}".encode())
        for path in sorted(self._behind(paths)):
            digest.update(self.name_of(path).encode())
            digest.update(self._text(path).encode())
        return digest.hexdigest()[:16]

    def name_of(self, path: Path) -> str:
        inside = path.relative_to(self.folder) if path.is_relative_to(self.folder) else Path(path.name)
        return ".".join(inside.with_suffix("").parts)

    def with_kernels(self) -> list[Path]:
        return [path for path in self.folder.rglob("*.py") if _DECORATED.search(self._text(path))]

    def _behind(self, paths: tuple[Path, ...]) -> set[Path]:
        todo, found = list(paths), set()
        while todo:
            path = todo.pop()
            if path not in found:
                found.add(path)
                for module in _IMPORTED.findall(self._text(path)):
                    todo += self._files(module)
        return found

    def _files(self, module: str) -> list[Path]:
        base = self.folder.joinpath(*module.split("."))
        # a package stands for all its modules: which of them is imported is not looked at
        return list(base.glob("*.py")) if base.is_dir() else [base.with_suffix(".py")]

    def _text(self, path: Path) -> str:
        if path not in self._texts:
            self._texts[path] = "\n" + path.read_text(encoding="utf-8")
        return self._texts[path]


_SOURCES = Sources(FOLDER)


@cache
def hash_of_file(path: Path) -> str:
    """Names the cache of the kernels in that file."""
    return _SOURCES.hash_behind(path)


def name_of_file(path: Path) -> str:
    return _SOURCES.name_of(path)


@cache
def hash_of_program() -> str:
    """Changes with every edit that can change what any kernel computes."""
    return _SOURCES.hash_behind(*_SOURCES.with_kernels())
