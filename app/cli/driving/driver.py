"""Obey a script of JSON lines in the real window; every line gets one answer."""

import json
import queue
import sys
import threading
import time
import traceback
from collections.abc import Callable, Generator, Iterable
from pathlib import Path
from types import TracebackType
from typing import Any

from PySide6.QtCore import QEvent, QObject, QPoint, Qt, QTimer
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QMessageBox, QWidget

from app.cli.driving.dumps import DUMPS
from app.cli.driving.private_window import in_front, own_window, whole_picture
from app.cli.driving.targets import ScriptError, Spot, pixel_of, spot_of, unknown, widget_of
from app.platform.picture_bytes import picture_bytes
from app.platform.resources import find_scene
from app.platform.user_error import InputError
from app.window.actions import ACTIONS
from app.window.main_window import MainWindow

Answer = dict[str, Any]
Steps = Generator[None, None, Answer]  # yields until it is done, so that the window goes on meanwhile
PERIOD = 5  # ms between two looks at what is going on
PATIENCE = 60.0  # s for one deed
ACTIVATION = 1.0  # s that a display may take to give the window the keys
DRAG_STEPS = 10

TYPED = {"\n": Qt.Key.Key_Return, "\t": Qt.Key.Key_Tab}

BUTTONS = {
    "left": Qt.MouseButton.LeftButton,
    "middle": Qt.MouseButton.MiddleButton,
    "right": Qt.MouseButton.RightButton,
}
MODIFIERS = {
    "alt": Qt.KeyboardModifier.AltModifier,
    "ctrl": Qt.KeyboardModifier.ControlModifier,
    "shift": Qt.KeyboardModifier.ShiftModifier,
}


class Driver(QObject):
    """Runs one line after the other from the event loop, dialogs included."""

    def __init__(
        self,
        window: MainWindow,
        lines: Iterable[str],
        answer: Callable[[Answer], object],
        done: Callable[[], object],
    ) -> None:
        super().__init__()
        self.failures = 0
        self._window, self._answer, self._done = window, answer, done
        self._number = 0
        self._steps: Steps | None = None
        self._faults: list[str] = []  # exceptions of slots and event handlers
        self._lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._commands: dict[str, Callable[[Any, dict[str, Any]], Steps]] = {
            "act": self._act,  # keep sorted
            "click": self._click,
            "drag": self._drag,
            "dump": self._dump,
            "key": self._key,
            "move": self._move,
            "open": self._open,
            "project": self._project,
            "screenshot": self._screenshot,
            "size": self._size,
            "type": self._type,
            "wait": self._wait,
            "wait_idle": self._wait_idle,
            "wait_run": self._wait_run,
        }
        self._hook_before = sys.excepthook
        sys.excepthook = self._fault
        # the script may come slowly, from a pipe: reading it must not hold up the window
        threading.Thread(target=self._read, args=(lines,), name="trammel-script", daemon=True).start()
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._look)
        self._timer.start(PERIOD)

    def _read(self, lines: Iterable[str]) -> None:
        try:
            for line in lines:
                self._lines.put(line)
        finally:
            self._lines.put(None)

    def _fault(self, kind: type[BaseException], error: BaseException, trace: TracebackType | None, /) -> None:
        self._faults.append("".join(traceback.format_exception(kind, error, trace)))

    # one line after the other

    def _look(self) -> None:
        while True:
            if self._steps is None and not self._begin():
                return
            assert self._steps is not None
            try:
                next(self._steps)
                return
            except StopIteration as end:
                self._finish({"ok": True, **end.value})
            except (ScriptError, InputError) as error:
                self._finish({"ok": False, "error": str(error)})
            except Exception as error:  # a mistake of ours must not leave the script without an answer
                self._finish({"ok": False, "error": f"{type(error).__name__}: {error}"})

    def _begin(self) -> bool:
        """Take the next line; False when there is none yet."""
        try:
            line = self._lines.get_nowait()
        except queue.Empty:
            return False
        if line is None:
            self._timer.stop()
            sys.excepthook = self._hook_before
            self._done()
            return False
        self._number += 1
        self._faults.clear()
        if not line.strip() or line.lstrip().startswith("#"):
            return self._begin()
        self._steps = self._do(line)
        return True

    def _finish(self, answer: Answer) -> None:
        self._steps = None
        if self._faults:
            answer = {**answer, "ok": False, "error": self._faults[0].strip().splitlines()[-1]}
            answer["traceback"] = self._faults[0]
        self.failures += not answer["ok"]
        self._answer({**answer, "line": self._number})

    def _do(self, line: str) -> Steps:
        try:
            command = json.loads(line)
        except ValueError as error:
            raise ScriptError(f"this is not JSON: {error}") from None
        words = [word for word in command if word in self._commands] if isinstance(command, dict) else []
        if len(words) != 1:
            raise ScriptError(f"a line holds one of {', '.join(self._commands)}")
        if not self._window.isVisible():
            raise ScriptError("the window is closed")
        return (yield from self._commands[words[0]](command[words[0]], command))

    def _deed(self, do: Callable[[], object]) -> Steps:
        """Do it from the event loop, and go on when it is done or has opened a menu or dialog."""
        front, ended, errors = in_front(), [], []
        if front is None and QApplication.activeWindow() is None:
            self._window.activateWindow()  # without a display nobody gives it the keys back after a dialog
            begun = time.monotonic()
            while QApplication.activeWindow() is None and time.monotonic() - begun < ACTIVATION:
                yield  # shortcuts are those of an active window

        def run() -> None:
            try:
                do()
            except (ScriptError, InputError) as error:
                errors.append(str(error))
            finally:
                ended.append(True)

        QTimer.singleShot(0, run)
        limit = time.monotonic() + PATIENCE
        yield
        while not ended and (in_front() is None or in_front() is front):
            if time.monotonic() > limit:
                raise ScriptError(f"not done within {PATIENCE:g} s")
            yield
        if errors:
            raise ScriptError(errors[0])
        yield  # what it posted
        now = in_front()
        return {} if now is None else {"front": _title(now)}

    # commands

    def _act(self, id: str, _: dict[str, Any]) -> Steps:
        actions = self._window.menus.actions
        if id not in actions:
            raise ScriptError(unknown("action", str(id), actions))
        if not actions[id].isEnabled():
            needs = next(entry.needs for entry in ACTIONS if entry.id == id)
            raise ScriptError(f"{id} is not possible now; it needs: {needs.name if needs else ''}")
        front = in_front()
        if front is not None:
            raise ScriptError(f"{id} is behind {_title(front)}")
        return (yield from self._deed(actions[id].trigger))

    def _open(self, name: str, _: dict[str, Any]) -> Steps:
        path = find_scene(str(name))
        opened: list[bool] = []
        answer = yield from self._deed(lambda: opened.append(self._window.open_path(path)))
        if opened != [True]:  # a saved run leaves the document without a path
            raise ScriptError(f"{path} is not open: {answer.get('front', 'it was refused')}")
        return {**answer, "path": str(path)}

    def _click(self, where: Any, _: dict[str, Any]) -> Steps:
        widget, point = spot_of(self._window, where)
        _check_free(widget)
        button, keys = _button(where), _modifiers(where)
        twice = bool(where.get("double"))

        def click() -> None:
            window, at = _in_window(spot_of(self._window, where))  # it may have been made anew meanwhile
            QTest.mouseMove(window, at)
            QTest.mouseClick(window, button, keys, at)
            if twice:
                QTest.mouseDClick(window, button, keys, at)

        told = self._told((widget, point))  # a button that closes its dialog is gone after the click
        answer = yield from self._deed(click)
        return {**answer, "at": told}

    def _move(self, where: Any, _: dict[str, Any]) -> Steps:
        spot = spot_of(self._window, where)
        yield from self._deed(lambda: QTest.mouseMove(*_in_window(spot)))
        return {"at": self._told(spot)}

    def _drag(self, how: Any, _: dict[str, Any]) -> Steps:
        if not isinstance(how, dict) or "from" not in how or not ("to" in how or "by" in how):
            raise ScriptError('a drag needs "from", and "to" or "by": [dx, dy]')
        widget, begin = spot_of(self._window, how["from"])
        _check_free(widget)
        if "to" in how:
            other, there = spot_of(self._window, how["to"])
            end = widget.mapFromGlobal(other.mapToGlobal(there))
        else:
            end = begin + QPoint(*map(round, how["by"]))
        button, keys = _button(how), _modifiers(how)
        number = max(1, int(how.get("steps", DRAG_STEPS)))
        window, at = _in_window((widget, begin))
        told = {"from": self._told((widget, begin)), "to": self._told((widget, end))}
        way = _in_window((widget, end))[1] - at  # in pixels of the window: the widget may be made anew
        front = in_front()

        def press() -> None:
            QTest.mouseMove(window, at)
            QTest.mousePress(window, button, keys, at)

        # a press may open a menu or close one, with an event loop of its own
        answer = yield from self._deed(press)
        if in_front() is not front:
            return {**answer, "at": self._told((self._window, at))}
        for i in range(1, number + 1):
            yield
            QTest.mouseMove(window, at + way * (i / number))
        yield
        answer = yield from self._deed(lambda: QTest.mouseRelease(window, button, keys, at + way))
        return {**answer, **told}

    def _key(self, text: str, _: dict[str, Any]) -> Steps:
        sequence: Any = QKeySequence(str(text))  # its stub does not know that it can be indexed
        if not sequence.count() or sequence[0].key() == Qt.Key.Key_unknown:
            raise ScriptError(f"{text!r} is no key; write for instance Ctrl+Z")

        def press() -> None:
            for i in range(sequence.count()):
                QTest.keyClick(self._focus(), sequence[i].key(), sequence[i].keyboardModifiers())

        return (yield from self._deed(press))

    def _type(self, text: str, _: dict[str, Any]) -> Steps:
        def write() -> None:
            for letter in str(text):
                if letter in TYPED:
                    QTest.keyClick(self._focus(), TYPED[letter])
                    continue
                key = ord(letter.upper()) if letter.isascii() else int(Qt.Key.Key_unknown)
                for kind in (QEvent.Type.KeyPress, QEvent.Type.KeyRelease):
                    event = QKeyEvent(kind, key, Qt.KeyboardModifier.NoModifier, letter)
                    QApplication.sendEvent(self._focus(), event)

        return (yield from self._deed(write))

    def _focus(self) -> QWidget:
        front = in_front()
        if front is not None:
            return front.focusWidget() or front
        return QApplication.focusWidget() or self._window.focusWidget() or self._window

    def _wait(self, seconds: float, _: dict[str, Any]) -> Steps:
        limit = time.monotonic() + float(seconds)
        while time.monotonic() < limit:
            yield
        return {}

    def _wait_idle(self, seconds: float, command: dict[str, Any]) -> Steps:
        """Until nothing is being worked out, and the session is in the state that is asked for."""
        begin, wanted = time.monotonic(), command.get("state")
        session = self._window.session
        yield
        while (
            session.busy
            or session.state == "compiling"
            or self._undrawn()
            or session.state != (wanted or session.state)
        ):
            if time.monotonic() - begin > float(seconds):
                raise ScriptError(
                    f"still {session.state} after {seconds:g} s {session.lifecycle.progress}".strip()
                )
            yield
        return {"state": session.state, "seconds": round(time.monotonic() - begin, 3)}

    def _wait_run(self, instant: float, command: dict[str, Any]) -> Steps:
        """Until the playhead has come to an instant, however late the run began."""
        limit, session = time.monotonic() + float(command.get("patience", PATIENCE)), self._window.session
        while session.t < float(instant):
            if time.monotonic() > limit:
                raise ScriptError(f"the playhead is at {session.t:g} s, {session.state}; see patience")
            yield
        return {"t": session.t}

    def _undrawn(self) -> bool:
        """Whether the viewport has yet to show a resting state."""
        window, viewport = self._window, self._window.viewport
        if not viewport.is_open or viewport.visibleRegion().isEmpty():
            return False
        return window.session.state != "playing" and viewport.view.dirty

    def _screenshot(self, file: Any, command: dict[str, Any]) -> Steps:
        if not isinstance(file, str):
            raise ScriptError('screenshot needs the name of a file: {"screenshot": "a.png", "widget": …}')
        path = Path(file)
        if not path.parent.is_dir():
            raise ScriptError(f"there is no folder {path.parent}")
        yield
        name = command.get("widget")
        picture = widget_of(str(name)).grab() if name else whole_picture(self._window)
        try:
            path.write_bytes(picture_bytes(picture, path.suffix))
        except OSError as error:
            raise ScriptError(f"{path} cannot be written; use for instance .png: {error}") from None
        return {"file": str(path), "size": [picture.width(), picture.height()]}

    def _size(self, pixels: Any, _: dict[str, Any]) -> Steps:
        if not (isinstance(pixels, list) and len(pixels) == 2 and all(isinstance(n, int) for n in pixels)):
            raise ScriptError('size needs width and height in pixels: {"size": [1024, 700]}')
        self._window.resize(*pixels)
        yield
        return {"size": [self._window.width(), self._window.height()]}

    def _dump(self, what: str, _: dict[str, Any]) -> Steps:
        if what not in DUMPS:
            raise ScriptError(unknown("dump", str(what), DUMPS) + f"; there are {', '.join(DUMPS)}")
        yield
        return {what: DUMPS[what](self._window)}

    def _project(self, where: Any, _: dict[str, Any]) -> Steps:
        if not isinstance(where, dict):
            raise ScriptError('project needs {"ref": ["bodies", "crank"], "point": …}')
        yield
        pixel = pixel_of(self._window, where)
        inside = self._window.viewport.rect().contains(pixel.toPoint())
        whole = self._window.viewport.mapTo(self._window, pixel)
        return {"x": whole.x(), "y": whole.y(), "viewport": [pixel.x(), pixel.y()], "inside": inside}

    def _told(self, spot: Spot) -> Answer:
        at = _in_window(spot)[1]
        return {"widget": spot[0].objectName(), "x": at.x(), "y": at.y()}


def _in_window(spot: Spot) -> tuple[Any, QPoint]:
    """The native window and the pixel in it: events take the way that real ones take."""
    widget, point = spot
    window = widget.window()
    if window.windowHandle() is None:
        raise ScriptError(f"{widget.objectName()} has no window: it is not shown, or was just made anew")
    return window.windowHandle(), widget.mapTo(window, point)


def _check_free(widget: QWidget) -> None:
    front = in_front()
    if front is not None and widget.window() is not front.window():
        raise ScriptError(f"{widget.objectName()} is behind {_title(front)}")
    if not widget.isEnabled():
        raise ScriptError(f"{widget.objectName()} is disabled")


def _title(widget: QWidget) -> str:
    text = f": {widget.text()}" if isinstance(widget, QMessageBox) else ""
    sort = "dialog" if isinstance(widget, QDialog) else "menu"
    return f"{sort} {widget.windowTitle() or widget.objectName()}{text}"


def _button(how: dict[str, Any]) -> Qt.MouseButton:
    name = how.get("button", "left")
    if name not in BUTTONS:
        raise ScriptError(f"there is no button {name!r}; there are {', '.join(BUTTONS)}")
    return BUTTONS[name]


def _modifiers(how: dict[str, Any]) -> Qt.KeyboardModifier:
    keys = Qt.KeyboardModifier.NoModifier
    for name in how.get("modifiers", ()):
        if str(name).lower() not in MODIFIERS:
            raise ScriptError(f"there is no modifier {name!r}; there are {', '.join(MODIFIERS)}")
        keys |= MODIFIERS[str(name).lower()]
    return keys


def drive(lines: Iterable[str], answer: Callable[[Answer], object], *, offscreen: bool) -> int:
    """Open the window, obey, close it; how many lines failed."""
    with own_window(offscreen=offscreen) as window:
        running = QApplication.instance()
        assert isinstance(running, QApplication)
        running.setQuitOnLastWindowClosed(False)  # a script may close the window and say more
        # `quit` would ask about unsaved work, with nobody there to answer
        driver = Driver(window, lines, answer, lambda: running.exit(0))
        running.exec()
        running.setQuitOnLastWindowClosed(True)
    return driver.failures
