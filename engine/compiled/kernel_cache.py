"""Numba's disk cache of compiled code, made to outlive damaged files and full disks, and to open quickly."""

import contextlib
from collections.abc import Callable
from functools import cached_property
from typing import Any

from numba.core.caching import FunctionCache


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
        with contextlib.suppress(OSError):
            super().save_overload(sig, data)
