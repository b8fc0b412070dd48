"""All handlers, made with what each of them needs; the table of actions calls them."""

from collections.abc import Mapping
from pathlib import Path

from PySide6.QtCore import QTimer
from PySide6.QtGui import QAction

from app.panels.study.study_panel import StudyPanel
from app.panels.transport.transport_bar import TransportPanel
from app.session.idle_compiler import IdleCompiler
from app.tools.interactive_viewport import ViewportWidget
from app.window.context import WindowContext
from app.window.docks import Docks
from app.window.handlers.arrange import ArrangeHandler
from app.window.handlers.edit import EditHandler
from app.window.handlers.export import ExportHandler
from app.window.handlers.file import FileHandler
from app.window.handlers.help import HelpHandler
from app.window.handlers.import_ import ImportHandler
from app.window.handlers.insert import InsertHandler
from app.window.handlers.plots import PlotsHandler
from app.window.handlers.preferences import PreferencesHandler
from app.window.handlers.saved_runs import SavedRunsHandler
from app.window.handlers.saving import SavingHandler
from app.window.handlers.selection_edits import SelectionEdits
from app.window.handlers.simulation import SimulationHandler
from app.window.handlers.templates import TemplateHandler
from app.window.handlers.view import ViewHandler
from app.window.handlers.window_layout import LayoutHandler
from app.window.overlays.overlays import Overlays
from app.window.pages import Pages
from app.window.view_memory import ViewMemory


class MenuHandlers:
    """What actions act on: the handlers, and the parts of the window that need none."""

    def __init__(
        self,
        context: WindowContext,
        *,
        viewport: ViewportWidget,
        docks: Docks,
        pages: Pages,
        overlays: Overlays,
        transport_bar: TransportPanel,
        actions: Mapping[str, QAction],
        autosave: QTimer,
        idle_compiler: IdleCompiler,
    ) -> None:
        self.window, self.session = context.window, context.session
        self.viewport, self.docks = viewport, docks
        edits = SelectionEdits(context.session)
        self.view_memory = ViewMemory(context.session, viewport, docks)
        self.layout = LayoutHandler(context, docks, pages)
        self.saving = SavingHandler(context, self.view_memory)
        self.saved_runs = SavedRunsHandler(context, docks, pages, self.saving)
        self.imports = ImportHandler(context, viewport, pages, self.saving, self.saved_runs)
        self.file = FileHandler(context, pages, self.saving, self.saved_runs, self.imports, self._open_study)
        self.edit = EditHandler(context, edits, docks, actions)
        self.arrange = ArrangeHandler(context, edits, viewport, pages)
        self.insert = InsertHandler(context, viewport, pages, overlays, self.file, self.imports, docks)
        self.templates = TemplateHandler(context, edits, pages, self.saving)
        self.view = ViewHandler(context, edits, viewport)
        self.preferences = PreferencesHandler(context, self.view, autosave, idle_compiler)
        self.simulation = SimulationHandler(context, edits, docks, transport_bar, self.file)
        self.plots = PlotsHandler(context, docks)
        self.export = ExportHandler(context, viewport, self.view, self.plots, self.view_memory)
        self.help = HelpHandler(context, viewport)
        docks.panel(StudyPanel).goal_opened.connect(self.simulation.take_goal)

    def _open_study(self, path: Path) -> bool:
        self.simulation.study()
        return self.docks.panel(StudyPanel).open_path(path)
