"""Rings of names that use each other, found without recursion: thousands may stand in a row."""

from collections.abc import Container, Iterable, Iterator, Mapping


def rings(uses: Mapping[str, Iterable[str]]) -> Iterator[tuple[str, ...]]:
    """Names that lead back to themselves, in the order of use; each name belongs to one ring at most."""
    done: set[str] = set()
    for name in uses:
        way: dict[str, Iterator[str]] = {} if name in done else {name: iter(uses[name])}
        while way:
            current = next(reversed(way))
            other = next(way[current], None)
            if other is None:
                done.add(current)
                del way[current]
            elif other in way:
                names = list(way)
                ring = names[names.index(other) :]
                yield tuple(ring)
                for member in ring:
                    done.add(member)
                    del way[member]
            elif other in uses and other not in done:
                way[other] = iter(uses[other])


def in_order(name: str, uses: Mapping[str, Iterable[str]], known: Container[str] = ()) -> list[str]:
    """Names that one uses, directly or through others, each after those it uses itself; not the known."""
    found: dict[str, None] = {}
    way = {name: iter(uses[name])}
    while way:
        current = next(reversed(way))
        other = next(way[current], None)
        if other is None:
            del way[current]
            found[current] = None
        elif other in uses and not (other in found or other in way or other in known):
            way[other] = iter(uses[other])
    del found[name]
    return list(found)
