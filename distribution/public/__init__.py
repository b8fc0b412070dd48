"""Trammel from Python: `from trammel import load_scene, simulate`.

The names are those of the engine, loaded when they are first used. This package exists where Trammel is
installed: a wheel holds the whole program inside it (see `distribution/build_hook.py`), an editable install
leads back to the checkout.
"""

from typing import TYPE_CHECKING, Any

import engine
from app import __version__
from engine import __all__ as _NAMES

if TYPE_CHECKING:
    from engine import *  # noqa: F403 (the names that __getattr__ finds)

__all__ = [*_NAMES, "__version__"]


def __getattr__(name: str) -> Any:
    if name not in _NAMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(engine, name)


def __dir__() -> list[str]:
    return sorted(__all__)
