"""Does anything a user can do, at random: actions, tree, inspector, viewport, dialogs, any widget."""

import random
from collections.abc import Callable

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt, QTimer
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QCheckBox,
    QColorDialog,
    QComboBox,
    QDialog,
    QFileDialog,
    QInputDialog,
    QLineEdit,
    QMenu,
    QMessageBox,
    QWidget,
)

from app.cli.driving.private_window import in_front
from app.document.document import Ref
from app.platform.resources import scene_paths
from app.window.main_window import MainWindow
from engine import SceneError, load_scene
from tests.app.edits.random_edits import NotPossible, random_edit

SCENES = ("four_bar", "double_pendulum", "slider_crank", "stewart_platform", "flyball_governor")
METHODS = ("rk4", "euler", "rk2", "dopri5", "lagrange/rk4/baumgarte", "lagrange/euler/none")
LEFT_OUT = ("file.quit", "view.fullscreen")  # these end the program, or the screen as it is
WORDS = (
    "",
    "1",
    "-3",
    "0",
    "nan",
    "1e99",
    "L1*2",
    "sin(",
    "25 mm",
    "0.3",
    "t",
    "crank",
    "a.b",
    "9 deg",
    "2/0",
)
KEYS = (
    Qt.Key.Key_Escape,
    Qt.Key.Key_Return,
    Qt.Key.Key_Tab,
    Qt.Key.Key_Space,
    Qt.Key.Key_Delete,
    Qt.Key.Key_Down,
    Qt.Key.Key_5,
    Qt.Key.Key_Period,
    Qt.Key.Key_Backspace,
)
LEFT, RIGHT, MIDDLE = Qt.MouseButton.LeftButton, Qt.MouseButton.RightButton, Qt.MouseButton.MiddleButton
PLAIN, SHIFT = Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ShiftModifier
EVERY = 20  # ms between two looks for something to answer
HEAVY = ("export", "record", "import")  # dialogs that would begin long work or write files


def no_desktop(patch: pytest.MonkeyPatch) -> None:
    """Dialogs of the desktop and questions are answered at once."""
    patch.setattr(QFileDialog, "getOpenFileName", lambda *_, **__: ("", ""))
    patch.setattr(QFileDialog, "getSaveFileName", lambda *_, **__: ("", ""))
    patch.setattr(QFileDialog, "getExistingDirectory", lambda *_, **__: "")
    patch.setattr(QInputDialog, "getText", lambda *_, **__: ("1", True))
    patch.setattr(QColorDialog, "getColor", lambda *_, **__: QColorDialog().currentColor())
    patch.setattr(QMessageBox, "question", lambda *_, **__: QMessageBox.StandardButton.Discard)
    patch.setattr(QMessageBox, "warning", lambda *_, **__: QMessageBox.StandardButton.Ok)


class Monkey:
    """Each `act` is one thing; what it was is returned in words."""

    def __init__(self, window: MainWindow, seed: int) -> None:
        self.window, self.rng = window, random.Random(seed)
        self.calm = False  # no longer answers
        self._answers = random.Random(seed + 1)  # dialogs answer from a timer, so theirs are drawn apart
        self._ways: list[tuple[float, Callable[[], str]]] = [
            (5.0, self._action),
            (2.0, self._viewport),
            (1.5, self._tree),
            (1.5, self._inspector),
            (1.0, self._anything),
            (1.0, self._select),
            (1.0, self._edit),
            (0.7, self._run),
            (0.5, self._key),
            (0.2, self._open),
        ]

    def act(self) -> str:
        (way,) = self.rng.choices([way for _, way in self._ways], [share for share, _ in self._ways])
        try:
            return way()
        except (SceneError, NotPossible) as error:  # refused with a reason, as an edit in a panel is
            return f"refused: {error}"

    def keep_answering(self) -> None:
        """Answer menus and dialogs, which have loops of their own, until `calm` is set.

        A new timer each time: one that is at work in its slot does not fire again, and what it has
        chosen in a menu may open a dialog.
        """
        if not self.calm:
            QTimer.singleShot(EVERY, self.keep_answering)
            self.answer()

    def answer(self) -> None:
        """Something is in front: leave it, or accept it, or press something in it."""
        front = in_front()
        if front is None:
            return
        turn = self._answers.random()
        heavy = any(word in front.objectName().lower() for word in HEAVY)
        if isinstance(front, QMenu):
            entries = [entry for entry in front.actions() if entry.isEnabled() and not entry.menu()]
            if entries and turn < 0.4 and entries[0].objectName() not in LEFT_OUT:
                chosen = self._answers.choice(entries)
                if chosen.objectName() not in LEFT_OUT:
                    front.setActiveAction(chosen)
                    QTest.keyClick(front, Qt.Key.Key_Return)
                    return
            front.close()
        elif isinstance(front, QDialog):
            lines = [line for line in front.findChildren(QLineEdit) if line.isVisible() and line.isEnabled()]
            if lines and turn < 0.5:
                line = self._answers.choice(lines)
                line.setText(self._answers.choice(WORDS))
                line.textEdited.emit(line.text())
            front.accept() if turn < 0.4 and not heavy else front.reject()
        else:
            front.close()

    # ways

    def _action(self) -> str:
        made = self.window.menus.actions
        id = self.rng.choice([id for id, one in made.items() if one.isEnabled() and id not in LEFT_OUT])
        made[id].trigger()
        return id

    def _viewport(self) -> str:
        view, rng = self.window.viewport, self.rng
        if not view.isVisible():
            return "viewport hidden"
        begin, end = self._spot(view), self._spot(view)
        what = rng.choice(["click", "click", "drag", "drag", "double", "wheel", "menu"])
        modifier = rng.choice([PLAIN, PLAIN, SHIFT])
        if what == "click":
            QTest.mouseMove(view, begin)
            QTest.mouseClick(view, LEFT, modifier, begin)
        elif what == "double":
            QTest.mouseDClick(view, LEFT, modifier, begin)
        elif what == "menu":
            QTest.mouseClick(view, RIGHT, PLAIN, begin)
        elif what == "wheel":
            turn = QPoint(0, rng.choice([-240, 120]))
            held, phase = Qt.MouseButton.NoButton, Qt.ScrollPhase.NoScrollPhase
            spot, whole = QPointF(begin), QPointF(view.mapToGlobal(begin))
            QApplication.sendEvent(view, QWheelEvent(spot, whole, QPoint(), turn, held, PLAIN, phase, False))
        else:
            button = rng.choice([LEFT, LEFT, MIDDLE, RIGHT])
            QTest.mousePress(view, button, modifier, begin)
            for part in range(1, 4):
                QTest.mouseMove(view, begin + (end - begin) * part / 3)
                QApplication.processEvents()
            QTest.mouseRelease(view, button, modifier, end)
        return f"viewport {what}"

    def _tree(self) -> str:
        view, rng = self.window.docks.panels["tree"].view, self.rng
        items = list(self.window.docks.panels["tree"]._items.values())
        item = rng.choice(items)
        spot = view.visualItemRect(item).center()
        what = rng.choice(["click", "click", "more", "eye", "rename", "menu", "search"])
        if what == "search":
            self.window.docks.panels["tree"].search.setText(rng.choice(WORDS))
        elif what == "rename":
            view.editItem(item, 0)
            editor = view.findChild(QLineEdit)
            if editor is not None:
                editor.setText(rng.choice(WORDS))
                QTest.keyClick(editor, Qt.Key.Key_Return)
        elif what == "menu":
            view.customContextMenuRequested.emit(spot)
        else:
            modifier = Qt.KeyboardModifier.ControlModifier if what == "more" else PLAIN
            if what == "eye":
                spot.setX(view.viewport().width() - 10)
            QTest.mouseClick(view.viewport(), LEFT, modifier, spot)
        return f"tree {what}"

    def _inspector(self) -> str:
        return self._use(self.window.docks.panels["inspector"])

    def _anything(self) -> str:
        """A click on any widget that is there: in the window, or in one of its panels.

        Not from a list of all of them: Python would keep an object for every widget inside of Qt's own, such
        as the list of a combo box, long after it has gone.
        """
        panels = [panel for panel in self.window.docks.panels.values() if panel.isVisible()]
        holder = self.rng.choice([self.window, *panels])
        widget = holder.childAt(self._spot(holder)) or holder
        if not widget.isEnabled():
            return "click on something disabled"
        QTest.mouseClick(widget, self.rng.choice([LEFT, LEFT, RIGHT]), PLAIN, self._spot(widget))
        return f"click {widget.objectName() or type(widget).__name__}"

    def _use(self, panel: QWidget) -> str:
        kinds = (QLineEdit, QComboBox, QCheckBox, QAbstractButton)
        found = [w for kind in kinds for w in panel.findChildren(kind) if w.isVisible() and w.isEnabled()]
        if not found:
            return "nothing to use"
        widget, rng = self.rng.choice(found), self.rng
        name = widget.objectName()
        if isinstance(widget, QLineEdit):
            widget.setFocus()
            widget.selectAll()
            QTest.keyClicks(widget, rng.choice(WORDS))
            QTest.keyClick(widget, rng.choice([Qt.Key.Key_Return, Qt.Key.Key_Escape, Qt.Key.Key_Tab]))
        elif isinstance(widget, QComboBox) and widget.count():
            index = rng.randrange(widget.count())
            widget.setCurrentIndex(index)
            widget.activated.emit(index)
        else:
            QTest.mouseClick(widget, LEFT)
        return f"use {name}"

    def _select(self) -> str:
        scene = self.window.session.document.scene
        lists = ("bodies", "joints", "forces", "groups", "parameters", "motions")
        refs = [Ref(where, item.name) for where in lists for item in getattr(scene, where)]
        self.window.session.selection.set(self.rng.sample(refs, min(len(refs), self.rng.randrange(4))))
        return "select"

    def _edit(self) -> str:
        document = self.window.session.document
        if self.rng.random() < 0.4:
            (document.stack.undo if self.rng.random() < 0.6 else document.stack.redo)()
            return "undo or redo"
        try:
            name, edit = random_edit(document.scene, self.rng)
        except (ValueError, KeyError) as error:
            return f"refused: {error}"
        document.apply(edit)
        return f"edit {name}"

    def _run(self) -> str:
        session, rng = self.window.session, self.rng
        what = rng.choice(["method", "step", "seek", "speed", "play"])
        if what == "method":
            session.set_method(rng.choice(METHODS))
        elif what == "step":
            session.set_method(dt=rng.choice([1e-4, 1e-3, 5e-3, 2e-2]))
        elif what == "seek" and session.current is not None:
            session.transport.seek(rng.uniform(-0.1, session.current.t_last + 0.1))
        elif what == "speed":
            session.transport.set_speed(rng.choice([0.01, 0.5, 1.0, 20.0, float("inf")]))
        else:
            session.transport.play()
        return what

    def _key(self) -> str:
        key = self.rng.choice(KEYS)
        target = QApplication.focusWidget() or self.window.viewport
        QTest.keyClick(target, key)
        return f"key {key.name}"

    def _open(self) -> str:
        """A shipped scene, without its file: so it can be saved nowhere."""
        name = self.rng.choice(SCENES)
        self.window.session.document.load(load_scene(scene_paths()[name]))
        return f"open {name}"

    def _spot(self, widget: QWidget) -> QPoint:
        return QPoint(self.rng.randrange(max(widget.width(), 1)), self.rng.randrange(max(widget.height(), 1)))
