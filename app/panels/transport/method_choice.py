"""Choosing a method: what one is in a line, what fits what, which answer a search. Nothing here knows Qt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from engine.solvers.catalogue import (
    METHODS,
    NO_STABILISATION,
    USUAL,
    Method,
    misfit,
)
from engine.solvers.direct import DIRECT
from engine.solvers.formulations import FORMULATIONS
from engine.solvers.integrators import SCHEMES
from engine.solvers.stabilisation import STABILISATIONS

SORTS = ("formulation", "scheme", "stabilisation")
PIECES: tuple[Any, ...] = (FORMULATIONS, SCHEMES, STABILISATIONS)  # registries, in the order of a name
DIRECT_METHODS = tuple(method for method in METHODS if not method.pieces)  # with their presets
_PREFERRED = (*USUAL, NO_STABILISATION)


@dataclass(frozen=True)
class Choice:
    """What taking one piece leads to; `reason` says why others had to give way, and what they became."""

    method: Method
    reason: str = ""


def choice(present: Sequence[str], place: int, name: str) -> Choice | None:
    """The method with one piece of `present` replaced; of the others as many stay as fit. None: no method."""
    wanted = list(present)
    wanted[place] = name
    as_it_is = "/".join(wanted)
    if as_it_is in METHODS:
        return Choice(METHODS[as_it_is])
    ways = [method for method in METHODS if method.pieces and method.pieces[place] == name]
    if not ways:
        return None

    def cost(method: Method) -> tuple[int, int]:
        changed = [piece for piece, old in zip(method.pieces, wanted, strict=True) if piece != old]
        unusual = [piece for piece in changed if piece not in _PREFERRED]
        return len(changed), len(unusual)

    nearest = min(ways, key=cost)
    kinds = [registry[piece] for registry, piece in zip(PIECES, wanted, strict=True)]
    becomes = [
        f"{sort} becomes {piece}"
        for sort, piece, old in zip(SORTS, nearest.pieces, wanted, strict=True)
        if piece != old
    ]
    return Choice(nearest, f"{misfit(*kinds)}: {' and '.join(becomes)}")


def facts(method: Method) -> str:
    """Order and nature of a method: `order 4, explicit, fixed step`."""
    said = [f"order {method.order}"]
    if method.pieces:
        said.append("implicit" if method.implicit else "explicit")
    else:
        said.append("direct")
    controlled = not method.pieces and not method.equal_steps
    said.append("chooses its steps" if method.adaptive else f"fixed {'or controlled ' * controlled}step")
    if not method.bears_damping:
        said.append("unstable with dampers")
    return ", ".join(said)


def kinds_of(method: Method) -> tuple[Any, ...]:
    """The registered kinds that a method is made of; each has a help page of its name."""
    if not method.pieces:
        return (DIRECT[method.name.partition("/")[0]],)  # a preset has the page of its method
    return tuple(registry[piece] for registry, piece in zip(PIECES, method.pieces, strict=True))


def partners(sort: str) -> list[tuple[Any, str]]:
    """The kinds of one sort, each with what it is limited to, in words; nothing where all fits."""
    place = SORTS.index(sort)
    found = []
    for kind in PIECES[place]:
        limits = []
        for other, registry in enumerate(PIECES):
            if other != place:
                names = {
                    method.pieces[other]
                    for method in METHODS
                    if method.pieces and method.pieces[place] == kind.name
                }
                limits += [_limited(SORTS[other], registry.names, names)]
        found.append((kind, "; ".join(text for text in limits if text)))
    return found


def _limited(sort: str, known: tuple[str, ...], fitting: set[str]) -> str:
    """In words, which kinds of a sort fit; nothing where all do."""
    left_out = [name for name in known if name not in fitting]
    if not left_out:
        return ""
    if len(left_out) < len(fitting):
        return f"every {sort} but {', '.join(left_out)}"
    return f"{sort} {', '.join(name for name in known if name in fitting)}"


def search(text: str) -> list[Method]:
    """Methods whose name, title or summary holds every word, the plainest first."""
    words = text.lower().replace("/", " ").split()

    def rank(method: Method) -> tuple[bool, int, int]:
        names = method.pieces or (method.name,)
        usual = sum(piece in _PREFERRED for piece in method.pieces) if method.pieces else len(SORTS)
        return method.short_name != text.strip().lower(), -sum(word in names for word in words), -usual

    found = [
        method
        for method in METHODS
        if all(word in f"{method.name} {method.title} {method.summary}".lower() for word in words)
    ]
    return sorted(found, key=rank)
