"""Which source files compiled code depends on, and their hash: the name under which it is cached.

Numba notices an edit in a kernel's own file only, not in kernels it calls from other files. The cache of a
kernel therefore lies in a folder named after all that it depends on: an edit begins a new one for the kernels
that can have changed by it, and checkouts with equal sources share theirs.
"""

import hashlib
import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path

import numba

PACKAGE = __name__.removesuffix(".compiled.sources")  # `engine`, or `trammel.engine` where it is installed
FOLDER = Path(__file__).parents[1]

# a line's beginning is looked for by the end of the one before: `^` is twenty times slower
_DECORATED = re.compile(r"\n@(?:\w*kernel|inlined\w*)\b")
_IMPORTED = re.compile(rf"\nfrom {re.escape(PACKAGE)}\.([\w.]+) import")


class Sources:
    """The files of one package as they were when they were first asked for.

    A start asks for the hash of some twenty files that have most of what is behind them in common, so every
    file is read, searched and hashed once.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._texts: dict[str, str] = {}
        self._digests: dict[str, bytes] = {}
        self._imports: dict[str, tuple[str, ...]] = {}
        self._modules: dict[str, tuple[str, ...]] = {}

    def hash_behind(self, *paths: Path) -> str:
        """Short hash of these files and, to any depth, of those they import from: constants are compiled in.

        The version of Numba is in it, and whether kernels check their indices (`NUMBA_BOUNDSCHECK=1`), which
        its own cache does not ask.
        """
        digest = hashlib.sha256(f"{numba.__version__} {numba.config.BOUNDSCHECK}".encode())
        for path in sorted(self._behind(map(str, paths))):
            digest.update(self._digest(path))
        return digest.hexdigest()[:16]

    def name_of(self, path: Path) -> str:
        inside = path.relative_to(self.folder) if path.is_relative_to(self.folder) else Path(path.name)
        return ".".join(inside.with_suffix("").parts)

    def with_kernels(self) -> list[Path]:
        return [path for path in self.folder.rglob("*.py") if _DECORATED.search(self._text(str(path)))]

    def _behind(self, paths: Iterable[str]) -> set[str]:
        todo, found = list(paths), set()
        while todo:
            path = todo.pop()
            if path not in found:
                found.add(path)
                todo += self._imported(path)
        return found

    def _imported(self, path: str) -> tuple[str, ...]:
        if path not in self._imports:
            modules = _IMPORTED.findall(self._text(path))
            self._imports[path] = tuple(file for module in modules for file in self._files(module))
        return self._imports[path]

    def _files(self, module: str) -> tuple[str, ...]:
        if module not in self._modules:
            base = self.folder.joinpath(*module.split("."))
            # a package stands for all its modules: which of them is imported is not looked at
            files = base.glob("*.py") if base.is_dir() else [base.with_suffix(".py")]
            self._modules[module] = tuple(map(str, files))
        return self._modules[module]

    def _digest(self, path: str) -> bytes:
        """Of the name of a file and what is in it."""
        if path not in self._digests:
            named = f"{self.name_of(Path(path))}{self._text(path)}"
            self._digests[path] = hashlib.sha256(named.encode()).digest()
        return self._digests[path]

    def _text(self, path: str) -> str:
        if path not in self._texts:
            self._texts[path] = "\n" + Path(path).read_text(encoding="utf-8")
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
