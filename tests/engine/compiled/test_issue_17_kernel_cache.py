"""A damaged cache of compiled code is made anew; a disk without room for it does not end the program."""

import errno
import importlib.util
import itertools
import sys
from pathlib import Path
from typing import Any

import numba
import pytest

from engine.compiled import kernel_cache
from engine.compiled.kernel_cache import LazyCache

NUMBERS = itertools.count()


@pytest.fixture
def load(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A compiled function of a module of its own, each time as a new process would have it."""
    monkeypatch.setenv("TRAMMEL_CACHE_DIR", str(tmp_path / "cache"))
    source = tmp_path / "twice.py"
    source.write_text("def twice(x):\n    return 2.0 * x\n", encoding="utf-8")

    def made() -> Any:
        spec = importlib.util.spec_from_file_location(f"twice_{next(NUMBERS)}", source)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        monkeypatch.setitem(sys.modules, "twice", module)
        spec.loader.exec_module(module)
        module.twice.__module__ = "twice"
        function = numba.njit(module.twice)
        function._cache = LazyCache(module.twice)
        return function

    return made


@pytest.mark.parametrize("ending", ["nbi", "nbc"])
@pytest.mark.parametrize("left", [0, 10])
def test_a_truncated_file_is_replaced(load: Any, tmp_path: Path, ending: str, left: int) -> None:
    assert load()(3.0) == 6.0
    (file,) = (tmp_path / "cache").rglob(f"*.{ending}")
    file.write_bytes(file.read_bytes()[:left])
    again = load()
    assert again(3.0) == 6.0
    assert not again.stats.cache_hits
    third = load()
    assert third(3.0) == 6.0
    assert third.stats.cache_hits


def test_a_full_disk_leaves_the_code_in_memory(load: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*args: Any) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    function = load()
    monkeypatch.setattr(function._cache._cache_file, "save", full)
    monkeypatch.setattr(kernel_cache, "unkept", {})
    assert function(3.0) == 6.0
    assert list(kernel_cache.unkept.values()) == ["No space left on device"]


def test_decorating_a_kernel_opens_no_file(load: Any, tmp_path: Path) -> None:
    function = load()
    assert not (tmp_path / "cache").exists()
    assert function(3.0) == 6.0
    assert list((tmp_path / "cache").rglob("*.nbc"))
