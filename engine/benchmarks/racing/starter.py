"""Starts the processes of a race, gives them one clock, and keeps what they find."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from multiprocessing.connection import Connection, wait
from typing import Any

from engine.benchmarks.racing.child import run_lane
from engine.benchmarks.racing.entry import Entry
from engine.benchmarks.racing.processes import environment, process_context
from engine.benchmarks.racing.track import Track
from engine.errors import SceneError
from engine.results.recorder import Budget

LOOK = 0.1  # s between two looks whether all is over


class Starter(threading.Thread):
    """Runs entries side by side. `tracks` are there when `begun` is set; the first is the reference, if any.

    Nobody waits for this thread: who watches reads the tracks. `error` says why nothing could begin.
    """

    def __init__(
        self,
        entries: Callable[[], Sequence[Entry]],
        *,
        reference: bool = True,
        budget: Budget | None = None,
        clock: float = 0.0,
    ) -> None:
        super().__init__(name="trammel-race", daemon=True)
        self.tracks: tuple[Track, ...] = ()
        self.begun, self.error = threading.Event(), ""
        self._entries, self._reference, self._budget = entries, reference, budget
        self._context: Any = process_context()
        self._clock: Any = self._context.Value("d", clock, lock=False)
        self._compiling = self._context.Lock()
        self._stopping = threading.Event()
        self._processes: list[Any] = []
        self.start()

    # asked by anyone

    @property
    def over(self) -> bool:
        return not self.is_alive() or (self.begun.is_set() and all(track.over for track in self.tracks))

    @property
    def t(self) -> float:
        """How far all have come that still run [s]; when none does, where the last of them ended."""
        running = [track.t for track in self.tracks if not track.over]
        return min(running) if running else max((track.t for track in self.tracks), default=0.0)

    def let_run(self, t: float) -> None:
        """Simulate up to this instant [s], no further; never back."""
        self._clock.value = max(self._clock.value, t)

    def ask_to_stop(self) -> None:
        """End the processes soon."""
        self._stopping.set()

    def stop(self, timeout: float) -> bool:
        """End the processes; False when the thread did not end in time."""
        self.ask_to_stop()
        self.join(timeout)
        return not self.is_alive()

    # the thread

    def run(self) -> None:
        pipes: dict[Connection, Track] = {}
        try:
            tracks = tuple(Track.of(entry, self._budget) for entry in self._entries())
            pipes = self._start(tracks)
            self.tracks = tracks
        except (SceneError, OSError) as error:
            self.error = str(error)
        except RuntimeError as error:  # multiprocessing: the main module starts a window when it is imported
            self.error = f"no process could be started: {' '.join(str(error).split())}"
        finally:
            self.begun.set()
        try:
            while pipes and not self._stopping.is_set():
                self._read(pipes)
        finally:
            self._end(pipes)

    def _start(self, tracks: Sequence[Track]) -> dict[Connection, Track]:
        pipes = {}
        for track in tracks:
            here, there = self._context.Pipe()
            process = self._context.Process(
                target=run_lane, args=(there, self._clock, self._compiling, track.entry), daemon=True
            )
            with environment():
                process.start()
            there.close()
            self._processes.append(process)
            pipes[here] = track
        return pipes

    def _read(self, pipes: dict[Connection, Track]) -> None:
        """Take what has come; a pipe that was closed belongs to a lane that is over."""
        for pipe in wait(list(pipes), LOOK):
            assert isinstance(pipe, Connection)
            try:
                pipes[pipe].take(pipe.recv())
            except (EOFError, OSError):
                pipes.pop(pipe).died()
                pipe.close()
        reference = self.tracks[0] if self._reference else None
        for track in self.tracks:
            track.measure(reference)

    def _end(self, pipes: dict[Connection, Track]) -> None:
        for pipe in pipes:
            pipe.close()
        for process in self._processes:
            if process.is_alive():
                process.terminate()
        for process in self._processes:
            process.join(LOOK)
            if process.is_alive():
                process.kill()
                process.join()
            process.close()
