"""An analysis on a thread of its own. No widgets: whoever started it looks now and then how far it is."""

from msgspec import Struct

from app.session.background.jobs.job import Job
from engine.analyses.answers.result import Result
from engine.analyses.base import Analysis, Instant, Question
from engine.errors import SceneError
from engine.model.scene import Scene
from engine.progress import Cancelled
from engine.results.recorder import Budget
from engine.simulation.analysis_motions import record_of
from engine.simulation.live.live_simulation import Record, StateTransfer, transferred_state
from engine.simulation.simulation import simulate
from engine.system.prepared import prepare

OPTIONS = "options."  # how the places of problems begin that are no problems of the scene


class AnalysisJob(Job):
    """Begins at once. `done` is set last: then `result` or `error` is there, or neither after a cancel.

    `state` is what the scene is looked at in; without one it is the start.
    """

    noun = "analysis"

    def __init__(
        self,
        kind: Analysis,
        scene: Scene,
        options: Struct,
        state: StateTransfer | None = None,
        budget: Budget | None = None,
    ) -> None:
        self.kind, self.scene, self.options, self.state = kind, scene, options, state
        self._budget = budget
        self.records: list[Record] = []  # of the motions that were found
        self.progress: tuple[float, str] = (0.0, "")
        self.result: Result | None = None
        super().__init__()
        self._start(kind.name)

    def _work(self) -> None:
        question = Question(
            self.scene, self.options, self._instant(), self._tell, self._cancelled.is_set, simulate
        )
        result = self.kind.run(question)
        self.records = [record_of(motion, self._budget, self.scene) for motion in result.motions]
        self.result = result

    def _explain(self, error: Exception) -> str | None:
        if isinstance(error, Cancelled):
            return ""
        if not isinstance(error, SceneError):
            return None
        first, *more = error.problems
        if first.path.startswith(OPTIONS) and not more:  # what was asked for, a moment ago
            return f"{first.message} → {first.remedy}"
        return str(error)

    def _instant(self) -> Instant | None:
        """The state in the coordinates of the scene, which may have been edited since the run began."""
        if self.state is None:
            return None
        t, q, v, _, _ = transferred_state(self.state, prepare(self.scene).watched)
        return Instant(t, q, v)

    def _tell(self, share: float, words: str) -> None:
        self.progress = (share, words)
