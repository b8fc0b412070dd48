"""Elements that got other names while a run was there: what is recorded is found by the new ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from app.session.reading.segment_reader import SegmentReader
from engine.simulation.live.live_simulation import RecordedSegment

NOUNS = {"body": "bodies", "joint": "joints", "motion": "motions", "spring": "forces", "force": "forces"}


@dataclass(frozen=True)
class _Rename:
    past: tuple[RecordedSegment, ...]  # recorded under the old name
    where: str
    old: str
    new: str


class ChannelRenames:
    """All renames of a run, oldest first."""

    def __init__(self) -> None:
        self._renames: list[_Rename] = []

    def note(self, past: Sequence[RecordedSegment], names: Mapping[tuple[str, str], str]) -> None:
        """List and old name → new name, from these segments on."""
        self._renames += [_Rename(tuple(past), where, old, new) for (where, old), new in names.items()]

    def name_in(self, segment: SegmentReader, name: str) -> str:
        """The name that a channel has in a segment; empty when there is none like it."""
        first, _, rest = name.partition(".")
        element, _, end = rest.partition(".")
        old, sure = element, False
        for rename in reversed(self._renames):
            if NOUNS.get(first) == rename.where and old == rename.new:
                old, sure = rename.old, any(part is segment.recorded for part in rename.past)
        known = [name, ".".join(filter(None, (first, old, end)))]
        return next((word for word in (reversed(known) if sure else known) if word in segment.channels), "")
