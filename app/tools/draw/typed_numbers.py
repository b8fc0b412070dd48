"""Numbers typed at the pointer while drawing: some fields, one of which is being typed. No Qt."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from app.platform.units import UnitError, Units
from engine.elements.base import Number
from engine.maths.expressions import ExpressionError, parse

FIRST = set("0123456789.,+-(")  # what begins a number; a letter begins one once a field is being typed


@dataclass(frozen=True)
class EntryField:
    """One number that can be typed."""

    key: str
    title: str
    unit: str  # SI


@dataclass(frozen=True)
class Typed:
    """What was typed: as it is kept, a number or an expression, and what that is now."""

    given: Number
    value: float


class Entry:
    """The fields of one step of drawing."""

    def __init__(self, fields: Sequence[EntryField] = ()) -> None:
        self.fields = tuple(fields)
        self.texts = {field.key: "" for field in self.fields}
        self.at = 0

    @property
    def typing(self) -> bool:
        """Whether anything was typed, or another field was chosen for it."""
        return self.at > 0 or any(self.texts.values())

    @property
    def active(self) -> EntryField | None:
        return self.fields[self.at] if self.fields else None

    def begins(self, text: str, names: Iterable[str] = ()) -> bool:
        """Whether a key's text belongs here: a number, the first letter of a parameter, or what follows."""
        if not self.fields or len(text) != 1 or not text.isprintable():
            return False
        return text in FIRST or self.typing or any(name.startswith(text) for name in names)

    def type(self, text: str) -> None:
        if self.active is not None:
            self.texts[self.active.key] += text

    def erase(self) -> None:
        if self.active is not None:
            self.texts[self.active.key] = self.texts[self.active.key][:-1]

    def move(self, by: int) -> None:
        """To the next field, or back."""
        if self.fields:
            self.at = (self.at + by) % len(self.fields)

    def clear(self) -> None:
        self.texts = dict.fromkeys(self.texts, "")
        self.at = 0

    def read(self, units: Units, names: Mapping[str, float]) -> dict[str, Typed]:
        """What stands in the fields; raises UnitError with the field and the reason."""
        found = {}
        for field in self.fields:
            text = self.texts[field.key].strip()
            if text:
                try:
                    given = units.parse(text, field.unit, names)
                    value = parse(given).value(names) if isinstance(given, str) else given
                except (UnitError, ExpressionError) as error:
                    raise UnitError(f"{field.title.lower()}: {error}") from None
                found[field.key] = Typed(given, float(value))
        return found

    def read_leniently(self, units: Units, names: Mapping[str, float]) -> dict[str, Typed]:
        """The same, without what is not a number (yet)."""
        found: dict[str, Typed] = {}
        for field in self.fields:
            one = Entry([field])
            one.texts[field.key] = self.texts[field.key]
            try:
                found |= one.read(units, names)
            except UnitError:
                continue
        return found
