"""Work that another process of this program does: it is told progress, and can be killed."""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
import threading
from collections.abc import Sequence
from pathlib import Path

from app.exchange.jobs.export_job import ExportJob, Work
from engine.progress import Cancel, Cancelled, Progress
from engine.results.files.whole_file import part_name

ROOT = Path(__file__).resolve().parents[3]


class ChildJob(ExportJob):
    """A job whose work is mostly `call`; cancelling kills the child."""

    def __init__(self, work: Work) -> None:
        self._process: subprocess.Popen[str] | None = None
        super().__init__(work)

    def cancel(self) -> None:
        super().cancel()
        process = self._process
        if process is not None:
            process.kill()

    def call(
        self,
        words: Sequence[str],
        files: Sequence[Path],
        progress: Progress,
        cancel: Cancel,
        *,
        feed: str = "",
    ) -> None:
        """`python -m WORDS` that writes these files; `feed` is what it reads. Raises ValueError, Cancelled.

        The child tells {"progress": share} in lines, and what went wrong in its last line to stderr.
        """
        with subprocess.Popen(
            [sys.executable, "-m", *words],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            cwd=ROOT,
        ) as process:
            self._process = process
            if cancel():
                process.kill()
            feeder = threading.Thread(target=_feed, args=(process, feed), daemon=True)
            feeder.start()
            assert process.stdout is not None
            assert process.stderr is not None
            for line in process.stdout:
                with contextlib.suppress(ValueError, TypeError, KeyError):
                    progress(float(json.loads(line)["progress"]), "writing")
            said = process.stderr.read()
            feeder.join()
        self._process = None
        for file in files:
            part_name(file.resolve(), process.pid).unlink(missing_ok=True)  # of a child that was killed
        if cancel():
            raise Cancelled
        if process.returncode:
            raise ValueError(_cause(said) or f"{words[-1]} ended with code {process.returncode}")


def _cause(said: str) -> str:
    """What a child told last; of a mistake of the program also which, not only where to report it."""
    lines = [line for line in said.splitlines() if line.strip()]
    return "\n".join(lines[-2:] if lines and lines[-1].startswith("Please report") else lines[-1:])


def _feed(process: subprocess.Popen[str], text: str) -> None:
    """On a thread: a child that talks before it listens must not stop us."""
    assert process.stdin is not None
    with contextlib.suppress(OSError):
        process.stdin.write(text)
    with contextlib.suppress(OSError):
        process.stdin.close()
