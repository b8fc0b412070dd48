"""The one place where Numba is set up: the disk cache and the decorators of compiled code.

Numba notices an edit in a kernel's own file only, not in kernels it calls from other files. The cache
therefore lives in a folder named after a hash of the sources: an edit of a kernel starts a fresh cache.
"""

import hashlib
import os
import re
import shutil
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
import platformdirs

from engine.compiled.kernel_cache import LazyCache

F = TypeVar("F", bound=Callable[..., Any])

# a line's beginning is looked for by the end of the one before: `^` is twenty times slower
_DECORATED = re.compile(r"\n@(?:\w*kernel|inlined\w*)\b")
PACKAGE = __name__.removesuffix(".compiled.kernel")  # `engine`, or `trammel.engine` where it is installed
_IMPORTED = re.compile(rf"\nfrom {re.escape(PACKAGE)}\.([\w.]+) import")
KEPT_CACHES = 8  # folders of earlier source versions that stay for quick switching between checkouts
# Sums may be reordered and fused (vector units), but NaN and infinity keep their meaning: we test for them.
FAST = {"reassoc", "contract", "nsz", "arcp"}


def source_hash(folder: Path) -> str:
    """Short hash of the sources that compiled code depends on, and of the Numba version.

    These are the files with kernels and, since constants are compiled in, the files they import from, to
    any depth.
    """
    texts = {path: "\n" + path.read_text(encoding="utf-8") for path in folder.rglob("*.py")}
    packages: dict[Path, list[Path]] = {}
    for path in texts:
        packages.setdefault(path.parent, []).append(path)
    todo = [path for path, text in texts.items() if _DECORATED.search(text)]
    found: set[Path] = set()
    while todo:
        path = todo.pop()
        if path in texts and path not in found:
            found.add(path)
            for module in _IMPORTED.findall(texts[path]):
                base = folder.joinpath(*module.split("."))
                # a package stands for all its modules: which of them is imported is not looked at
                todo += packages.get(base, [base.with_suffix(".py")])
    # with `NUMBA_BOUNDSCHECK=1` kernels check their indices; Numba's cache does not tell them from the others
    digest = hashlib.sha256(f"{numba.__version__} {numba.config.BOUNDSCHECK}".encode())
    for path in sorted(found):
        digest.update(path.relative_to(folder).as_posix().encode())
        digest.update(texts[path].encode())
    return digest.hexdigest()[:16]


def cache_root() -> Path:
    """Folder of all kernel caches; `TRAMMEL_CACHE_DIR` moves it."""
    return (
        Path(os.environ.get("TRAMMEL_CACHE_DIR") or platformdirs.user_cache_dir("trammel", appauthor=False))
        / "kernels"
    )


def _use_cache() -> Path:
    folder = cache_root() / source_hash(Path(__file__).parents[1])
    try:
        folder.mkdir(parents=True, exist_ok=True)
        os.utime(folder)
        stale = sorted((p for p in folder.parent.iterdir() if p.is_dir()), key=lambda p: p.stat().st_mtime)
        for old in stale[:-KEPT_CACHES]:
            shutil.rmtree(old, ignore_errors=True)
    except OSError:
        pass  # a read-only home: Numba compiles in memory, slower but right
    numba.config.CACHE_DIR = str(folder)
    return folder


CACHE_FOLDER = _use_cache()


# Kernels allocate nothing: without Numba's memory runtime an attempt to do so fails when it is compiled, and
# no time is spent counting references to the arrays that are handed from call to call.
_COMMON: dict[str, Any] = {"error_model": "numpy", "nogil": True, "_nrt": False}


def _njit(fn: F, **options: Any) -> F:
    dispatcher = numba.njit(**_COMMON, **options)(fn)
    dispatcher._cache = LazyCache(fn)  # as `cache=True` does with Numba's own
    return cast(F, dispatcher)


def kernel(fn: F) -> F:
    """Compile lazily, with the disk cache, without the GIL; division by zero gives inf or nan as in NumPy."""
    return _njit(fn)


def inlined(fn: F) -> F:
    """As `kernel`, for small functions in hot loops: always inlined into their callers."""
    return _njit(fn, forceinline=True)


def fast_kernel(fn: F) -> F:
    """As `kernel`, for inner products and factorisations: the order of summation is left to the compiler."""
    return _njit(fn, fastmath=FAST)


def inlined_fast(fn: F) -> F:
    """As `inlined`, with the degree of freedom of `fast_kernel`."""
    return _njit(fn, forceinline=True, fastmath=FAST)


# called with the name of every kernel that had to be compiled because the cache did not have it
compile_listeners: list[Callable[[str], None]] = []
_compiling = threading.RLock()  # two threads may want the same kernel: the second waits for the first


def compiled(fn: F, signature: Any) -> F:
    """Compile for exactly one signature, so that other kernels can call the function by its address."""
    dispatcher = cast(Any, fn)
    with _compiling:
        if dispatcher.signatures:
            return fn
        dispatcher.compile(signature)
        dispatcher.disable_compile()
    if not dispatcher.stats.cache_hits:
        for listener in compile_listeners:
            listener(f"{fn.__module__.removeprefix(f'{PACKAGE}.')}.{fn.__name__}")
    return fn
