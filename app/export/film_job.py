"""A film made by another process: the run is saved, `trammel render` films it, its progress is read."""

from __future__ import annotations

import contextlib
import dataclasses
import json
import subprocess
import sys
import tempfile
import threading
import traceback
from pathlib import Path

import msgspec

from app.export.extracts import extract_of
from app.export.film import part_name
from app.run import Run
from engine.runtime.saving import Cancelled, Choice, save

SAVED = 0.1  # of the progress is for saving the run


class FilmJob:
    """Begins at once. `done` is set last; `error` is empty after a success and after a cancel."""

    def __init__(self, run: Run, view: dict[str, object], file: Path, options: list[str]) -> None:
        self.progress = 0.0
        self.error = ""
        self._run_, self._view, self._file, self._options = run, view, file.resolve(), options
        self._process: subprocess.Popen[str] | None = None
        self._cancelled, self._done = threading.Event(), threading.Event()
        self._thread = threading.Thread(target=self._work, name="trammel-film", daemon=True)
        self._thread.start()

    @property
    def done(self) -> bool:
        return self._done.is_set()

    @property
    def cancelled(self) -> bool:
        return self._cancelled.is_set()

    def cancel(self) -> None:
        self._cancelled.set()
        process = self._process
        if process is not None:
            process.kill()

    def wait(self, timeout: float) -> bool:
        """Whether the thread ended in that time [s]."""
        self._thread.join(timeout)
        return not self._thread.is_alive()

    # on the thread

    def _work(self) -> None:
        try:
            with tempfile.TemporaryDirectory(prefix="trammel-film-") as folder:
                saved = Path(folder) / "run.npz"
                self._save(saved)
                self._film(saved)
        except Cancelled:
            pass
        except OSError as error:
            self.error = f"{error.strerror or error}\n{error.filename or ''}".strip()
        except ValueError as error:
            self.error = str(error)
        except Exception:
            self.error = f"the film met a fault of the program:\n{traceback.format_exc()}"
        finally:
            self._done.set()

    def _save(self, file: Path) -> None:
        def progress(share: float) -> None:
            self.progress = SAVED * share

        extract = extract_of(self._run_, (), Choice(), progress=progress, cancel=self._cancelled.is_set)
        scene = msgspec.structs.replace(extract.scene, view=dict(self._view))
        save(dataclasses.replace(extract, scene=scene), file)

    def _film(self, saved: Path) -> None:
        if self._cancelled.is_set():
            raise Cancelled
        words = ["-m", "app", "render", str(saved), "--out", str(self._file), "--background", *self._options]
        command = [sys.executable, *words]
        root = Path(__file__).resolve().parent.parent.parent
        with subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, encoding="utf-8", cwd=root
        ) as process:
            self._process = process
            if self._cancelled.is_set():
                process.kill()
            assert process.stdout is not None
            assert process.stderr is not None
            for line in process.stdout:
                with contextlib.suppress(ValueError, TypeError, KeyError):
                    self.progress = SAVED + (1.0 - SAVED) * float(json.loads(line)["progress"])
            said = process.stderr.read()
        self._process = None
        part_name(self._file, process.pid).unlink(missing_ok=True)  # of a process that was killed
        if self._cancelled.is_set():
            raise Cancelled
        if process.returncode:
            lines = [line for line in said.splitlines() if line.strip()]
            raise ValueError(lines[-1] if lines else f"filming ended with code {process.returncode}")
