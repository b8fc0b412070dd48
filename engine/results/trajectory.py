"""What a run leaves: samples, from which every channel is computed, and how it went."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from engine.arguments import call, number, of_kind, texts, whole
from engine.compiled.columns import counters as COUNT
from engine.compiled.layout import Array, Ints, StepStatus
from engine.errors import Problem
from engine.html_table import html_facts
from engine.model.scene import Scene
from engine.progress import Cancel, Progress
from engine.results.assessment.assess import Assessment, assess
from engine.results.assessment.conditioning import Conditioning
from engine.results.assessment.trust import Trust, judge
from engine.results.assessment.uniqueness import not_unique
from engine.results.channels import Channels
from engine.results.files.extract import Choice, Extract, ExtractedSegment, save, taken
from engine.results.files.formats import format_for
from engine.results.output_evaluation import OutputEvaluation
from engine.results.run_events import RunEvent
from engine.solvers.catalogue import Method
from engine.system.compiling.mechanism import Mechanism

NEAR_SINGULAR = "samples lie near a singular configuration"
KEPT = 1 << 28  # bytes of computed tables that are kept for the next channel


@dataclass(frozen=True)
class Segment:
    """Samples with one set of numbers; a live edit begins a new segment."""

    mechanism: Mechanism
    channels: Channels
    samples: Array
    edits: float  # energy that live edits have added so far [J]
    method: str = ""  # where it is not that of the whole run
    dt: float = 0.0  # likewise [s]


class Trajectory:
    """Samples of a run and its channels. Nothing recorded is lost, whatever the status."""

    def __init__(
        self,
        segments: tuple[Segment, ...],
        *,
        scene: Scene,
        method: Method,
        dt: float,
        status: StepStatus,
        message: str,
        counters: Ints,
        wall_time: float,
        time_linear: float,
        options: Mapping[str, float] | None = None,
        problem: Problem | None = None,
        events: tuple[RunEvent, ...] = (),
        stepped: bool = True,
        position_error: float | None = None,
    ) -> None:
        self.stepped = stepped  # by a method; motions that an analysis found are not judged
        self.position_error = position_error  # m, estimated by a second run at another step, if there was one
        self.events = events  # impacts, touching and leaving, sticking and slipping, in the order of time
        self.problem = problem  # why it stopped, with a remedy, after a failure
        self.scene = scene
        self.method = method
        self.dt = dt
        self.status = status
        self.counters = counters
        self.options = dict(options or {})  # of the method, as given
        self.wall_time = wall_time  # s, without compiling
        self.time_linear = time_linear  # s, share of the linear algebra in timed steps, of the wall time
        self.samples, self.segments = _joined(segments)
        self._message = message
        self._evaluations: list[list[OutputEvaluation]] = []
        self._trust: Trust | None = None

    @property
    def mechanism(self) -> Mechanism:
        return self.segments[-1].mechanism

    @cached_property
    def t(self) -> Array:
        """Instants of all segments [s]."""
        if len(self.samples) == len(self):
            return self.samples[:, 0]
        return np.concatenate([segment.samples[:, 0] for segment in self.segments])

    def __len__(self) -> int:
        return sum(len(segment.samples) for segment in self.segments)

    # channels

    def names(self) -> tuple[str, ...]:
        """Of all channels."""
        return self.segments[-1].channels.names()

    def unit(self, name: str) -> str:
        """In SI, empty for pure numbers; raises KeyError with a hint for a name that does not exist."""
        return self.segments[-1].channels.unit(name)

    def meaning(self, name: str) -> str:
        """What the channel is, in words: of what, in which axes, which way is positive."""
        return self.segments[-1].channels[name].meaning

    def channel(self, name: str) -> Array:
        """One number per sample; raises KeyError with a hint for a name that does not exist."""
        return self.table([name])[:, 0]

    def table(self, names: Sequence[str]) -> Array:
        """Many channels, shape (samples, names)."""
        names = texts("the list of channels", names)
        for name in names:
            self.segments[-1].channels[name]  # a name that does not exist is told
        parts = [
            _table(segment, names, evaluations)
            for segment, evaluations in zip(self.segments, self._looked(), strict=True)
        ]
        return np.concatenate(parts)

    def expression(self, text: str) -> Array:
        """An expression of channels, parameters and t, one number per sample; raises SceneError."""
        of_kind("expression", text, str, 'give a text, such as "energy.kinetic/2"')
        parts = []
        for segment, evaluations in zip(self.segments, self._looked(), strict=True):
            read = segment.channels.expression(text, "expression")
            parts += [read(evaluation) for evaluation in evaluations]
        return np.concatenate(parts)

    def _looked(self) -> Sequence[Iterable[OutputEvaluation]]:
        """The slices of each segment: kept where their tables are small, else made anew one by one."""
        if self._evaluations:
            return self._evaluations
        first = self.segments[0]
        energy = first.channels.energy_before(first.samples[0])
        found = [
            segment.channels.evaluations(segment.samples, start_energy=energy, edits=segment.edits)
            for segment in self.segments
        ]
        if sum(segment.channels.table_bytes * len(segment.samples) for segment in self.segments) > KEPT:
            return found
        self._evaluations = [list(evaluations) for evaluations in found]
        return self._evaluations

    # how it went

    @cached_property
    def conditioning(self) -> Conditioning:
        """Rank of the constraints along the run."""
        return Conditioning(self.mechanism, self.samples)

    @cached_property
    def not_unique(self) -> frozenset[str]:
        """Channels, reactions above all, of which redundant constraints allow many values; this is one."""
        last = self.segments[-1]
        return not_unique(last.channels, last.samples)

    @property
    def near_singular(self) -> int:
        """Number of samples at which the constraints nearly lose rank."""
        return int(self.conditioning.near_singular.sum())

    @cached_property
    def assessments(self) -> tuple[Assessment, ...]:
        """What speaks against the run, segment by segment."""
        pairs = zip(self.segments, self._looked(), strict=True)
        return tuple(assess(segment.mechanism, evaluations) for segment, evaluations in pairs)

    @cached_property
    def accuracy_warning(self) -> str:
        """Why the run is not to be believed: energy, constraints, a jump at a singular configuration. Empty:
        it is."""
        return "; ".join(text for found in self.assessments for text in found.accuracy_warnings())

    @property
    def trust(self) -> Trust | None:
        """How far to trust it, with reasons and remedies; None for motions that an analysis found."""
        if not self.stepped:
            return None
        if self._trust is None or self._trust.error != self.position_error:
            parts = [(segment.channels, segment.samples, segment.edits) for segment in self.segments]
            self._trust = judge(parts, self.position_error)
        return self._trust

    @property
    def message(self) -> str:
        """What to know about the end of the run, about singular configurations on its way, and its energy."""
        notes = [
            self._message.removesuffix("."),
            self.accuracy_warning if self.accuracy_warning not in self._message else "",
        ]
        if self.near_singular and NEAR_SINGULAR not in self._message:  # files tell their notes again
            first = float(self.t[self.conditioning.near_singular][0])
            notes.insert(1, f"{self.near_singular} {NEAR_SINGULAR}, the first at t = {first:.6g} s")
        return "; ".join(filter(None, notes))

    @property
    def iterations(self) -> int:
        """Of all steps, recorded or not."""
        return int(self.counters[COUNT.ALL_ITERATIONS])

    @property
    def factorisations(self) -> int:
        """Of the linear solver, and those that the method makes itself."""
        return int(self.counters[COUNT.FACTORISATIONS] + self.counters[COUNT.ELIMINATIONS])

    def summary(self) -> dict[str, Any]:
        """The facts of the run in plain numbers."""
        names = ("energy.total", "energy.error", "violation.position", "violation.velocity")
        table = self.table(names)
        simulated = float(self.t[-1] - self.t[0])
        largest = np.abs(table).max(axis=0)
        return {
            "scene": self.scene.title,
            "method": self.method.name,
            "dt": self.dt,
            "duration": simulated,
            "steps": int(self.counters[COUNT.STEPS]),
            "rejected": int(self.counters[COUNT.REJECTED]),
            "samples": len(self),
            "status": self.status.name.lower(),
            "wall_time": self.wall_time,
            "real_time_factor": simulated / self.wall_time if self.wall_time > 0.0 else 0.0,
            "dof": self.conditioning.dof,
            "redundant": self.conditioning.redundant,
            "near_singular": self.near_singular,
            "events": [f"{event.t:.12g} s: {event.text}" for event in self.events],
            "happened": [event.as_row() for event in self.events],
            "not_unique": sorted(self.not_unique),
            "energy_initial": float(table[0, 0]),
            "energy_error_max": float(largest[1]),
            "violation_position_max": float(largest[2]),
            "violation_velocity_max": float(largest[3]),
            "iterations": self.iterations,
            "evaluations": int(self.counters[COUNT.EVALUATIONS]),
            "factorisations": self.factorisations,
            "time_linear": self.time_linear,
        }

    def __repr__(self) -> str:
        title = self.scene.title or "a scene"
        return f"<Trajectory of {title!r} by {self.method.name}: {len(self)} samples, {self.status.text}>"

    def _repr_html_(self) -> str:
        """What a notebook shows."""
        facts = self.summary()
        told = {"trust": self.trust.words} if self.trust is not None else {}
        return html_facts(str(facts.pop("scene")) or "run", {**facts, **told}, self.message)

    def extract(
        self,
        channels: Sequence[str] | None = None,
        choice: Choice | None = None,
        *,
        progress: Progress | None = None,
        cancel: Cancel | None = None,
    ) -> Extract:
        """Some of it, ready to be written."""
        last = self.segments[-1]
        segments = [
            ExtractedSegment(
                self.scene if segment is last else segment.mechanism.scene,
                segment.channels,
                segment.samples,
                segment.method or self.method.name,
                segment.dt or self.dt,
                self.options,
                segment.edits,
            )
            for segment in self.segments
        ]
        first = self.segments[0]
        return Extract(
            self.scene,
            taken(segments, choice or Choice()),
            self.names() if channels is None else tuple(texts("channels", channels)),
            {**self.summary(), **({"trust": self.trust.to_dict()} if self.trust is not None else {})},
            self.message,
            first.channels.energy_before(first.samples[0]),
            progress,
            cancel,
        )

    def save(
        self,
        path: str | os.PathLike[str],
        channels: Sequence[str] | None = None,
        *,
        begin: float | None = None,
        end: float | None = None,
        every: int = 1,
        resample: float | None = None,
        progress: Progress | None = None,
        cancel: Cancel | None = None,
    ) -> None:
        """Write .csv, .npz, .h5, .mat or .json by ending; whole or not at all.

        All channels unless some are named; samples with begin ≤ t ≤ end, every n-th of them, or one every
        `resample` seconds.
        """
        call("progress", progress), call("cancel", cancel)
        format_for(Path(path))  # an unknown ending is refused before anything is computed
        begin, end, resample = (
            None if value is None else number(name, value)
            for name, value in (("begin", begin), ("end", end), ("resample", resample))
        )
        choice = Choice(begin, end, whole("every", every), resample)
        save(self.extract(channels, choice, progress=progress, cancel=cancel), path)


def _joined(segments: tuple[Segment, ...]) -> tuple[Array, tuple[Segment, ...]]:
    """The samples of all segments in one table, and the segments as parts of it: no sample is held twice.

    Where an edit in the run has changed the mechanism, and so the columns, those of the last segment.
    """
    widths = {segment.samples.shape[1] for segment in segments}
    if len(segments) == 1 or len(widths) > 1:
        return segments[-1].samples, segments
    samples = np.concatenate([segment.samples for segment in segments])
    ends = np.cumsum([len(segment.samples) for segment in segments])
    parts = np.split(samples, ends[:-1])
    return samples, tuple(
        replace(segment, samples=part) for segment, part in zip(segments, parts, strict=True)
    )


def _table(segment: Segment, names: Sequence[str], evaluations: Iterable[OutputEvaluation]) -> Array:
    """Channels of a segment, shape (samples, names); NaN for those that its mechanism does not have."""
    known = set(segment.channels.names())
    here = [name for name in names if name in known]
    if len(here) == len(names):
        return segment.channels.table(names, evaluations)
    made = np.full((len(segment.samples), len(names)), np.nan)
    if here:
        made[:, [name in known for name in names]] = segment.channels.table(here, evaluations)
    return made
