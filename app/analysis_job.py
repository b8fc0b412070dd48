"""An analysis on a thread of its own. No widgets: whoever started it looks now and then how far it is."""

import threading
import traceback

from msgspec import Struct

from engine.analyses.base import Analysis, Cancelled, Instant, Question
from engine.analyses.result import Result
from engine.errors import SceneError
from engine.model.scene import Scene
from engine.runtime.live import Carried, Record, carried_state
from engine.runtime.motions import record_of
from engine.runtime.recorder import Budget
from engine.system.compile import compile_scene


class AnalysisJob:
    """Begins at once. `done` is set last: then `result` or `error` is there, or neither after a cancel.

    `state` is what the scene is looked at in; without one it is the start.
    """

    def __init__(
        self,
        kind: Analysis,
        scene: Scene,
        options: Struct,
        state: Carried | None = None,
        budget: Budget | None = None,
    ) -> None:
        self.kind, self.scene, self.options, self.state = kind, scene, options, state
        self._budget = budget
        self.records: list[Record] = []  # of the motions that were found
        self.progress: tuple[float, str] = (0.0, "")
        self.result: Result | None = None
        self.error = ""
        self._cancelled, self._done = threading.Event(), threading.Event()
        self._thread = threading.Thread(target=self._run, name=f"trammel-{kind.name}", daemon=True)
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

    def _run(self) -> None:
        try:
            question = Question(self.scene, self.options, self._instant(), self._tell, self._cancelled.is_set)
            result = self.kind.run(question)
            self.records = [record_of(motion, self._budget) for motion in result.motions]
            self.result = result
        except Cancelled:
            pass
        except SceneError as error:
            self.error = str(error)
        except Exception:
            self.error = f"the analysis met a fault of the program:\n{traceback.format_exc()}"
        finally:
            self._done.set()

    def _instant(self) -> Instant | None:
        """The state in the coordinates of the scene, which may have been edited since the run began."""
        if self.state is None:
            return None
        t, q, v, _, _ = carried_state(self.state, compile_scene(self.scene, mouse=True))
        return Instant(t, q, v)

    def _tell(self, share: float, words: str) -> None:
        self.progress = (share, words)
