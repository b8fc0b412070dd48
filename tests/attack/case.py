"""One hostile input, and what came of it."""

import traceback
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tests.attack.clock import computed

GOOD = ("clean", "told")
MAX_MESSAGE = 3000  # characters; a message that nobody can read tells nothing
# of processor time, without compiling: what takes longer was cancelled long ago, and did not end
MAX_SECONDS = 5.0
SAID: tuple[type[Warning], ...] = (RuntimeWarning,)  # what would stand on the terminal


@dataclass(frozen=True)
class Case:
    """`verdict`: clean, told, or what is wrong: badly told, nonsense, traceback …, slow, crash, hang."""

    name: str
    verdict: str
    seconds: float

    @property
    def is_good(self) -> bool:
        return self.verdict in GOOD


def judged(
    name: str, attempt: Callable[[], str], refusals: tuple[type[Exception], ...], *, names: str = ""
) -> Case:
    """Make the attempt, which returns a verdict; a refusal must be short and contain `names`.

    A warning of NumPy or SciPy would stand on the terminal, with lines of the program, and is told as one.
    """
    begin = computed()
    try:
        with warnings.catch_warnings():
            for kind in SAID:
                warnings.simplefilter("error", kind)
            verdict = attempt()
    except refusals as error:
        verdict = "told" if names in str(error) and 0 < len(str(error)) < MAX_MESSAGE else "badly told"
    except Exception as error:
        verdict = f"traceback {type(error).__name__}: {error} {_place(error)}"[:400]
    seconds = computed() - begin
    if seconds > MAX_SECONDS and verdict in GOOD:
        verdict = f"slow: {seconds:.1f} s"
    return Case(name, verdict, seconds)


def _place(error: Exception) -> str:
    """The last calls before an error."""
    calls = traceback.extract_tb(error.__traceback__)[-3:]
    return " < ".join(f"{Path(call.filename).name}:{call.lineno}" for call in reversed(calls))
