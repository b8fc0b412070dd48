"""Names that somebody may have meant: the hint of a message about a name that does not exist."""

from collections.abc import Iterable, Iterator
from difflib import get_close_matches
from functools import cached_property

from engine.errors import shorten

LIKENESS = 0.6  # of 1, that of equal words
SHORT_LIKENESS = 0.5  # of short names, such as those of parameters
MAX_COMPARISONS = 20_000  # of two words in full, 10 µs each; then names one slip away are looked up
MAX_LENGTH = 80  # characters of a name that are looked at, as many as a name may have
MAX_LISTED = 12  # names that a message shows


class Spelling:
    """Known names, made once and asked about any number of wrong ones.

    The first questions are answered in full, later ones at a cost that does not grow with the number of
    names: a file with thousands of wrong names among thousands of known ones is refused in time.
    """

    def __init__(self, known: Iterable[str], likeness: float = LIKENESS) -> None:
        self._known, self._likeness = tuple(known), likeness
        self._comparisons_left = MAX_COMPARISONS

    def hint(self, name: str) -> str:
        """`; did you mean 'mass'?`, or nothing when no known name is near."""
        word = name[:MAX_LENGTH]
        self._comparisons_left -= len(self._known)
        if self._comparisons_left >= 0:
            near = next(iter(get_close_matches(word, self._known, n=1, cutoff=self._likeness)), None)
        else:
            near = next((self._one_off[slip] for slip in _slips(word) if slip in self._one_off), None)
        return "" if near is None else f"; did you mean {shorten(near)!r}?"

    @cached_property
    def listed(self) -> str:
        """The names in order, as far as a message has room for them; "" without any."""
        words = [shorten(word) for word in sorted(self._known)[: MAX_LISTED + 1]]
        return ", ".join([*words[:MAX_LISTED], "…"] if len(words) > MAX_LISTED else words)

    @cached_property
    def _one_off(self) -> dict[str, str]:
        """Each name by itself without one of its letters.

        Two words that meet so differ by a letter missing, added, wrong or in the place of its neighbour.
        """
        found: dict[str, str] = {}
        for word in self._known:
            for slip in _slips(word[:MAX_LENGTH]):
                found.setdefault(slip, word)
        return found


def did_you_mean(name: object, known: Iterable[str]) -> str:
    """The hint for a single wrong name; none for what is no text."""
    return Spelling(known).hint(name) if isinstance(name, str) else ""


def _slips(word: str) -> Iterator[str]:
    """The word, then the word without each of its letters."""
    yield word
    for i in range(len(word)):
        yield word[:i] + word[i + 1 :]
