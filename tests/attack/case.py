"""One hostile input, and what came of it."""

import time
from collections.abc import Callable
from dataclasses import dataclass

GOOD = ("clean", "told")
MAX_MESSAGE = 3000  # characters; a message that nobody can read tells nothing


@dataclass(frozen=True)
class Case:
    """`verdict`: clean, told, or what is wrong: badly told, nonsense, traceback …, crash, hang."""

    name: str
    verdict: str
    seconds: float

    @property
    def is_good(self) -> bool:
        return self.verdict in GOOD


def judged(
    name: str, attempt: Callable[[], str], refusals: tuple[type[Exception], ...], *, names: str = ""
) -> Case:
    """Make the attempt, which returns a verdict; a refusal must be short and contain `names`."""
    begin = time.perf_counter()
    try:
        verdict = attempt()
    except refusals as error:
        verdict = "told" if names in str(error) and 0 < len(str(error)) < MAX_MESSAGE else "badly told"
    except Exception as error:
        verdict = f"traceback {type(error).__name__}: {error}"[:200]
    return Case(name, verdict, time.perf_counter() - begin)
