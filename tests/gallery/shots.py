"""Everything there is to see in the window, as steps that lead to a picture.

A shot is a generator: it brings the window into a state, yields the widget to take (None: the whole window
with what is in front of it), and tidies up after that.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QCoreApplication, QElapsedTimer, QEventLoop, QPoint
from PySide6.QtWidgets import QApplication, QMessageBox, QWidget

from app.dialogs.about import AboutDialog
from app.dialogs.channels import ChannelDialog
from app.dialogs.commands import CommandDialog
from app.dialogs.failure import FailureDialog
from app.dialogs.help import HelpDialog
from app.dialogs.preferences import PreferencesDialog
from app.dialogs.template import TemplateDialog
from app.document import Ref
from app.drive.window import close_dialogs
from app.help import topics
from app.main_window import MainWindow
from app.resources import scene_paths
from engine.model.scene import KINDS
from engine.templates import TEMPLATES

PATIENCE = 150_000  # ms; kernels may have to be compiled
Steps = Iterator[QWidget | None]


@dataclass(frozen=True)
class Shot:
    """One picture by its name, such as `dialogs/about`."""

    name: str
    steps: Callable[[MainWindow], Steps]


def pass_time(milliseconds: float, until: Callable[[], bool] = lambda: False) -> bool:
    """Let the window live; whether `until` came true."""
    clock = QElapsedTimer()
    clock.start()
    while not until():
        if clock.elapsed() > milliseconds:
            return False
        QCoreApplication.processEvents(QEventLoop.ProcessEventsFlag.AllEvents, 10)
    return True


def settle(window: MainWindow) -> None:
    """Until nothing is being worked out any more."""
    session = window.session
    done = pass_time(PATIENCE, lambda: not session.busy and session.state not in ("compiling", "playing"))
    assert done, session.state
    pass_time(60)


def show_scene(window: MainWindow, name: str, until: float = 0.0) -> None:
    """Open a shipped scene and let it run, as fast as possible, to a share of its duration."""
    session = window.session
    session.document.stack.setClean()
    assert window.open_path(scene_paths()[name])
    settle(window)
    if until > 0.0:
        end, speed = until * session.t_end, session.speed
        session.set_speed(float("inf"))
        session.play()
        assert pass_time(PATIENCE, lambda: session.t >= end or session.state != "playing"), name
        session.pause()
        session.seek(min(end, session.t))
        session.set_speed(speed)
    settle(window)


# scenes and pages


def _scene(name: str) -> Shot:
    def steps(window: MainWindow) -> Steps:
        show_scene(window, name, 0.3)
        yield None

    return Shot(f"scenes/{name}", steps)


def _empty(window: MainWindow) -> Steps:
    window.session.document.stack.setClean()
    window.session.document.new()
    settle(window)
    yield None


def _welcome(window: MainWindow) -> Steps:
    window.show_welcome()
    yield None
    window.hide_welcome()


def _everything(window: MainWindow) -> Steps:
    """All that the View menu can switch on, with a selection."""
    show_scene(window, "flyball_governor", 0.2)
    off = [name for name, on in window._styles.items() if not on]
    for name in off:
        window.act(f"view.{name}")
    window.session.selection.set([Ref("bodies", window.session.document.scene.bodies[0].name)])
    settle(window)
    yield None
    for name in off:
        window.act(f"view.{name}")


# panels


def _element(where: str, kind: str) -> Shot:
    """The inspector of one element of a kind, in the first shipped scene that has one."""

    def steps(window: MainWindow) -> Steps:
        for name in _scenes_with(where, kind):
            if window.session.document.path != scene_paths()[name]:
                show_scene(window, name)
            scene = window.session.document.scene
            item = next(i for i in getattr(scene, where) if _kind(i) == kind)
            window.session.selection.set([Ref(where, item.name)])
            pass_time(60)
            yield window.docks["inspector"]
            window.session.selection.clear()
            return

    return Shot(f"inspector/{where}-{kind}", steps)


def _kind(item: Any) -> str:
    return str(getattr(item.__struct_config__, "tag", None) or type(item).__name__)


def _scenes_with(where: str, kind: str) -> Iterator[str]:
    from engine import load_scene

    for name, path in scene_paths().items():
        if any(_kind(item) == kind for item in getattr(load_scene(path), where)):
            yield name


def _kinds() -> list[tuple[str, str]]:
    from engine import load_scene

    found = {
        (where, _kind(item)): None
        for path in scene_paths().values()
        for where in ("bodies", "parameters", "traces", *KINDS)
        for item in getattr(load_scene(path), where, ())
    }
    return list(found)


def _inspect_scene(window: MainWindow) -> Steps:
    show_scene(window, "four_bar")
    window.session.selection.clear()
    pass_time(60)
    yield window.docks["inspector"]


def _inspect_wrong(window: MainWindow) -> Steps:
    from PySide6.QtWidgets import QLineEdit

    show_scene(window, "four_bar")
    window.session.selection.set([Ref("bodies", "crank")])
    pass_time(60)
    line = window.findChild(QLineEdit, "inspector.mass")
    assert isinstance(line, QLineEdit)
    line.setText("25 mm")
    line.textEdited.emit("25 mm")
    line.returnPressed.emit()
    pass_time(60)
    yield window.docks["inspector"]
    window.session.selection.clear()


def _inspect_several(window: MainWindow) -> Steps:
    show_scene(window, "four_bar")
    bodies = window.session.document.scene.bodies
    window.session.selection.set(Ref("bodies", body.name) for body in bodies)
    pass_time(60)
    yield None
    window.session.selection.clear()


def _plots(window: MainWindow) -> Steps:
    show_scene(window, "four_bar", 0.2)
    view = window.plots.save_view()
    window.plots.add_plot(["body.crank.angle", "joint.A.reaction.fx"])
    window.plots.add_plot(["body.crank.angle", "body.crank.omega.z"], kind="phase")
    window.act("plots.range")
    pass_time(300)
    yield None
    window.act("plots.spectrum")
    pass_time(300)
    yield window.docks["plots"]
    window.act("plots.range")
    window.plots.load_view(view)


def _messages(window: MainWindow) -> Steps:
    show_scene(window, "pendulum")
    body = window.session.document.scene.bodies[0].name
    for level, text in (
        ("info", "Saved pendulum.json"),
        ("warning", "joint pivot opens by 1.2 mm; the bodies were moved to close it"),
        ("error", "the step did not converge at t = 1.2 s; take a smaller step or another method"),
    ):
        window.session.message.emit(level, text, Ref("bodies", body))
    pass_time(60)
    yield None
    window.messages.clear()
    window.session.selection.clear()
    window.docks["plots"].raise_()


def _runs(window: MainWindow) -> Steps:
    show_scene(window, "double_pendulum", 0.1)
    session = window.session
    session.reset()
    settle(window)
    session.set_method("lagrange/euler/baumgarte")
    settle(window)
    session.set_speed(float("inf"))
    session.play()
    pass_time(PATIENCE, lambda: session.t > 1.0)
    session.pause()
    settle(window)
    for run in session.runs[:-1]:
        session.ghost_run(run)
    window._show_dock("runs")
    pass_time(100)
    yield None
    window.docks["plots"].raise_()


def _analyses(window: MainWindow) -> Steps:
    show_scene(window, "bricard")
    window._show_dock("analyses")
    window.act("run.analyse")
    pass_time(PATIENCE, lambda: not window.analyses.busy)
    pass_time(100)
    yield None
    window.docks["plots"].raise_()


def _menu(title: str) -> Shot:
    def steps(window: MainWindow) -> Steps:
        menu = window.menus[title]
        bar = window.menuBar()
        parent = title.split("/")[0]
        at = bar.mapToGlobal(bar.actionGeometry(window.menus[parent].menuAction()).bottomLeft())
        menu.popup(at)
        pass_time(60)
        yield None
        menu.close()

    return Shot(f"menus/{title.replace('/', '-').replace(' ', '_').lower()}", steps)


# dialogs


def _dialog(name: str, make: Callable[[MainWindow], QWidget]) -> Shot:
    def steps(window: MainWindow) -> Steps:
        dialog = make(window)
        dialog.move(window.mapToGlobal(QPoint(120, 70)))
        dialog.show()
        pass_time(80)
        yield dialog
        dialog.close()
        dialog.deleteLater()

    return Shot(f"dialogs/{name}", steps)


def _template(name: str, window: MainWindow) -> QWidget:
    dialog = TemplateDialog(window, window.session.document.scene, window.look, window.settings)
    dialog.choose(name)
    return dialog


def _asked(name: str, ask: Callable[[MainWindow, Path], object]) -> Shot:
    """A message box that the window opens by itself."""

    def steps(window: MainWindow) -> Steps:
        from tempfile import TemporaryDirectory

        from PySide6.QtCore import QTimer

        taken: list[QWidget] = []
        with TemporaryDirectory() as folder:
            # the box is grabbed inside its own event loop, then left as Escape would
            def take() -> None:
                box = QApplication.activeModalWidget()
                if isinstance(box, QMessageBox):
                    copy = _Still(box)
                    taken.append(copy)
                close_dialogs()

            QTimer.singleShot(150, take)
            ask(window, Path(folder))
            pass_time(60)
        assert taken, name
        yield taken[0]
        taken[0].deleteLater()

    return Shot(f"dialogs/{name}", steps)


class _Still(QWidget):
    """A widget as it looked; modal boxes are gone by the time a picture is taken of them."""

    def __init__(self, box: QWidget) -> None:
        super().__init__()
        from tests.gallery.checks import cut_texts, overlaps

        self._picture = box.grab()
        self.faults = cut_texts(box) + overlaps(box)
        self.resize(box.size())

    def grab(self, *_: Any) -> Any:
        return self._picture


def _unsaved(window: MainWindow, folder: Path) -> None:
    from app.document import Edit

    document = window.session.document
    document.apply(Edit("Add", document.scene.with_parameter("unsaved", 1.0)))
    window.may_leave()
    document.stack.undo()
    document.stack.setClean()


def _broken(window: MainWindow, folder: Path) -> None:
    path = folder / "broken.json"
    path.write_text('{"format": "trammel-scene", "version": 1, "bodies": [{"name": "a", "mas": 1}]}')
    window.open_path(path)
    window.messages.clear()
    window.docks["plots"].raise_()


def _unwritable(window: MainWindow, folder: Path) -> None:
    window._save(folder / "no such folder" / "mine.json")
    window.messages.clear()
    window.docks["plots"].raise_()


REPORT = """Traceback (most recent call last):
  File "app/panels/tree.py", line 99, in rebuild
RuntimeError: a mistake of the program
"""


def all_shots() -> list[Shot]:
    """Every picture, in an order that opens few scenes twice."""
    from app.actions import ACTIONS

    menus = dict.fromkeys(menu for a in ACTIONS for menu in (a.menu.split("/")[0], a.menu))
    return [
        Shot("pages/empty", _empty),
        Shot("pages/welcome", _welcome),
        *(_scene(name) for name in scene_paths()),
        Shot("pages/everything", _everything),
        *(_menu(title) for title in menus),
        Shot("inspector/scene", _inspect_scene),
        Shot("inspector/wrong", _inspect_wrong),
        Shot("inspector/several", _inspect_several),
        *(_element(where, kind) for where, kind in _kinds()),
        Shot("panels/plots", _plots),
        Shot("panels/messages", _messages),
        Shot("panels/runs", _runs),
        Shot("panels/analyses", _analyses),
        _dialog("preferences", lambda window: PreferencesDialog(window, window.settings.preferences)),
        *(_dialog(f"template-{template.name}", partial(_template, template.name)) for template in TEMPLATES),
        _dialog("about", lambda window: AboutDialog(window, window.gl_renderer())),
        _dialog("failure", lambda window: FailureDialog(window, REPORT, Path("autosave/four_bar.json"))),
        _dialog("commands", lambda window: CommandDialog(window, window.actions_by_id)),
        _dialog(
            "channels",
            lambda window: ChannelDialog(window, window.session.current, "Channels", several=True),
        ),
        *(
            _dialog(
                f"help-{topic.key.replace('/', '-')}", lambda window, key=topic.key: HelpDialog(window, key)
            )
            for topic in topics()
        ),
        _asked("unsaved", _unsaved),
        _asked("broken", _broken),
        _asked("unwritable", _unwritable),
    ]
