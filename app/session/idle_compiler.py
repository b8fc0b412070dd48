"""Methods are compiled before they are chosen, by another process, while nothing else is being compiled."""

from __future__ import annotations

from PySide6.QtCore import QObject, QProcess, QProcessEnvironment, QTimer, Signal

from app.session.background.python_child import child_environment, warmup_command
from app.session.session import Session

DELAY = 3000  # ms after the last compilation that somebody waited for
END = 2000  # ms within which a process that was killed ends


class IdleCompiler(QObject):
    """Has all kernels compiled that the cache does not have; what a run waits for comes first.

    `changed` tells of progress: `done` of `total` pieces, while it is `active`.
    """

    changed = Signal()

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self.wanted = False
        self.active = False
        self.done, self.total = 0, 0
        self._process: QProcess | None = None
        self._delay = QTimer(self)
        self._delay.setSingleShot(True)
        self._delay.setInterval(DELAY)
        self._delay.timeout.connect(self._begin)
        session.state_changed.connect(self._make_way)

    def start(self) -> None:
        """As soon as nobody waits for another compilation."""
        self.wanted = True
        self._delay.start()

    def stop(self) -> None:
        """For good; what is compiled stays."""
        self.wanted = False
        self._end()

    def _make_way(self, state: str) -> None:
        if not self.wanted:
            return
        if state == "compiling":
            self._end()
        elif not self.active:
            self._delay.start()

    def _begin(self) -> None:
        if not self.wanted or self.active or self._session.state == "compiling":
            return
        process = QProcess(self)
        environment = QProcessEnvironment()
        for name, value in child_environment().items():
            environment.insert(name, value)
        process.setProcessEnvironment(environment)
        process.setStandardErrorFile(QProcess.nullDevice())
        process.readyReadStandardOutput.connect(self._read)
        process.finished.connect(self._finished)
        process.errorOccurred.connect(self._failed)
        self._process, self.active = process, True
        program, *arguments = warmup_command("--idle")
        process.start(program, arguments)

    def _end(self) -> None:
        self._delay.stop()
        process, self._process = self._process, None
        if process is not None:
            process.finished.disconnect(self._finished)
            process.errorOccurred.disconnect(self._failed)
            process.kill()
            process.waitForFinished(END)
            process.deleteLater()
        self._show(active=False)

    def _read(self) -> None:
        if self._process is None:
            return
        for line in bytes(self._process.readAllStandardOutput().data()).decode().splitlines():
            count, _, _ = line.partition(" ")
            done, _, total = count.partition("/")
            if done.isdigit() and total.isdigit():
                self.done, self.total = int(done), int(total)
        self.changed.emit()

    def _finished(self, *_: object) -> None:
        self.wanted = False  # all is there; or it cannot be had, and a run that needs it says why
        self._end()

    def _failed(self, error: QProcess.ProcessError) -> None:
        if error is QProcess.ProcessError.FailedToStart:
            self._finished()

    def _show(self, *, active: bool) -> None:
        if self.active is not active:
            self.active = active
            self.changed.emit()
