"""Something is being written on a thread of its own. No widgets: who started it looks how far it is."""

from __future__ import annotations

import threading
import traceback
from collections.abc import Callable

from engine.runtime.saving import Cancelled

Progress = Callable[[float], object]
Cancel = Callable[[], bool]
Work = Callable[[Progress, Cancel], object]


class ExportJob:
    """Begins at once. `done` is set last; `error` is empty after a success and after a cancel."""

    def __init__(self, work: Work) -> None:
        self.progress = 0.0
        self.error = ""
        self._work = work
        self._cancelled, self._done = threading.Event(), threading.Event()
        self._thread = threading.Thread(target=self._run, name="trammel-export", daemon=True)
        self._thread.start()

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

    def _tell(self, share: float) -> None:
        self.progress = share

    def _run(self) -> None:
        try:
            self._work(self._tell, self._cancelled.is_set)
        except Cancelled:
            self._cancelled.set()
        except OSError as error:
            self.error = f"{error.strerror or error}\n{error.filename or ''}".strip()
        except (ValueError, KeyError) as error:
            self.error = str(error)
        except Exception:
            self.error = f"the export met a fault of the program:\n{traceback.format_exc()}"
        finally:
            self._done.set()
