"""Taking results away: pictures, films, channels, reports."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtWidgets import QDialog, QFileDialog

from app.dialogs.exporting.base import SavingDialog, ask_file
from app.document.channels.usual_channels import ENERGY
from app.platform.picture_bytes import picture_bytes
from app.platform.user_error import why
from app.session.recorded.run import Run
from app.tools.interactive_viewport import ViewportWidget
from app.window.context import WindowContext
from app.window.handlers.plots import PlotsHandler
from app.window.handlers.view import ViewHandler
from app.window.view_memory import ViewMemory
from engine.results.files.formats.as_hdf5 import HDF5
from engine.results.files.whole_file import whole

TOLD = ("energy.", "violation.")  # channels that every report shows


class ExportHandler:
    """File menu: what takes the run that is shown away."""

    def __init__(
        self,
        context: WindowContext,
        viewport: ViewportWidget,
        view: ViewHandler,
        plots: PlotsHandler,
        memory: ViewMemory,
    ) -> None:
        self._context, self._window, self._session = context, context.window, context.session
        self._viewport, self._view, self._plots, self._memory = viewport, view, plots, memory

    def save_picture(self) -> None:
        if self._recorded() is not None:
            self._film(".png")
            return
        # a scene that cannot run can still be shown
        name, _ = QFileDialog.getSaveFileName(
            self._window, "Save picture", str(self._context.files_folder() / "picture.png"), "PNG (*.png)"
        )
        if not name:
            return
        file = Path(name)
        try:
            with whole(file) as temporary:
                temporary.write_bytes(picture_bytes(self._viewport.grab(), file.suffix))
        except OSError as error:
            self._context.complain("The picture cannot be saved", why(error, file))

    def save_film(self) -> None:
        run = self._told_recorded()
        if run is None:
            return
        if run.moved:
            self._film(".mp4")
        else:
            self._context.tell("Nothing has moved yet: press Play first, then film it")

    def _recorded(self) -> Run | None:
        """The run that is shown, when it has anything to take away."""
        run = self._session.current
        return None if run is None or run.empty else run

    def _told_recorded(self) -> Run | None:
        """The same; the user is told when there is none."""
        if self._recorded() is None:
            self._context.tell("Nothing is recorded yet: press Play first")
        return self._recorded()

    def _watchable(self) -> list[Run]:
        """All runs with states; curves from a file have none to be taken away."""
        return [run for run in self._session.runs if run.kind != "reference"]

    def _film(self, ending: str) -> None:
        from app.dialogs.exporting.film import FilmDialog

        run, path = self._recorded(), self._session.document.path
        if run is None:
            return
        style = self._view.styles
        words = ["--dark"] if self._context.look.theme.dark else []
        words += [
            word for name in ("frames", "com", "labels", "arrows") if style[name] for word in ("--show", name)
        ]
        words += [
            word for name in ("joints", "grid", "traces") if not style[name] for word in ("--hide", name)
        ]
        dialog = FilmDialog(
            self._window,
            run,
            self._session.t,
            self._memory.kept(),
            sheets=self._plots.sheets(least=(run.t_first, run.t_last)),
            style=words,
            folder=path.parent if path else Path.cwd(),
            ending=ending,
        )
        self._finish(dialog)

    def export_run(self) -> None:
        from app.dialogs.exporting.run import ExportDialog

        run = self._told_recorded()
        if run is None:
            return
        path = self._session.document.path
        known = set(run.names())
        plotted = [name for name in self._plots.panel.channels() if name in known]
        self._finish(
            ExportDialog(self._window, run, plotted, path.parent if path else None, self._watchable())
        )

    def start_stream(self) -> None:
        """Write the present run to a file from now on, with all that was recorded before."""
        run = self._told_recorded()
        if run is None:
            return
        if run.kind != "live":
            self._context.tell(f"{run.name} is over: save it with Export run")
            return
        start = self._context.files_folder() / (run.scene.title or "run")
        file = ask_file(self._window, "Record to file", start, HDF5.endings, "HDF5")
        if file is not None:
            known = set(run.names())
            self._session.streaming.start(
                file, [name for name in self._plots.panel.channels() if name in known]
            )

    def save_page(self) -> None:
        """The run that is shown as a web page to play and to turn."""
        from app.dialogs.exporting.page import PageDialog

        run, path = self._told_recorded(), self._session.document.path
        if run is None:
            return
        others = set(run.names()) - set(ENERGY)
        shown = [name for name in self._plots.panel.channels() if name in others]
        folder, dark = path.parent if path else None, self._context.look.theme.dark
        dialog = PageDialog(
            self._window, run, self._memory.kept(), shown, folder, self._watchable(), dark=dark
        )
        self._finish(dialog)

    def save_report(self) -> None:
        """A page about the run that is shown."""
        from app.dialogs.exporting.report import ReportDialog

        run, path = self._told_recorded(), self._session.document.path
        if run is None:
            return
        known = set(run.names())
        shown = [name for name in self._plots.panel.channels() if name in known and not name.startswith(TOLD)]
        folder = path.parent if path else None
        dialog = ReportDialog(self._window, run, self._memory.kept(), shown, folder, self._watchable())
        self._finish(dialog)

    def _finish(self, dialog: SavingDialog) -> None:
        """Let the user choose and wait; tell what was saved."""
        dialog.first_folder = self._context.files_folder()
        if dialog.exec() == QDialog.DialogCode.Accepted and dialog.saved is not None:
            self._context.settings.folder = dialog.saved.parent
            self._context.tell(f"Saved {dialog.saved}")
        dialog.deleteLater()
