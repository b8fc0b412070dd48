"""Slots of `Work.options`: each piece of a method stays within its own, and no two options share one."""

from __future__ import annotations

from collections.abc import Iterable

from engine.compiled.layout import Option
from engine.errors import MethodError


def check_slots(
    owner: str, first: int, end: int, options: Iterable[Option], constants: Iterable[tuple[int, float]] = ()
) -> None:
    """Raises MethodError unless the owner's numbers have a slot each, from `first` up to before `end`."""
    claims = [(option.slot, f"option {option.name!r}") for option in options]
    claims += [(slot, f"the constant {value:g}") for slot, value in constants]
    taken: dict[int, str] = {}
    for slot, claim in claims:
        if not first <= slot < end:
            raise MethodError(f"{owner}: {claim} has slot {slot}; its slots are {first} to {end - 1}")
        if slot in taken:
            raise MethodError(f"{owner}: {claim} has slot {slot}, which {taken[slot]} has already")
        taken[slot] = claim
