"""The inspector: one picture of every kind of element, and of what it says to a wrong number."""

from collections.abc import Iterator
from typing import Any

from PySide6.QtWidgets import QLineEdit

from app.document.document import Ref
from app.platform.resources import scene_paths
from app.window.main_window import MainWindow
from engine import load_scene
from engine.model.scene import KINDS
from tests.gallery.staging import PATIENCE, Shot, Steps, pass_time, settle, show_scene


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
    for name, path in scene_paths().items():
        if any(_kind(item) == kind for item in getattr(load_scene(path), where)):
            yield name


def _kinds() -> list[tuple[str, str]]:
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
    show_scene(window, "four_bar")
    window.session.selection.set([Ref("bodies", "crank")])
    pass_time(60)
    _type(window, "inspector.mass", "25 mm")
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


def _type(window: MainWindow, name: str, text: str) -> None:
    line = window.findChild(QLineEdit, name)
    assert isinstance(line, QLineEdit), name
    line.setText(text)
    line.textEdited.emit(text)
    line.returnPressed.emit()


def _refused_length(window: MainWindow) -> Steps:
    """A bar that would be too long for the linkage: why, and which lengths can be."""
    show_scene(window, "andrews")
    window.session.selection.set([Ref("bodies", "K1")])
    pass_time(60)
    _type(window, "inspector.bar.length", "1 m")
    pass_time(PATIENCE, lambda: not window.session.busy)
    pass_time(200)
    yield window.docks["inspector"]
    window.session.selection.clear()


def _history(window: MainWindow) -> Steps:
    show_scene(window, "four_bar")
    window.session.selection.set([Ref("bodies", "crank")])
    pass_time(60)
    _type(window, "inspector.mass", "0.2 kg")
    window.act("edit.duplicate")
    window.act("edit.undo")
    window.act("edit.history")
    settle(window)
    yield None
    window.session.document.stack.setClean()
    window.docks["history"].hide()
    window.docks["inspector"].raise_()


def inspector_shots() -> list[Shot]:
    return [
        Shot("inspector/scene", _inspect_scene),
        Shot("inspector/wrong", _inspect_wrong),
        Shot("inspector/several", _inspect_several),
        Shot("inspector/refused_length", _refused_length),
        Shot("inspector/history", _history),
        *(_element(where, kind) for where, kind in _kinds()),
    ]
