"""Arguments of Python calls: what a call cannot take is refused by the name of the argument."""

from collections.abc import Mapping
from contextlib import suppress
from numbers import Real
from typing import Any, TypeVar

from engine.errors import shorten

T = TypeVar("T")


def of_kind(call: str, value: Any, kind: type[T], remedy: str = "") -> T:
    """The value; raises TypeError when it is of another kind."""
    if not isinstance(value, kind):
        hint = f"; {remedy}" if remedy else ""
        raise TypeError(f"{call} takes a {kind.__name__}, not {shorten(value, 80)}{hint}")
    return value


def number(name: str, value: Any, what: str = "number") -> float:
    """A number of Python, NumPy or one that can be read from text; raises TypeError or ValueError."""
    if isinstance(value, bool) or not (isinstance(value, Real | str) or hasattr(value, "__float__")):
        raise TypeError(f"{name} is {shorten(value)}; give a {what}")
    try:
        return float(value)
    except OverflowError:
        raise ValueError(f"{name} is {shorten(value)}, beyond all numbers; give a {what}") from None
    except (TypeError, ValueError):
        raise TypeError(f"{name} is {shorten(value)}; give a {what}") from None


def whole(name: str, value: Any, what: str = "whole number") -> int:
    """A whole number of Python or NumPy; raises TypeError."""
    found = number(name, value, what)
    if not found.is_integer():
        raise TypeError(f"{name} is {shorten(value)}; give a {what}")
    return int(value)


def by_name(name: str, values: Any) -> dict[str, Any]:
    """Values by name; raises TypeError."""
    if not isinstance(values, Mapping) or not all(isinstance(key, str) for key in values):
        raise TypeError(f'{name} is {shorten(values)}; give values by name, such as {{"rtol": 1e-6}}')
    return dict(values)


def numbers(name: str, values: Any) -> dict[str, float]:
    """Numbers by name; raises TypeError."""
    values = by_name(name, values)
    return {str(key): number(f"{name} {shorten(key)!r}", value) for key, value in values.items()}


def listed(name: str, values: Any, what: str) -> list[Any]:
    """What can be gone through, as a list; raises TypeError, for a text too."""
    if not isinstance(values, str):
        with suppress(TypeError, ValueError):  # no list at all, an array without items, a closed file
            return list(values)
    raise TypeError(f"{name} is {shorten(values)}; give {what}")


def texts(name: str, values: Any) -> list[str]:
    """A list of texts; raises TypeError, for a single one too."""
    found = listed(name, values, 'a list of names, such as ["energy.total"]')
    for value in found:
        if not isinstance(value, str):
            raise TypeError(f"{name} has {shorten(value)} in it, which is no name; give texts")
    return found


def call(name: str, value: Any) -> Any:
    """A function, or None; raises TypeError."""
    if value is not None and not callable(value):
        raise TypeError(f"{name} is {shorten(value)}; give a function")
    return value
