"""What the doctor lists: one page per question, each made of entries. No widgets here."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from app.document.element_ref import Ref
from app.platform.units import Units
from engine.analyses.answers.result import Cell, Mention, Result, Suggestion, plain
from engine.analyses.instant.row_arrows import RowArrow

GOOD, BAD, NEUTRAL = "good", "wrong", ""


@dataclass(frozen=True)
class Entry:
    """A line: what it is, a badge, more about it, the elements it speaks of, and what can be done."""

    title: str
    badge: str = ""
    detail: str = ""
    role: str = NEUTRAL  # of the badge
    refs: tuple[Ref, ...] = ()
    suggestion: Suggestion | None = None
    motion: int | None = None
    children: tuple[Entry, ...] = field(default_factory=tuple)
    folded: bool = False
    arrows: tuple[RowArrow, ...] = ()  # of the rows that it speaks of, that which could go first


@dataclass(frozen=True)
class Page:
    """A question that the doctor answers."""

    key: str
    title: str
    icon: str
    analysis: str
    tooltip: str
    entries: Callable[[Result, Units], list[Entry]]
    columns: tuple[str, str, str]
    at_playhead: bool  # asked at the pose that is shown; else at the start


def redundancy(result: Result, units: Units) -> list[Entry]:
    """Dependencies with their rows, then the remedies."""
    held = tuple(_dependency(row) for row in result.tables[0].rows)
    found = []
    if held:
        words = "Click a line: arrows show the way each row acts, rings what it keeps from turning"
        first = tuple(arrow for entry in held for arrow in entry.arrows[:1])
        found.append(Entry("Held more than once", str(len(held)), words, children=held, arrows=first))
    exact = [
        suggestion for suggestion in result.suggestions if "no redundant row is left" in suggestion.effect
    ]
    rest = [suggestion for suggestion in result.suggestions if suggestion not in exact]
    if exact:
        remedies = tuple(map(_suggested, exact))
        found.append(Entry("Remedies that leave nothing redundant", str(len(remedies)), children=remedies))
    if rest:
        partly = tuple(map(_suggested, rest))
        found.append(
            Entry("Changes that help in part", str(len(partly)), children=partly, folded=bool(exact))
        )
    return found


def directions_of_motion(result: Result, units: Units) -> list[Entry]:
    """One line per degree of freedom; each can be played."""
    found = []
    for k, (title, kind, moves) in enumerate(result.tables[0].rows):
        words = plain(kind)
        role = BAD if "instant" in words else NEUTRAL
        detail = f"moves {plain(moves)}" if moves else ""
        found.append(Entry(plain(title), words, detail, role, _refs(moves), motion=k))
    return found


def assembly(result: Result, units: Units) -> list[Entry]:
    """Open joints, worst first, then the suggestion to close them."""
    found = [_suggested(suggestion) for suggestion in result.suggestions]
    for table in result.tables:
        if not table.title.startswith("Open joints"):
            continue
        gaps = tuple(
            Entry(
                plain(joint),
                f"{units.full_text(_number(gap), 'm', 4)}, {units.full_text(_number(angle), 'rad', 4)}",
                "",
                BAD,
                _refs(joint),
            )
            for joint, gap, angle in table.rows
        )
        words = table.empty if not gaps else ""
        found.append(Entry(table.title, str(len(gaps)) if gaps else "", words, children=gaps))
    moved = next(table for table in (*result.tables, None) if table is None or table.title == "What moved")
    if moved is not None and moved.rows:
        lines = tuple(
            Entry(plain(body), units.full_text(_number(distance), "m", 4), "", refs=_refs(body))
            for body, distance in moved.rows
        )
        found.append(Entry("What closing moves", str(len(lines)), "", children=lines))
    return found


def branches(result: Result, units: Units) -> list[Entry]:
    """The poses that were found; all but the present one can be looked at and taken."""
    suggestions = {suggestion.title.removeprefix("Take "): suggestion for suggestion in result.suggestions}
    found = []
    for title, _, distance, joints, met in result.tables[0].rows:
        suggestion = suggestions.get(plain(title))
        words = units.full_text(_number(distance), "m", 4) if suggestion else "as it is"
        detail = f"{plain(joints)}; met {plain(met)} times"
        refs = _mentioned(suggestion.concerns) if suggestion else ()
        found.append(Entry(plain(title), words, detail, NEUTRAL, refs, suggestion))
    return found


def limits(result: Result, units: Units) -> list[Entry]:
    """Stops, ropes and contacts that the motion reaches, then friction that holds to its end."""
    found = []
    for table in result.tables:
        entry = _limit if table.title == "Limits" else _friction
        lines = tuple(entry(row, units) for row in table.rows)
        hit = sum(1 for line in lines if line.role == BAD)
        words = "reached along the motion" if table.title == "Limits" else "hold at its end"
        found.append(Entry(table.title, f"{hit} of {len(lines)}", words, children=lines))
    return found


PAGES: tuple[Page, ...] = (
    Page(
        "redundancy",
        "Redundancy",
        "redundancy",
        "redundancy",
        "Which constraint equations are redundant, and what would remedy it",
        redundancy,
        ("Row or change", "When, or warning", "With which joints, or what it changes"),
        True,
    ),
    Page(
        "wiggle",
        "Wiggle",
        "wiggle",
        "wiggle",
        "Every degree of freedom that is left, as a ghost that moves to and fro",
        directions_of_motion,
        ("Degree of freedom", "Kind", "Moves"),
        True,
    ),
    Page(
        "assembly",
        "Assembly",
        "assembly",
        "assembly",
        "Which joints are open, by how much, and what closing them moves",
        assembly,
        ("Joint or body", "How far", ""),
        False,
    ),
    Page(
        "branches",
        "Branches",
        "branches",
        "branches",
        "Other poses in which the mechanism can be put together",
        branches,
        ("Branch", "Largest displacement", "Joints"),
        False,
    ),
    Page(
        "limits",
        "Limits",
        "force-stop",
        "limits",
        "Which stops, ropes and contacts the motion reaches, what jams or locks itself, and why",
        limits,
        ("Element", "Reached, or holds", "When and how"),
        False,
    ),
)


# pieces


def _dependency(row: tuple[Cell, ...]) -> Entry:
    first, others, holds = row
    joints = ", ".join(dict.fromkeys(mention.name for mention in _mentions(others)))
    lines = tuple(
        Entry(str(mention), refs=_mentioned((mention,)), arrows=_arrows((mention,)))
        for mention in _mentions(others)
    )
    return Entry(
        plain(first),
        plain(holds),
        f"with {joints}" if joints else "with other rows of its own",
        BAD if plain(holds) == "always" else NEUTRAL,
        _refs(first) + tuple(ref for ref in _refs(others) if ref not in _refs(first)),
        children=lines,
        folded=True,
        arrows=_arrows((*_mentions(first), *_mentions(others))),
    )


def _limit(row: tuple[Cell, ...], units: Units) -> Entry:
    element, least, most, reached, first, push, unit, push_unit = row
    between = " to ".join(units.full_text(_number(end), plain(unit), 4) for end in (least, most))
    met = plain(reached) != "no"
    pushes = units.full_text(_number(push), plain(push_unit), 4)
    at = units.full_text(_number(first), "s", 4)
    words = f"first at {at}, pushes with up to {pushes}; " if met else ""
    between = f"from {between}"
    return Entry(plain(element), plain(reached), words + between, BAD if met else NEUTRAL, _refs(element))


def _friction(row: tuple[Cell, ...], units: Units) -> Entry:
    element, joint, effort, can, word, unit = row
    largest = units.full_text(_number(effort), plain(unit), 4)
    most = units.full_text(can, plain(unit), 4) if isinstance(can, float) else plain(can)
    detail = f"in joint {plain(joint)}: up to {largest}, can hold {most}"
    role = BAD if plain(word) == "holds" else NEUTRAL
    return Entry(plain(element), plain(word), detail, role, _refs(element) + _refs(joint))


def _suggested(suggestion: Suggestion) -> Entry:
    role = BAD if suggestion.mark else GOOD
    return Entry(
        suggestion.title,
        suggestion.mark or "✓",
        suggestion.effect,
        role,
        _mentioned(suggestion.concerns),
        suggestion,
    )


def _mentions(cell: Cell) -> tuple[Mention, ...]:
    if isinstance(cell, Mention):
        return (cell,)
    return cell if isinstance(cell, tuple) else ()


def _arrows(mentions: tuple[Mention, ...]) -> tuple[RowArrow, ...]:
    return tuple(mention.arrow for mention in mentions if mention.arrow is not None)


def _refs(cell: Cell) -> tuple[Ref, ...]:
    return _mentioned(_mentions(cell))


def _mentioned(mentions: tuple[Mention, ...]) -> tuple[Ref, ...]:
    return tuple(dict.fromkeys(Ref(mention.where, mention.name) for mention in mentions))


def _number(cell: Cell) -> float:
    return cell if isinstance(cell, float) else 0.0
