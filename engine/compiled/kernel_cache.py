"""Numba's disk cache of compiled code, made to outlive damaged files and full disks."""

import contextlib
from typing import Any

from numba.core.caching import FunctionCache


class LenientCache(FunctionCache):  # type: ignore[misc]  # Numba has no types
    """What cannot be read is compiled anew and replaces it; what cannot be written is kept in memory only."""

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        try:
            return super().load_overload(sig, target_context)
        except Exception:  # of pickle and LLVM, over the bytes that a full disk or a crash has left
            with contextlib.suppress(OSError):
                self.flush()
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        with contextlib.suppress(OSError):
            super().save_overload(sig, data)
