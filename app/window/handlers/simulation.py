"""Speed, analyses, and a recorded instant as the start."""

from PySide6.QtCore import Qt

from app.edits import start_here, start_now
from app.edits.races import add_race
from app.panels.analyses.analyses import AnalysesPanel
from app.panels.doctor.doctor import DoctorPanel
from app.panels.optimise.optimise_panel import OptimisePanel
from app.panels.race.race_panel import RacePanel
from app.panels.transport.transport_bar import SPEEDS, TransportPanel
from app.platform.resources import find_scene
from app.window.context import WindowContext
from app.window.docks import Docks
from app.window.handlers.file import FileHandler
from app.window.handlers.selection_edits import SelectionEdits
from engine.benchmarks.racing.ready import ReadyRace
from engine.studies.study import Study

START = "Use as start"
DOCTOR_HEIGHT = 260  # px that its lists need


class SimulationHandler:
    """Simulation menu, but for what the session does by itself."""

    def __init__(
        self,
        context: WindowContext,
        edits: SelectionEdits,
        docks: Docks,
        bar: TransportPanel,
        files: FileHandler,
    ) -> None:
        self._window, self._session = context.window, context.session
        self._edits, self._docks, self._bar, self._files = edits, docks, bar, files

    def toggle_loop(self) -> None:
        self._session.transport.loop = not self._session.transport.loop
        self._bar.refresh()

    def faster(self) -> None:
        transport = self._session.transport
        transport.set_speed(next((s for s in SPEEDS if s > transport.speed), float("inf")))

    def slower(self) -> None:
        transport = self._session.transport
        transport.set_speed(next((s for s in reversed(SPEEDS) if s < transport.speed), SPEEDS[0]))

    def use_as_start(self, *, moving: bool) -> None:
        """The pose that is shown becomes the start; `moving`: velocities and functions of time, too."""
        session, run = self._session, self._session.current
        if run is None or run.empty:
            return
        session.transport.pause()
        t, poses = session.t, session.poses()
        if moving:
            segment, sample = run.sample_at(t)
            velocities = segment.velocities(sample)
            self._edits.compute(START, lambda scene: start_now(scene, poses, velocities, t))
        else:
            self._edits.compute(START, lambda scene: start_here(scene, poses))

    def analyse(self) -> None:
        self._docks.show("analyses")
        self._docks.panel(AnalysesPanel).run()

    def race(self) -> None:
        """Show the race of the scene, made now if it has none, and start it."""
        self._docks.show("race")
        self._docks.panel(RacePanel).start()

    def ready_race(self, ready: ReadyRace) -> None:
        """Open the scene of a classic lesson with its race, and start that."""
        path = find_scene(ready.scene)
        if self._session.document.path != path and not self._files.open_path(path):
            return
        self._docks.show("race")
        panel, document = self._docks.panel(RacePanel), self._session.document
        if ready.race not in document.scene.races:
            saved = document.stack.isClean()
            document.apply(add_race(document.scene, ready.race))
            if saved:  # the race can be had again from the menu: nobody need be asked about it
                document.stack.setClean()
        panel.choose(ready.race.name)
        panel.start()

    def study(self) -> None:
        """Show the study, with room for its plots."""
        self._show_high("study")

    def take_goal(self, study: Study) -> None:
        """The panel beside the study searches what the study wants."""
        self._docks["optimise"].show()
        self._docks.panel(OptimisePanel).show_study(study)
        words = "The study has a goal: the panel Optimise searches the best values"
        self._session.message.emit("info", words, None)

    def test_centre(self) -> None:
        """Show the test centre, with room for its table."""
        self._show_high("test_centre")

    def _show_high(self, panel: str) -> None:
        self._docks.show(panel)
        dock = self._docks[panel]
        if not dock.isFloating() and dock.height() < DOCTOR_HEIGHT:
            self._window.resizeDocks([dock], [DOCTOR_HEIGHT], Qt.Orientation.Vertical)

    def examine(self, question: str) -> None:
        """Ask the doctor."""
        self._show_high("doctor")
        self._docks.panel(DoctorPanel).examine(question)
