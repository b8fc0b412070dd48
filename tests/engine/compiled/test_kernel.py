"""Kernels are compiled once for all constants they are called with; nobody waits for what is ready."""

import threading

from numba import types
from numba.core.caching import NullCache

from engine.compiled import kernel as kernels
from engine.compiled.kernel import compiled, kernel


@kernel
def scaled(x: float, times: int, negative: bool) -> float:
    return -x * times if negative else x * times


@kernel
def three_ways(x: float, times: int) -> float:
    return scaled(x, 2, False) + scaled(x, 3, True) + scaled(x, times, negative=False)


@kernel
def doubled(x: float) -> float:
    return 2.0 * x


def test_constants_share_one_specialisation() -> None:
    three_ways._cache = NullCache()  # type: ignore[attr-defined]  # from the cache it would not ask for `scaled`
    assert three_ways(1.5, 5) == 1.5 * (2 - 3 + 5)
    assert len(scaled.signatures) == 1  # type: ignore[attr-defined]


def test_what_is_ready_does_not_wait_for_what_is_compiled() -> None:
    compiled(doubled, types.float64(types.float64))
    found = threading.Event()
    asked = threading.Thread(target=lambda: (compiled(doubled, None), found.set()), daemon=True)
    with kernels._compiling:  # as while another thread compiles
        asked.start()
        assert found.wait(5.0)
    asked.join()
