"""What goes wrong before a simulation starts, told so that a person can mend it."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

SHOWN = 10  # problems in one message; two lines each, so that the text fits on one screen
VALUE_LENGTH = 60  # characters of an offending value that are worth showing
PATH_LENGTH = 120
TEXT_LENGTH = 1000  # of a message or its remedy: names in it may have no end

_ELEMENT = re.compile(r"(\w+)\[(\d+)\]")


@dataclass(frozen=True)
class SceneEdit:
    """One step of a remedy: another value at a path, as `set_value` takes it, or an element taken away."""

    path: str
    value: Any = None
    remove: bool = False

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {"path": self.path, **({"remove": True} if self.remove else {"value": self.value})}


@dataclass(frozen=True)
class Problem:
    """One fault in a scene: where it is, what stands there, what is wrong with it and what to do.

    `edits` are one way to follow the remedy that is known to work; empty where a person must choose.
    """

    path: str
    value: Any
    message: str
    remedy: str
    edits: tuple[SceneEdit, ...] = ()

    @property
    def cure(self) -> str:
        """The remedy, by the name that it has in the output of `--json`."""
        return self.remedy

    @property
    def element(self) -> tuple[str, int] | None:
        """List and position of the element at fault (`("joints", 2)`), None when it is the scene itself."""
        match = _ELEMENT.match(self.path)
        return (match[1], int(match[2])) if match else None

    def __str__(self) -> str:
        message, remedy = (_cut(text, TEXT_LENGTH) for text in (self.message, self.remedy))
        return f"{shorten(self.path, PATH_LENGTH) or 'scene'}: {message}\n    → {remedy}"


class FileError(ValueError):
    """A file that cannot be used; the text names the place and the reason, and stays readable: what it cites
    of a file may have no end.
    """

    def __init__(self, text: str) -> None:
        super().__init__(_cut(text, TEXT_LENGTH))


class SceneError(ValueError):
    """A scene that cannot be used, with everything that is wrong with it."""

    def __init__(self, problems: Iterable[Problem], source: str = "") -> None:
        self.problems = tuple(problems)
        self.source = source
        super().__init__(self.problems, source)

    def __str__(self) -> str:
        n = len(self.problems)
        count = "1 problem" if n == 1 else f"{n} problems"
        lines = [f"{_cut(self.source, TEXT_LENGTH) or 'scene'}: {count}"]
        lines += [f"  {problem}" for problem in self.problems[:SHOWN]]
        if n > SHOWN:
            lines.append(f"  … and {n - SHOWN} more")
        return "\n".join(lines)


class CompileError(SceneError):
    """A scene that is sound as a file but is no mechanism that can be simulated."""


class MethodError(ValueError):
    """A method, or a kind of primitive or law, that is put together wrongly: a mistake of its author."""


def shorten(value: Any, length: int = VALUE_LENGTH) -> str:
    """The value as one short line that every file and terminal can take."""
    text = value if isinstance(value, str) else repr(value)
    text = " ".join(text[: 50 * length].split())
    text = text.encode(errors="backslashreplace").decode()  # halves of characters
    return _cut(text, length)


def _cut(text: str, length: int) -> str:
    return text if len(text) <= length else text[: length - 1] + "…"
