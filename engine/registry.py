"""Named kinds in a fixed order."""

import sys
from collections.abc import Iterator
from typing import Generic, Protocol, TypeVar

from engine.spelling import did_you_mean


class Named(Protocol):
    @property
    def name(self) -> str: ...


T = TypeVar("T", bound=Named)


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
        try:
            return self._kinds[name]
        except KeyError:
            hint = did_you_mean(name, self.names)
            raise KeyError(f"unknown {self.sort} {name!r}{hint} (known: {', '.join(self._kinds)})") from None

    def __iter__(self) -> Iterator[T]:
        return iter(self._kinds.values())

    def __len__(self) -> int:
        return len(self._kinds)

    def __contains__(self, name: object) -> bool:
        return name in self._kinds

    def __repr__(self) -> str:
        return f"Registry({self.sort!r}: {', '.join(self._kinds)})"
