"""Films and reports come from another process: the run is saved, a command works on it and tells how far."""

from __future__ import annotations

import contextlib
import dataclasses
import json
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import msgspec

from app.export.extracts import extract_of
from app.export.job import Cancel, ExportJob, Progress
from app.run import Run
from engine.runtime.saving import Cancelled, Choice, part_name, save

SAVED = 0.1  # of the progress is for saving the run


class ProcessJob(ExportJob):
    """`trammel COMMAND RUN --out FILE --background OPTIONS`, with the view of the window in the saved run."""

    def __init__(
        self,
        command: str,
        run: Run,
        view: dict[str, object],
        file: Path,
        options: Sequence[str],
        *,
        folder: Path,
    ) -> None:
        self._command, self._run_, self._view = command, run, view
        self._file = file.resolve()
        self._options = ["--folder", str(folder.resolve()), *options]  # of the mesh files
        self._process: subprocess.Popen[str] | None = None
        super().__init__(self._make)

    def cancel(self) -> None:
        super().cancel()
        process = self._process
        if process is not None:
            process.kill()

    # on the thread

    def _make(self, progress: Progress, cancel: Cancel) -> None:
        with tempfile.TemporaryDirectory(prefix="trammel-") as folder:
            saved = Path(folder) / "run.npz"
            extract = extract_of(
                self._run_, (), Choice(), progress=lambda x: progress(SAVED * x), cancel=cancel
            )
            scene = msgspec.structs.replace(extract.scene, view=dict(self._view))
            save(dataclasses.replace(extract, scene=scene), saved)
            if cancel():
                raise Cancelled
            self._start(saved, progress, cancel)

    def _start(self, saved: Path, progress: Progress, cancel: Cancel) -> None:
        words = ["-m", "app", self._command, str(saved), "--out", str(self._file), "--background"]
        root = Path(__file__).resolve().parent.parent.parent
        with subprocess.Popen(
            [sys.executable, *words, *self._options],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            cwd=root,
        ) as process:
            self._process = process
            if cancel():
                process.kill()
            assert process.stdout is not None
            assert process.stderr is not None
            for line in process.stdout:
                with contextlib.suppress(ValueError, TypeError, KeyError):
                    progress(SAVED + (1.0 - SAVED) * float(json.loads(line)["progress"]))
            said = process.stderr.read()
        self._process = None
        part_name(self._file, process.pid).unlink(missing_ok=True)  # of a process that was killed
        if cancel():
            raise Cancelled
        if process.returncode:
            lines = [line for line in said.splitlines() if line.strip()]
            raise ValueError(lines[-1] if lines else f"{self._command} ended with code {process.returncode}")
