"""The one place where Numba is set up: the decorators of compiled code."""

import threading
from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba
from numba.core.types.misc import unliteral

from engine.compiled.kernel_cache import LazyCache
from engine.compiled.sources import PACKAGE

F = TypeVar("F", bound=Callable[..., Any])

# Sums may be reordered and fused (vector units), but NaN and infinity keep their meaning: we test for them.
FAST = {"reassoc", "contract", "nsz", "arcp"}

# Kernels allocate nothing: without Numba's memory runtime an attempt to do so fails when it is compiled, and
# no time is spent counting references to the arrays that are handed from call to call.
_COMMON: dict[str, Any] = {"error_model": "numpy", "nogil": True, "_nrt": False}


def _njit(fn: F, **options: Any) -> F:
    dispatcher = numba.njit(**_COMMON, **options)(fn)
    dispatcher._cache = LazyCache(fn)  # as `cache=True` does with Numba's own
    resolve = dispatcher.get_call_template

    def without_literals(args: Any, kws: Any) -> Any:
        """Numba would compile a callee once for every constant that it is called with."""
        return resolve([unliteral(arg) for arg in args], {k: unliteral(v) for k, v in kws.items()})

    dispatcher.get_call_template = without_literals
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
    """As `inlined`, with sums in the order that the compiler likes best, as in `fast_kernel`."""
    return _njit(fn, forceinline=True, fastmath=FAST)


# called with the name of every kernel that had to be compiled because the cache did not have it
compile_listeners: list[Callable[[str], None]] = []
_compiling = threading.RLock()  # two threads may want the same kernel: the second waits for the first


def compiled(fn: F, signature: Any) -> F:
    """Compile for exactly one signature, so that other kernels can call the function by its address."""
    dispatcher = cast(Any, fn)
    if dispatcher.signatures:  # ready: nobody waits for what another thread compiles, which can take seconds
        return fn
    with _compiling:
        if dispatcher.signatures:
            return fn
        dispatcher.compile(signature)
        dispatcher.disable_compile()
    if not dispatcher.stats.cache_hits:
        for listener in compile_listeners:
            listener(f"{fn.__module__.removeprefix(f'{PACKAGE}.')}.{fn.__name__}")
    return fn
