"""Bringing saved runs back: as a replay, or as curves to compare with."""

from pathlib import Path

from app.exchange.runs.opening import ReferenceRun, open_run
from app.panels.plots import PlotsPanel
from app.session.recorded.run import Run
from app.window.context import WindowContext
from app.window.docks import Docks
from app.window.handlers.saving import SavingHandler
from app.window.pages import Pages
from engine.errors import SceneError
from engine.results.files.formats.base import ReadError

MAX_CURVES = 4  # of a reference that get a plot by themselves


class SavedRunsHandler:
    """Opens files of runs."""

    def __init__(self, context: WindowContext, docks: Docks, pages: Pages, saving: SavingHandler) -> None:
        self._context, self._session = context, context.session
        self._docks, self._pages, self._saving = docks, pages, saving
        self._plots = docks.panel(PlotsPanel)

    def open(self, path: Path) -> bool:
        """A run from a file: watched as a replay, or plotted as a reference; False when it cannot be used."""
        session = self._session
        number = session.runs.new_id()
        try:
            run = open_run(path, number, budget=session.runs.budget, color=session.runs.free_color())
        except (ReadError, SceneError, OSError) as error:
            self._context.complain(f"{path.name} cannot be opened", str(error).removeprefix(f"{path.name}: "))
            return False
        if isinstance(run, ReferenceRun):
            self.show_reference(run)
        elif not self._show_replay(run, path):
            return False
        self._context.settings.add_recent(path)
        return True

    def show_reference(self, run: ReferenceRun) -> None:
        run.pinned = True
        self._session.runs.add(run)
        if not set(run.names()) & set(self._plots.channels()):
            self._plots.add_plot(run.names()[:MAX_CURVES], title=run.name)
        self._docks.show("plots")
        self._context.tell(f"{run.name}: its curves are the thin ones in the plots", 8)

    def _show_replay(self, run: Run, path: Path) -> bool:
        session = self._session
        if run.scene != session.document.scene:
            if not self._saving.may_leave():
                return False
            session.document.load(run.scene)
        run.pinned = True
        session.lifecycle.watch(run)
        self._pages.hide_welcome()
        self._context.tell(f"{path.name} is shown as a replay; Fork continues it from here", 8)
        return True
