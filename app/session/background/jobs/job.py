"""Work on a thread of its own. No widgets: whoever started it looks now and then how far it is."""

import threading
import traceback
from abc import ABC, abstractmethod


class Job(ABC):
    """Begins with `_start`. `done` is set last; `error` is empty after a success and after a cancel."""

    noun = "work"  # what a fault of the program is said of

    def __init__(self) -> None:
        self.error = ""
        self._cancelled, self._done = threading.Event(), threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    @property
    def done(self) -> bool:
        return self._done.is_set()

    @property
    def cancelled(self) -> bool:
        return self._cancelled.is_set()

    def cancel(self) -> None:
        self._cancelled.set()

    def wait(self, timeout: float) -> bool:
        """Whether the thread ended in that time [s]."""
        self._thread.join(timeout)
        return not self._thread.is_alive()

    def _start(self, name: str) -> None:
        self._thread.name = f"trammel-{name}"
        self._thread.start()

    @abstractmethod
    def _work(self) -> None:
        """Do it, on the thread."""

    @abstractmethod
    def _explain(self, error: Exception) -> str | None:
        """What to tell of an error that can be expected, "" for a cancel, None for a fault of the program."""

    def _run(self) -> None:
        try:
            self._work()
        except Exception as error:
            told = self._explain(error)
            fault = f"the {self.noun} met a fault of the program:\n{traceback.format_exc()}"
            self.error = fault if told is None else told
        finally:
            self._done.set()
