"""A run of the window is written while it runs, by a thread of its own."""

from __future__ import annotations

import threading
import traceback
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from app.session.reading.segment_reader import SegmentReader
from app.session.recorded.run import Run
from engine.results.files.extract import ExtractedSegment
from engine.results.files.stream_file import MAX_ROWS, StreamFile
from engine.simulation.live.live_simulation import RecordedSegment

PERIOD = 0.4  # s between two looks: with the time of a write less than a second
ROOM = 2 << 30  # bytes of states before the file is written anew, which takes long; free in a sparse file


class RunStream:
    """Begins at once. What is recorded is in the file less than a second later; `stop` completes it.

    `done` is set last; `error` is empty unless the file could not be written.
    """

    def __init__(self, run: Run, path: Path, names: Sequence[str]) -> None:
        self.run, self.path = run, path.resolve()
        self.samples = 0
        self.error = ""
        self._names = tuple(names)
        self._file = StreamFile(self.path, run.scene, names)
        # with the rows that are written
        self._segments: list[tuple[RecordedSegment, SegmentReader, int]] = []
        self._wanted, self._done = threading.Event(), threading.Event()
        self._thread = threading.Thread(target=self._work, name="trammel-stream", daemon=True)
        self._thread.start()

    @property
    def done(self) -> bool:
        return self._done.is_set()

    @property
    def stopping(self) -> bool:
        return self._wanted.is_set()

    def stop(self) -> None:
        """Write what is left and complete the file; does not wait."""
        self._wanted.set()

    def wait(self, timeout: float) -> bool:
        """Whether the thread ended in that time [s]."""
        self._thread.join(timeout)
        return not self._thread.is_alive()

    # on the thread

    def _work(self) -> None:
        try:
            last = False
            while not last:
                last = self._wanted.wait(PERIOD)
                self._catch_up(last)
                self._file.write()
            self._file.finish(self._facts)
        except OSError as error:
            self.error = f"{error.strerror or error}\n{error.filename or self.path}"
        except Exception:
            self.error = f"recording met a fault of the program:\n{traceback.format_exc()}"
        finally:
            self._file.release()
            self._done.set()

    def _catch_up(self, last: bool) -> None:
        recorded = list(self.run.record.segments)
        for i, part in enumerate(recorded):
            # a segment that never gets beyond its start may be replaced by another one
            settled = part.recorder.count > 1 or i + 1 < len(recorded) or (last and not self.samples)
            if settled and part.recorder.count:
                self._write(part)

    def _write(self, part: RecordedSegment) -> None:
        at = next((i for i, (known, _, _) in enumerate(self._segments) if known is part), None)
        if at is None:
            reader = next(s for s in self.run.readers() if s.recorded is part)
            self._segments.append((part, reader, 0))
            rows = ROOM // (8 * part.recorder.width)
            self._file.begin(self._segment(reader), max(rows, 2 * part.recorder.count))
        elif at != len(self._segments) - 1:
            return  # an earlier one: it is complete
        _, reader, done = self._segments[-1]
        for begin in range(done, part.recorder.count, MAX_ROWS):
            block = np.array(part.recorder.rows(begin, min(begin + MAX_ROWS, part.recorder.count)))
            self._file.append(block)
            done = begin + len(block)
            self._segments[-1] = (part, reader, done)
            self.samples += len(block)

    def _segment(self, reader: SegmentReader) -> ExtractedSegment:
        scene, recorded = reader.mechanism.scene, reader.recorded
        return ExtractedSegment(
            scene,
            reader.channels,
            np.zeros((0, reader.channels.layout.width)),
            recorded.method,
            recorded.dt,
            {name: float(value) for name, value in scene.simulation.options.items()},
            recorded.edits,
            self.run.past_names(reader, self._names),
        )

    def _facts(self) -> dict[str, Any]:
        run = self.run
        return {
            "run": run.name,
            "method": run.method,
            "dt": run.dt,
            "duration": run.t_last - run.t_first,
            "samples": self._file.count,
            "events": [[t, text] for t, text in run.events],
            "happened": [event.as_row() for event in run.happened],
            "status": run.outcome,
            "message": "",
        }
