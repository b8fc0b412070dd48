"""Numba's disk cache of compiled code: keyed by its sources, made to outlive damage, and to open quickly."""

import contextlib
import os
import shutil
from collections.abc import Callable
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import platformdirs
from numba.core.caching import CompileResultCacheImpl, FunctionCache, UserProvidedCacheLocator

from engine.compiled.sources import hash_of_file, name_of_file

unkept: dict[Path, str] = {}  # folders that took no compiled code, and why: the next start compiles it again
KEPT_VERSIONS = 16  # of one file: those of earlier sources stay for quick switching between checkouts


def cache_root() -> Path:
    """Folder of all kernel caches; `TRAMMEL_CACHE_DIR` moves it."""
    return (
        Path(os.environ.get("TRAMMEL_CACHE_DIR") or platformdirs.user_cache_dir("trammel", appauthor=False))
        / "kernels"
    )


def newest_version(parent: Path, version: str) -> Path:
    """The folder of that version, after those that were not used for longest are gone."""
    folder = parent / version
    with contextlib.suppress(OSError):  # a read-only home: Numba compiles in memory, slower but right
        folder.mkdir(parents=True, exist_ok=True)
        os.utime(folder)
        for old in sorted(parent.iterdir(), key=lambda each: each.stat().st_mtime)[:-KEPT_VERSIONS]:
            shutil.rmtree(old, ignore_errors=True)
    return folder


@cache
def _folder_of(file: Path) -> Path:
    return newest_version(cache_root() / name_of_file(file), hash_of_file(file))


class BySources(UserProvidedCacheLocator):  # type: ignore[misc]  # Numba has no types
    """Where a kernel is cached: by what it depends on, and not by where its file lies."""

    def __init__(self, function: Callable[..., Any], file: str) -> None:
        self._py_file = file
        self._lineno = function.__code__.co_firstlineno
        self._cache_path = str(_folder_of(Path(file)))

    @classmethod
    def from_function(cls, function: Callable[..., Any], file: str) -> "BySources | None":
        return cls(function, file) if os.path.exists(file) else None  # a cell of a notebook is no file


class KernelCode(CompileResultCacheImpl):  # type: ignore[misc]
    _locator_classes = (BySources, *CompileResultCacheImpl._locator_classes)


class LazyCache:
    """The cache of one kernel, opened when the kernel is first asked for.

    Numba opens it when a function is decorated: folders are made and tried for hundreds of kernels, of
    which a run needs some twenty.
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function

    @cached_property
    def _opened(self) -> "LenientCache":
        return LenientCache(self._function)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._opened, name)


class LenientCache(FunctionCache):  # type: ignore[misc]  # Numba has no types
    """What cannot be read is compiled anew and replaces it; what cannot be written is kept in memory only."""

    _impl_class = KernelCode

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        # Numba would refresh the context first, which loads all that it can compile: machine code that is
        # ready needs none of it, and what is not ready has the context refreshed by the compiler
        try:
            with self._guard_against_spurious_io_errors():
                return self._load_overload(sig, target_context)
        except Exception:  # of pickle and LLVM, over the bytes that a full disk or a crash has left
            with contextlib.suppress(OSError):
                self.flush()
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        try:
            super().save_overload(sig, data)
        except OSError as error:
            unkept[cache_root()] = error.strerror or str(error)
