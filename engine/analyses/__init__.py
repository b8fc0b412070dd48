"""Questions about a scene: one file per kind, one line in the registry.

The table of all of them is loaded when it is asked for: a run needs one of their parts, not the others.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from engine.analyses.registry import ANALYSES

__all__ = ["ANALYSES"]


def __getattr__(name: str) -> Any:
    if name != "ANALYSES":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from engine.analyses.registry import ANALYSES

    return ANALYSES
