"""Named kinds in a fixed order."""

import sys
from collections.abc import Iterator
from typing import Generic, Protocol, TypeVar

from engine.errors import shorten
from engine.spelling import MAX_LISTED, did_you_mean

MAX_NAMES = 100  # of kinds that are listed by name


class Named(Protocol):
    @property
    def name(self) -> str: ...


T = TypeVar("T", bound=Named)


def shown_by_name(kind: Named) -> str:
    """For `__repr__` of kinds, whose fields are long and mean nothing to users."""
    return f"<{type(kind).__name__} {kind.name}>"


class Registry(Generic[T]):
    """Kinds of one sort by name; iteration gives the kinds in the order they were listed.

    `places` limits their number where each needs a place in a table.
    """

    def __init__(self, sort: str, *kinds: T, places: int = sys.maxsize) -> None:
        self.sort = sort
        self._kinds = {kind.name: kind for kind in kinds}
        if len(self._kinds) != len(kinds):
            raise ValueError(f"two {sort} kinds have the same name")
        if len(kinds) > places:
            raise ValueError(
                f"{sort} kind {kinds[places].name!r} is number {places + 1}; the table has {places} places"
            )

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self._kinds)

    def __getitem__(self, name: str) -> T:
        if name not in self:
            hint = did_you_mean(name, self.names)
            raise KeyError(f"unknown {self.sort} {shorten(name)!r}{hint} (known: {self._listed()})")
        return self._kinds[name]

    def __iter__(self) -> Iterator[T]:
        return iter(self._kinds.values())

    def __len__(self) -> int:
        return len(self._kinds)

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and name in self._kinds

    def __repr__(self) -> str:
        return f"Registry({self.sort!r}: {self._listed()})"

    def _listed(self) -> str:
        """All names, or the first where there are very many."""
        names = self.names if len(self) <= MAX_NAMES else self.names[:MAX_LISTED]
        more = [f"… {len(self) - len(names)} more"] if len(names) < len(self) else []
        return ", ".join([*names, *more])
