"""What is taken away of a run: chosen channels, a range of time, every sample, every n-th, or resampled."""

from __future__ import annotations

import math
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from engine.compiled.layout import Array
from engine.model.files.scene_file import dumps
from engine.model.scene import Scene
from engine.progress import Cancel, Cancelled, Progress
from engine.results.channels import Channels
from engine.results.files.formats import format_for
from engine.results.files.whole_file import whole
from engine.results.interpolation import resampled
from engine.results.output_evaluation import OutputEvaluation
from engine.system.mouse_pulls import has_mouse

MAX_RESAMPLED = 10_000_000  # samples of a segment


@dataclass(frozen=True)
class Choice:
    """Which samples: begin ≤ t ≤ end, and of those every n-th, or one every `resample` seconds."""

    begin: float | None = None
    end: float | None = None
    every: int = 1
    resample: float | None = None  # s

    def __post_init__(self) -> None:
        if self.every < 1:
            raise ValueError(f"every {self.every} samples: give a whole number of at least 1")
        if self.resample is not None and not 0.0 < self.resample < math.inf:
            raise ValueError(f"resampled every {self.resample:g} s: give a positive number of seconds")
        if self.resample is not None and self.every > 1:
            raise ValueError("every n-th sample or resampled: give one of the two")
        if not all(value is None or math.isfinite(value) for value in (self.begin, self.end)):
            raise ValueError(f"from {self.begin} s to {self.end} s: give finite numbers of seconds")
        if self.begin is not None and self.end is not None and self.begin > self.end:
            raise ValueError(f"from {self.begin:g} s to {self.end:g} s: the end lies before the beginning")


@dataclass(frozen=True)
class ExtractedSegment:
    """Samples with one mechanism, one method and one set of numbers."""

    scene: Scene
    channels: Channels
    samples: Array
    method: str
    dt: float
    options: Mapping[str, float] = field(default_factory=dict)
    edits: float = 0.0  # energy that live edits have added so far [J]
    names: Mapping[str, str] = field(default_factory=dict)  # of channels that were called otherwise here

    def columns(self) -> dict[str, list[int]]:
        """Which columns of the samples are what: [first, behind the last]."""
        layout = self.channels.layout
        parts = ("q", "v", "a", "multipliers", "works", "angles")
        found = {part: [getattr(layout, part).start, getattr(layout, part).stop] for part in parts}
        single = ("step", "iterations", "pivot", "frequency")
        return {
            "t": [0, 1],
            **found,
            **{name: [at, at + 1] for name in single for at in [getattr(layout, name)]},
            **{name: [part.start, part.stop] for name, part in layout.carried.items()},
        }

    def facts(self) -> dict[str, Any]:
        return {"method": self.method, "dt": self.dt, "options": dict(self.options), "edits": self.edits}

    def pulls(self) -> dict[str, str]:
        """What the mouse did, as text; nothing for runs without one."""
        return {"mouse": self.channels.pulls.as_text()} if has_mouse(self.channels.mechanism) else {}

    def unit(self, name: str) -> str:
        """Of a channel; empty where it does not exist here."""
        known = self.names.get(name, name)
        return self.channels.unit(known) if known in self.channels else ""

    def read(self, evaluation: OutputEvaluation, name: str) -> Array:
        """One channel; NaN where it did not exist yet."""
        known = self.names.get(name, name)
        return (
            self.channels[known].read(evaluation)
            if known in self.channels
            else np.full(len(evaluation), np.nan)
        )


@dataclass(frozen=True)
class Extract:
    """Samples, channels and facts, ready to be written."""

    scene: Scene  # as it is at the end, with its expressions and parameters
    segments: tuple[ExtractedSegment, ...]
    names: tuple[str, ...]
    facts: Mapping[str, Any]  # how the run went, in plain numbers
    message: str = ""
    start_energy: float = 0.0
    progress: Progress | None = None
    cancel: Cancel | None = None

    def __post_init__(self) -> None:
        for name in self.names:
            self.unit(name)  # an unknown channel is refused before anything is written

    def __len__(self) -> int:
        return sum(len(segment.samples) for segment in self.segments)

    @property
    def t(self) -> Array:
        return np.concatenate([np.zeros(0), *(segment.samples[:, 0] for segment in self.segments)])

    def unit(self, name: str) -> str:
        return self.segments[-1].channels.unit(name)

    def units(self) -> dict[str, str]:
        return {name: self.unit(name) for name in self.names}

    def scene_text(self) -> str:
        return dumps(self.scene)

    def blocks(self) -> Iterator[Array]:
        """Time and channels of some thousand samples at a time, shape (n, 1 + names); may raise Cancelled."""
        done, total = 0, max(1, len(self))
        for segment in self.segments:
            step = segment.channels.slice
            for begin in range(0, len(segment.samples), step):
                if self.cancel is not None and self.cancel():
                    raise Cancelled
                rows = np.array(segment.samples[begin : begin + step])  # kernels want what they could write
                evaluation = segment.channels.evaluation(
                    rows, start_energy=self.start_energy, edits=segment.edits
                )
                yield np.column_stack([rows[:, 0], *(segment.read(evaluation, name) for name in self.names)])
                done += len(rows)
                if self.progress is not None:
                    self.progress(done / total, "writing samples")

    def table(self) -> Array:
        """Time and all channels, shape (samples, 1 + names)."""
        return np.concatenate([np.zeros((0, 1 + len(self.names))), *self.blocks()])


def taken(segments: Sequence[ExtractedSegment], choice: Choice) -> tuple[ExtractedSegment, ...]:
    """The chosen samples; segments without any are left out, but for the last one."""
    found: list[ExtractedSegment] = []
    for i, segment in enumerate(segments):
        rows, last = segment.samples, i == len(segments) - 1
        if choice.resample is not None:
            rows = _on_grid(segment, choice, last=last)
        else:
            low = 0 if choice.begin is None else int(np.searchsorted(rows[:, 0], choice.begin, "left"))
            high = len(rows) if choice.end is None else int(np.searchsorted(rows[:, 0], choice.end, "right"))
            rows = rows[low:high][:: choice.every]
        if len(rows) or (last and not found):
            found.append(replace(segment, samples=rows))
    filled = [segment.samples for segment in segments if len(segment.samples)]
    if filled and not any(len(segment.samples) for segment in found):
        raise ValueError(
            f"no sample is chosen: the run goes from {filled[0][0, 0]:g} s to {filled[-1][-1, 0]:g} s"
        )
    return tuple(found)


def _on_grid(segment: ExtractedSegment, choice: Choice, *, last: bool) -> Array:
    """Samples at begin + i·resample that lie in a segment; where two meet, the later one has the instant."""
    assert choice.resample is not None
    rows = segment.samples
    if not len(rows):
        return rows
    step, origin = choice.resample, 0.0 if choice.begin is None else choice.begin
    low = max(float(rows[0, 0]), origin)
    high = float(rows[-1, 0]) if choice.end is None else min(float(rows[-1, 0]), choice.end)
    near = 1e-9  # of an interval: rounding must not cost the last sample
    if (high - low) / step > MAX_RESAMPLED:
        raise ValueError(f"resampled every {step:g} s: these are more than {MAX_RESAMPLED} samples")
    first, end = math.ceil((low - origin) / step - near), math.floor((high - origin) / step + near)
    times: Array = origin + step * np.arange(first, end + 1, dtype=np.float64)
    if not last:
        times = times[times < rows[-1, 0]]
    return resampled(segment.channels.mechanism, rows, times)


def save(extract: Extract, path: str | os.PathLike[str]) -> None:
    """Write a file, whole or not at all: OSError names it and the reason, Cancelled leaves nothing."""
    target = Path(path)
    write = format_for(target).write
    with whole(target) as temporary:
        write(extract, temporary)
