"""A thread for what takes longer than a frame; whoever owns it picks up the results between two frames."""

from __future__ import annotations

import os
import queue
import subprocess
import threading
import traceback
from collections.abc import Callable
from pathlib import Path

import engine
from engine.simulation.live.mailbox import News


class Worker:
    """A thread for what takes longer than a frame; its owner reads `results`, and calls them."""

    def __init__(self, name: str, fault: Callable[[str], object]) -> None:
        self.results: News[Callable[[], object]] = News()
        self._fault = fault
        self._jobs: queue.SimpleQueue[Callable[[], object] | None] = queue.SimpleQueue()
        self._process: subprocess.Popen[str] | None = None
        self._cancelled = threading.Event()
        self._open = 0  # jobs whose results have not been picked up
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    @property
    def busy(self) -> bool:
        return self._open > 0

    def post(self, job: Callable[[], object]) -> None:
        self._open += 1
        self._jobs.put(job)

    def rest(self, seconds: float) -> bool:
        """On the thread: wait; False when the end has come."""
        return not self._cancelled.wait(seconds)

    def _run(self) -> None:
        while True:
            job = self._jobs.get()
            if job is None or self._cancelled.is_set():
                return
            try:
                job()
            except Exception:
                self._told(traceback.format_exc())
            self.results.post(self._close_one)

    def _told(self, text: str) -> None:
        self.results.post(lambda: self._fault(text))

    def _close_one(self) -> None:
        self._open -= 1

    def run_process(self, command: list[str], tell: Callable[[str], object]) -> int:
        """Run a program to its end; each of its lines is told. Gives its exit code."""
        root = str(Path(engine.__file__).resolve().parent.parent)
        paths = os.pathsep.join(filter(None, (root, os.environ.get("PYTHONPATH", ""))))
        env = {**os.environ, "PYTHONPATH": paths}
        with subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=env
        ) as process:
            self._process = process
            assert process.stdout is not None
            for line in process.stdout:
                tell(line.strip())
                if self._cancelled.is_set():
                    process.kill()
                    break
        self._process = None
        return process.returncode

    def kill_process(self) -> None:
        """End the program that is being run, if there is one."""
        process = self._process
        if process is not None:
            process.kill()

    def cancel(self) -> None:
        self._cancelled.set()
        self.kill_process()
        self._jobs.put(None)

    def stop(self, timeout: float) -> bool:
        self._thread.join(timeout)
        return not self._thread.is_alive()
