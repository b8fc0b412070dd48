"""Every dialog, most of them as the window opens them by itself."""

from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from PySide6.QtWidgets import QLineEdit, QWidget

from app.dialogs.about import AboutDialog
from app.dialogs.action_search import CommandDialog
from app.dialogs.crash_report import FailureDialog
from app.dialogs.help.help_pages import topics
from app.dialogs.help.help_window import HelpDialog
from app.dialogs.preferences import PreferencesDialog
from app.dialogs.template.template import TemplateDialog
from app.document.document import Edit, Ref
from app.window.main_window import MainWindow
from engine.templates import TEMPLATES
from tests.gallery.staging import PATIENCE, Shot, asked, dialog, pass_time

REPORT = """Traceback (most recent call last):
  File "app/panels/tree.py", line 99, in rebuild
RuntimeError: a mistake of the program
"""
TABLE = "t [s];angle [deg]\n" + "\n".join(f"{0.1 * i:.1f};{30.0 * (i % 7):.2f}" for i in range(60))
ROBOT = """<robot name="arm">
  <link name="base"/>
  <link name="upper">
    <inertial><mass value="2"/>
      <inertia ixx="0.1" iyy="0.1" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial>
    <visual><geometry><cylinder length="0.6" radius="0.05"/></geometry></visual>
    <collision><geometry><sphere radius="0.1"/></geometry></collision></link>
  <joint name="shoulder" type="revolute"><parent link="base"/><child link="upper"/><axis xyz="0 1 0"/>
    <limit lower="-1" upper="1" effort="100" velocity="2"/><dynamics damping="0.5" friction="0.1"/></joint>
  <transmission name="drive"/>
</robot>
"""
FACES = ((0, 1, 2), (0, 2, 3), (0, 3, 1), (1, 3, 2))
CORNERS = ((0, 0, 0), (0, 120, 0), (80, 0, 0), (0, 0, 60))


def _template(name: str, window: MainWindow) -> QWidget:
    made = TemplateDialog(window, window.session.document.scene, window.look, window.settings)
    made.choose(name)
    return made


def _unsaved(window: MainWindow) -> None:
    document = window.session.document
    document.apply(Edit("Add", document.scene.with_parameter("unsaved", 1.0)))
    window.handlers.saving.may_leave()
    document.stack.undo()
    document.stack.setClean()


def _import(name: str, text: str, window: MainWindow) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / name
        path.write_text(text, encoding="utf-8")
        window.handlers.imports.import_path(path)


def _broken(window: MainWindow) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "broken.json"
        path.write_text('{"format": "trammel-scene", "version": 1, "bodies": [{"name": "a", "mas": 1}]}')
        window.open_path(path)
    _tidy(window)


def _unwritable(window: MainWindow) -> None:
    window.handlers.saving.save_to(Path("no such folder") / "mine.json")
    _tidy(window)


def _remove_used(window: MainWindow) -> None:
    window.session.selection.set([Ref("parameters", window.session.document.scene.parameters[0].name)])
    window.act("edit.delete")
    window.session.selection.clear()


def _arrange(action: str, window: MainWindow) -> None:
    window.session.selection.set([Ref("bodies", "crank")])
    window.act(action)
    window.session.selection.clear()


def _crashed_before(window: MainWindow) -> None:
    """As after a crash: there is a copy of unsaved work."""
    document = window.session.document
    document.recoverable = lambda: [Path("none.json")]  # type: ignore[method-assign]
    try:
        window.handlers.file.offer_recovery()
    finally:
        del document.recoverable  # type: ignore[attr-defined]


def _search(text: str, box: QWidget) -> None:
    line = box.findChild(QLineEdit)
    assert line is not None
    line.setText(text)


def _read(box: Any) -> None:
    pass_time(PATIENCE, lambda: box.ok().isEnabled())


def _wait(box: QWidget) -> None:
    pass_time(300)


def _tidy(window: MainWindow) -> None:
    window.docks.panels["messages"].clear()
    window.docks["plots"].raise_()


def _mesh() -> str:
    facets = "".join(
        "facet normal 0 0 0\nouter loop\n"
        + "".join(f"vertex {' '.join(map(str, CORNERS[i]))}\n" for i in face)
        + "endloop\nendfacet\n"
        for face in FACES
    )
    return f"solid wedge\n{facets}endsolid wedge\n"


def dialog_shots() -> list[Shot]:
    return [
        dialog("preferences", lambda window: PreferencesDialog(window, window.settings.preferences)),
        *(dialog(f"template-{template.name}", partial(_template, template.name)) for template in TEMPLATES),
        dialog("about", lambda window: AboutDialog(window, window.handlers.help.gl_renderer())),
        dialog("failure", lambda window: FailureDialog(window, REPORT, Path("autosave/four_bar.json"))),
        dialog("commands", lambda window: CommandDialog(window, window.menus.actions)),
        asked("commands-search", lambda window: window.act("edit.command"), partial(_search, "plot")),
        asked("channels", lambda window: window.act("plots.channel"), scene="four_bar"),
        asked("phase", lambda window: window.act("plots.phase"), scene="four_bar"),
        asked("measure", lambda window: window.act("plots.measure"), scene="four_bar"),
        asked("picture", lambda window: window.act("file.picture"), scene="four_bar"),
        asked("film", lambda window: window.act("file.film"), scene="four_bar"),
        asked("export", lambda window: window.act("file.export"), scene="four_bar"),
        asked("page", lambda window: window.act("file.page"), scene="four_bar"),
        asked("report", lambda window: window.act("file.report"), scene="four_bar"),
        asked("plots", lambda window: window.act("plots.save"), scene="four_bar"),
        asked("mirror", partial(_arrange, "edit.mirror"), scene="four_bar"),
        asked("row", partial(_arrange, "edit.row"), scene="four_bar"),
        asked("circle", partial(_arrange, "edit.circle"), scene="four_bar"),
        asked("scale", partial(_arrange, "edit.scale"), scene="four_bar"),
        asked("lane", lambda window: window.docks.panels["race"].add_lane(), scene="four_bar"),
        asked("study", lambda window: window.docks.panels["study"].make(), scene="four_bar"),
        asked("removal", _remove_used, scene="four_bar"),
        asked("import_table", partial(_import, "measured.csv", TABLE), _read, scene="four_bar"),
        asked(
            "import_table-wrong",
            partial(_import, "empty.csv", "no numbers here\n"),
            _wait,
        ),
        asked("import_robot", partial(_import, "arm.urdf", ROBOT), _read),
        asked("import_robot-wrong", partial(_import, "arm.urdf", "<robot><link"), _wait),
        asked("import_mesh", partial(_import, "wedge.stl", _mesh()), _read),
        asked("recovery", _crashed_before, scene="four_bar"),
        asked("unsaved", _unsaved, scene="four_bar"),
        asked("broken", _broken),
        asked("unwritable", _unwritable),
        *(
            dialog(
                f"help-{topic.key.replace('/', '-')}", lambda window, key=topic.key: HelpDialog(window, key)
            )
            for topic in topics()
        ),
    ]
