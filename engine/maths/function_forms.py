"""Functions of time as people think of them, constant speed and profiles, and the text that a scene stores.

Stored is the expression alone, `30 deg + 60 rpm*t` or `step(t, 0, 0 deg, 2 s, 90 deg)`; a form is read
from it and written to it, its parts as they were typed.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from engine.maths.expressions import ExpressionError, Token, parse, tokens

TIME = "t"
PROFILES = ("step", "trapezoid", "ramp")  # functions of the language: smooth first, since nothing jumps there


@dataclass(frozen=True)
class ConstantSpeed:
    """A coordinate that changes steadily."""

    speed: str
    start: str = ""  # at t = 0; empty for zero

    @property
    def text(self) -> str:
        minus = self.speed.startswith("-") and _is_product(self.speed[1:])
        speed = self.speed if minus or _is_product(self.speed) else f"({self.speed})"
        if not self.start:
            return f"{speed}*{TIME}"
        return f"{self.start} - {speed[1:]}*{TIME}" if minus else f"{self.start} + {speed}*{TIME}"


@dataclass(frozen=True)
class Profile:
    """A way from a first to a last value in a given time; before and after it the coordinate rests."""

    shape: str  # of PROFILES
    begins: str
    first: str
    ends: str
    last: str
    ramp: str = ""  # how long the trapezoid gets faster, and slower

    @property
    def text(self) -> str:
        parts = (self.begins, self.first, self.ends, self.last, *([self.ramp] if self.ramp else []))
        return f"{self.shape}({', '.join((TIME, *parts))})"


def read_form(text: str) -> ConstantSpeed | Profile | None:
    """The form that an expression has, None when it is another function; raises ExpressionError."""
    parse(text)
    words = [token for token in tokens(text) if token.kind != "end"]
    return _profile(text, words) or _constant_speed(text, words)


def _constant_speed(text: str, words: Sequence[Token]) -> ConstantSpeed | None:
    terms = _terms(text, words)
    if terms is None:
        return None
    moving = [term for term in terms if _has_time(term[1])]
    if len(moving) != 1:
        return None
    minus, factor = moving[0]
    speed = _factor(text, factor)
    if speed is None:
        return None
    if minus:
        speed = f"-{speed}" if _is_product(speed) else f"-({speed})"
    rest = [(minus, _written(text, term)) for minus, term in terms if not _has_time(term)]
    start = "".join(f" {'-' if minus else '+'} {part}" for minus, part in rest).removeprefix(" + ")
    return ConstantSpeed(speed, f"-{start[3:]}" if start.startswith(" - ") else start)


def _profile(text: str, words: Sequence[Token]) -> Profile | None:
    if len(words) < 4 or words[0].text not in PROFILES or _closing(words, 1) != len(words) - 1:
        return None
    inner = words[2:-1]
    commas = [i for i, depth in enumerate(_depths(inner)) if depth == 0 and inner[i].word == ","]
    arguments = [
        inner[a:b] for a, b in zip([0, *(i + 1 for i in commas)], [*commas, len(inner)], strict=True)
    ]
    if [word.text for word in arguments[0]] != [TIME] or any(map(_has_time, arguments[1:])):
        return None
    return Profile(words[0].text, *(_written(text, argument) for argument in arguments[1:]))


Term = tuple[bool, Sequence[Token]]  # whether it is subtracted


def _terms(text: str, words: Sequence[Token]) -> list[Term] | None:
    """What is added up, brackets about a whole sum opened; None when it is no sum."""
    while words and words[0].word == "(" and _closing(words, 0) == len(words) - 1:
        words = words[1:-1]
    depths = _depths(words)
    if any(d == 0 and word.word in _LOOSER for d, word in zip(depths, words, strict=True)):
        return None
    found: list[Term] = []
    begin, minus = 0, False
    for i, word in enumerate([*words, None]):
        ends = word is None or (
            depths[i] == 0 and word.word in ("+", "-") and i > begin and _is_value(words[i - 1])
        )
        if ends:
            found.append((minus, words[begin:i]))
        if word is not None and word.word in ("+", "-") and (ends or i == begin):
            minus = (word.word == "-") != (minus and not ends)
            begin = i + 1
    opened: list[Term] = []
    for minus, term in found:
        if len(found) > 1 and term and term[0].word == "(" and _closing(term, 0) == len(term) - 1:
            inner = _terms(text, term)
            if inner is None:
                return None
            opened += [(minus != other, part) for other, part in inner]
        else:
            opened.append((minus, term))
    return opened


def _factor(text: str, term: Sequence[Token]) -> str | None:
    """The rest of a product with the time as its last or first factor; None when there is none."""
    names = [word.text for word in term]
    if names == [TIME]:
        return "1"
    if len(term) > 2 and names[-1] == TIME and term[-2].word == "*":
        rest = term[:-2]
    elif len(term) > 2 and names[0] == TIME and term[1].word == "*":
        rest = term[2:]
    else:
        return None
    if _has_time(rest):
        return None
    while rest[0].word == "(" and _closing(rest, 0) == len(rest) - 1:
        rest = rest[1:-1]
    return _written(text, rest)


_LOOSER = frozenset({"<", "<=", ">", ">=", "==", "!=", "and", "or", "not"})  # bind less than a sum


def _has_time(words: Sequence[Token]) -> bool:
    return any(word.kind == "name" and word.name == TIME for word in words)


def _is_value(word: Token) -> bool:
    return word.kind in ("number", "name") or word.word == ")"


def _depths(words: Sequence[Token]) -> list[int]:
    """In how many brackets each word stands; a bracket counts as outside of itself."""
    depth, found = 0, []
    for word in words:
        depth -= word.word == ")"
        found.append(depth)
        depth += word.word == "("
    return found


def _closing(words: Sequence[Token], opened: int) -> int:
    """Which word closes the bracket; -1 when that word opens none."""
    if words[opened].word != "(":
        return -1
    depths = _depths(words)
    return next(
        i for i in range(opened + 1, len(words)) if words[i].word == ")" and depths[i] == depths[opened]
    )


def _written(text: str, words: Sequence[Token]) -> str:
    return text[words[0].start : words[-1].start + len(words[-1].text)] if words else ""


def _is_product(text: str) -> bool:
    """Whether an expression can stand before `*t` without brackets."""
    try:
        words = [token for token in tokens(text) if token.kind != "end"]
        parse(text)
    except ExpressionError:
        return False
    depths = _depths(words)
    return not any(
        d == 0 and word.word in _LOOSER | {"+", "-"} for d, word in zip(depths, words, strict=True)
    )
