"""Tables of primitives and of force laws: which are there, sorted by kind, with their numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from engine.compiled.columns import coordinates as COORDINATE
from engine.compiled.columns import entries as ENTRY
from engine.compiled.columns import forces as LAW
from engine.compiled.columns import ranges as SPAN
from engine.compiled.layout import Array, Ints
from engine.elements.laws import LAWS, ON_BODIES
from engine.elements.primitives import PRIMITIVES, combination
from engine.errors import MethodError
from engine.system.compiling.collect import Builder, Entry


class Tables:
    """Numbers of elements that no fixed number of columns holds, behind those of the programs; each once."""

    def __init__(self, first: int) -> None:
        self._next, self._places = first, dict[tuple[float, ...], int]()

    def place(self, table: tuple[float, ...]) -> int:
        if table not in self._places:
            self._places[table] = self._next
            self._next += len(table)
        return self._places[table]

    @property
    def numbers(self) -> Array:
        return np.array([number for table in self._places for number in table], np.float64)


@dataclass(frozen=True)
class EntryTables:
    """Primitives that are needed, in the order of their kinds."""

    entries: list[Entry]
    ranges: Ints  # of every kind
    taking_part: list[Entry]  # in rows or forces
    ints: Ints
    reals: Array
    coordinate_functions: Ints
    block_bodies: Ints
    links: Ints
    link_reals: Array

    @property
    def tracked(self) -> Ints:
        """Coordinate functions whose turns are counted."""
        turning = [e.coordinate_function for e in self.entries if PRIMITIVES[e.kind].counts_turns]
        return np.array(turning, np.int64)


def entry_tables(build: Builder, in_rows: set[int], starts: Ints, tables: Tables) -> EntryTables:
    """Those of all primitives; coordinate functions keep their numbers."""
    in_forces = _acted_on(build)
    taking_part = _primitives(build, in_forces | in_rows)
    acting = _primitives(build, in_forces) + [e for e in taking_part if PRIMITIVES[e.kind].counts_turns]
    entries, ranges = _sorted(build.entries, PRIMITIVES.names, taking_part, acting)
    ints = np.zeros((len(entries), ENTRY.COLUMNS), np.int64)
    reals = np.zeros((len(entries), ENTRY.REALS))
    coordinate_functions = np.zeros((build.coordinate_functions, COORDINATE.COLUMNS), np.int64)
    blocks = _Blocks()
    for i, entry in enumerate(entries):
        first = len(blocks.bodies)
        ints[i, : ENTRY.X] = (entry.a, entry.b, build.planar, entry.coordinate_function, entry.count, first)
        _check_columns("primitive", entry, ENTRY.COLUMNS - ENTRY.X, ENTRY.REALS)
        programs = [-1 if p < 0 else int(starts[p]) for p in entry.programs]
        integers = [*entry.integers, *entry.sources, *programs]
        ints[i, ENTRY.X : ENTRY.X + len(integers)] = integers
        reals[i, : len(entry.reals)] = entry.reals
        if entry.table:
            ints[i, -1] = tables.place(entry.table)
        if entry.terms:
            blocks.link(entry, ints[i], coordinate_functions)
            continue
        for j in range(entry.count):
            coordinate_functions[entry.coordinate_function + j, : COORDINATE.PAIR] = (first + 2 * j, 2)
            blocks.bodies += [entry.a, entry.b]
    return EntryTables(
        entries,
        ranges,
        taking_part,
        ints,
        reals,
        coordinate_functions,
        np.array(blocks.bodies, np.int64),
        np.array(blocks.links, np.int64).reshape(-1, 2),
        np.array(blocks.reals, np.float64),
    )


@dataclass(frozen=True)
class LawTables:
    """Lines of all laws, in the order of their kinds."""

    ints: Ints
    reals: Array
    ranges: Ints  # of every kind


def law_tables(build: Builder, starts: Ints, tables: Tables) -> LawTables:
    """Those of all forces."""
    laws, ranges = _sorted(build.laws, LAWS.names, build.laws, build.laws)
    ints = np.zeros((len(laws), LAW.COLUMNS), np.int64)
    reals = np.zeros((len(laws), LAW.REALS))
    for i, law in enumerate(laws):
        _check_columns("force law", law, LAW.COLUMNS - LAW.X, LAW.REALS)
        integers = list(law.integers)
        for k in range(LAWS[law.kind].first_program, len(integers)):
            integers[k] = -1 if integers[k] < 0 else int(starts[integers[k]])
        ints[i, : LAW.X + len(integers)] = (law.target, law.quadrature, *integers)
        if law.table:
            ints[i, LAW.X + len(integers)] = tables.place(law.table)
        reals[i, : len(law.reals)] = law.reals
    return LawTables(ints, reals, ranges)


@dataclass
class _Blocks:
    """Which bodies each coordinate function touches, and how combinations are made of others."""

    bodies: list[int] = field(default_factory=list)
    links: list[tuple[int, int]] = field(default_factory=list)
    reals: list[float] = field(default_factory=list)

    def link(self, entry: Entry, ints: Ints, coordinate_functions: Ints) -> None:
        """Blocks of a combination: one per body that its terms touch."""
        first = len(self.bodies)
        sources = [
            (block, factor)
            for g, factor in entry.terms
            for block in (coordinate_functions[g, 0], coordinate_functions[g, 0] + 1)
        ]
        own: dict[int, int] = {}
        for block, _ in sources:
            own.setdefault(self.bodies[block], first + len(own))
        self.bodies += list(own)
        coordinate_functions[entry.coordinate_function, : COORDINATE.PAIR] = (first, len(own))
        ints[combination.COORDINATES_BEGIN] = len(self.links)
        for g, factor in entry.terms:
            self.links.append((0, g))
            self.reals.append(factor)
        ints[combination.COORDINATES_END] = ints[combination.BLOCKS_BEGIN] = len(self.links)
        for block, factor in sources:
            self.links.append((own[self.bodies[block]], int(block)))
            self.reals.append(factor)
        ints[combination.BLOCKS_END] = len(self.links)
        ints[combination.BLOCKS] = len(own)


def _check_columns(sort: str, item: Any, integers: int, reals: int) -> None:
    """Raises MethodError for an element with more numbers of its own than its table has columns for them."""
    for word, given, columns in (("integers", item.integers, integers), ("reals", item.reals, reals)):
        if len(given) > columns:
            raise MethodError(
                f"{sort} {item.kind!r} has {len(given)} {word}; the table has {columns} for them"
            )


def _sorted(
    items: list[Any], kinds: Sequence[str], used: list[Any], acting: list[Any]
) -> tuple[list[Any], Ints]:
    """Items by kind in the order of the registry, the acting and the used ones first, and the ranges of every
    kind."""
    ordered: list[Any] = []
    ranges = np.zeros((len(kinds), SPAN.COLUMNS), np.int64)
    first, needed = {id(item) for item in acting}, {id(item) for item in used}
    by_kind = dict[str, list[Any]]()
    for item in items:
        by_kind.setdefault(item.kind, []).append(item)
    for k, kind in enumerate(kinds):
        own = by_kind.get(kind, [])
        ranges[k, SPAN.BEGIN] = len(ordered)
        ordered += [item for item in own if id(item) in first]
        ranges[k, SPAN.ACTING] = len(ordered)
        ordered += [item for item in own if id(item) in needed and id(item) not in first]
        ranges[k, SPAN.USED] = len(ordered)
        ordered += [item for item in own if id(item) not in needed]
        ranges[k, SPAN.END] = len(ordered)
    return ordered, ranges


def _acted_on(build: Builder) -> set[int]:
    """Coordinate functions that laws act along."""
    return {
        law.target + k
        for law in build.laws
        if law.kind not in ON_BODIES
        for k in range(LAWS[law.kind].functions_of(law.line))
    }


def _primitives(build: Builder, needed: set[int]) -> list[Entry]:
    """Primitives that give these coordinate functions, or what they are made of."""
    made_of = {e.coordinate_function: (*(g for g, _ in e.terms), *e.sources) for e in build.entries}
    needed = needed | {g for function in needed for g in made_of.get(function, ())}
    return [
        e
        for e in build.entries
        if needed.intersection(range(e.coordinate_function, e.coordinate_function + e.count))
    ]
