"""A run: what was simulated, in segments, and how to read it."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from app.document.scene_change import same_motion
from app.session.reading.channel_renames import ChannelRenames
from app.session.reading.evaluations import KeptEvaluations
from app.session.reading.labels import differences, with_spans
from app.session.reading.segment_reader import SegmentReader
from engine.compiled.layout import Array, StepStatus
from engine.errors import SceneError
from engine.model.poses import Poses
from engine.model.resolve import resolve
from engine.model.scene import Scene
from engine.results.assessment.trust import Trust
from engine.results.output_evaluation import OutputEvaluation
from engine.results.run_events import RunEvent
from engine.simulation.live.live_simulation import Record, RecordedSegment, StateTransfer
from engine.solvers.catalogue import METHODS

Kind = Literal["live", "finished", "replay", "reference"]
NOT_UNIQUE = "(not unique)"
WHY_NOT_UNIQUE = "Constraints are redundant here: the motion is unique, what each joint carries is not"


@dataclass(frozen=True)
class Pulled:
    """A pull of the mouse: the point of the body, where it is drawn to, and the force [N], in the world."""

    body: str
    place: Array
    target: Array
    force: Array


class Run:
    """A run of a scene. Its record may still grow; readers never wait."""

    def __init__(
        self,
        run_id: int,
        scene: Scene,
        *,
        record: Record | None = None,
        kind: Kind = "live",
        name: str = "",
        parent: int | None = None,
        color: str = "",
    ) -> None:
        self.id = run_id
        self.name = name or f"Run {run_id}"
        self.parent = parent
        self.present = scene  # of the document: how the run looks while only looks differ
        self.kind: Kind = kind
        self.status = StepStatus.OK if kind == "live" else StepStatus.FINISHED
        self.record = record or Record()
        self.events: list[tuple[float, str]] = []
        self.happened: list[RunEvent] = []  # impacts, sticking and the like: those of the events with numbers
        self.color = color
        self.pinned = False
        self.visible = True
        self.ghost = False  # shown in the viewport beside the present run
        self.repeats = kind == "replay"  # begins again at its end
        # False: only poses, as the code that works out the channels is not there yet
        self.has_channels = True
        self.held_at: float | None = None  # s: more will come, and until then it is shown up to here only
        self.judged: tuple[int, Trust] | None = None  # what is thought of so many samples
        self.position_error: float | None = None  # m, that the file of a saved run tells
        self._segments: list[SegmentReader] = []
        self._measures: tuple[Any, ...] | None = None
        self._renames = ChannelRenames()
        self._evaluations = KeptEvaluations()
        self._start_energy: float | None = None
        self._compared: tuple[Scene, Scene, bool] = (scene, scene, True)

    # what it is

    @property
    def outcome(self) -> str:
        """How it ended, in the word of saved runs; one that could go on was cancelled."""
        going = self.status is StepStatus.OK
        return (StepStatus.CANCELLED if going else self.status).name.lower()

    @property
    def computed(self) -> tuple[RecordedSegment, ...]:
        """Segments that got beyond their start; the first one, before anything has moved."""
        segments = list(self.record.segments)
        return tuple(segment for segment in segments if segment.recorder.count > 1) or tuple(segments[:1])

    @property
    def simulated(self) -> bool:
        """Whether methods computed it; motions that an analysis found, and curves, are not judged."""
        return (
            self.has_channels
            and bool(self.computed)
            and all(segment.method in METHODS for segment in self.computed)
        )

    @property
    def scene(self) -> Scene:
        """What the newest part was computed from, as it looks now."""
        computed = self.computed
        return self._as_it_looks(computed[-1].scene) if computed else self.present

    def scene_at(self, t: float) -> Scene:
        """What an instant was computed from, as it looks now."""
        segments = self.record.segments
        return self._as_it_looks(segments[self.segment_at(t)].scene) if segments else self.present

    def _as_it_looks(self, scene: Scene) -> Scene:
        """The scene of the document while it is the same mechanism, else the one that was computed."""
        if scene is not self._compared[0] or self.present is not self._compared[1]:
            self._compared = (scene, self.present, same_motion(scene, self.present))
        return self.present if self._compared[2] else scene

    @property
    def method(self) -> str:
        """That of the newest part that was computed."""
        computed = self.computed
        return computed[-1].method if computed else self.present.simulation.method

    @property
    def methods(self) -> str:
        """All that computed the run, with their spans where there are several."""
        parts = [(segment, segment.method) for segment in self.computed]
        return with_spans(parts, going=self.kind == "live") or self.method

    @property
    def dt(self) -> float:
        computed = self.computed
        return computed[-1].dt if computed else float("nan")

    @property
    def options(self) -> dict[str, Any]:
        return dict(self.scene.simulation.options)

    @property
    def segments(self) -> tuple[SegmentReader, ...]:
        """Segments so far; each is looked at once."""
        recorded = self.record.segments
        for i, segment in enumerate(list(recorded)):
            if i < len(self._segments) and self._segments[i].recorded is segment:
                continue
            self._forget(i)
            self._segments[i:] = [SegmentReader(segment, self._measures)]
        return tuple(self._segments)

    @property
    def empty(self) -> bool:
        return not any(segment.recorder.count for segment in self.record.segments)

    @property
    def moved(self) -> bool:
        """Whether it got beyond its start."""
        segments = self.record.segments
        return len(segments) > 1 or any(segment.recorder.count > 1 for segment in segments)

    @property
    def t_first(self) -> float:
        segments = self.record.segments
        return segments[0].recorder.t_first if segments else 0.0

    @property
    def t_last(self) -> float:
        for segment in reversed(self.record.segments):
            if segment.recorder.count:
                return segment.recorder.t_last
        return 0.0

    @property
    def count(self) -> int:
        """Samples recorded so far; grows with every new one."""
        return sum(segment.recorder.count for segment in self.record.segments)

    @property
    def spilled(self) -> int:
        """Samples that have moved to disk."""
        return sum(segment.recorder.spilled for segment in self.record.segments)

    def differs(self, scene: Scene) -> str:
        """What distinguishes this run from the scene as it is now: method, step, options, parameters."""
        computed = self.computed
        if not computed:
            return ", ".join(differences(self.present, scene))
        found = [(part, ", ".join(differences(part.scene, scene))) for part in computed]
        return (
            with_spans([(part, text or "nothing") for part, text in found])
            if any(t for _, t in found)
            else ""
        )

    # channels

    def names(self) -> tuple[str, ...]:
        segments = self.segments
        return segments[-1].channels.names() if segments and self.has_channels else ()

    def unit(self, name: str) -> str:
        segments = self.segments
        return segments[-1].channels.unit(name) if segments else ""

    def meaning(self, name: str) -> str:
        """What a channel is in words; nothing for curves of a file, which have none."""
        segments = self.segments
        return segments[-1].channels[name].meaning if segments and name in segments[-1].channels else ""

    def readers(self) -> tuple[SegmentReader, ...]:
        """Segments so far, with channels of their own: for another thread than the one that draws."""
        return tuple(SegmentReader(segment, self._measures) for segment in list(self.record.segments))

    def past_names(self, segment: SegmentReader, names: Sequence[str]) -> dict[str, str]:
        """Channels that are called otherwise in a segment: present name → name there."""
        pairs = {name: self._renames.name_in(segment, name) for name in names}
        return {name: past for name, past in pairs.items() if past not in ("", name)}

    def is_unique(self, name: str) -> bool:
        """False where redundant constraints allow many values of a channel; the run shows one."""
        segments = self.segments
        if not segments or not self.has_channels or not len(segments[-1].recorder):
            return True
        return name not in segments[-1].not_unique

    def channel(self, name: str, begin: float | None = None, end: float | None = None) -> tuple[Array, Array]:
        """Times and values of the samples between two instants; NaN where a segment has no such channel.

        Raises KeyError for a name that no segment knows.
        """
        t, table = self.table((name,), begin, end)
        return t, table[:, 0]

    def table(
        self, names: Sequence[str], begin: float | None = None, end: float | None = None
    ) -> tuple[Array, Array]:
        """Times, shape (n,), and values of many channels, shape (n, len(names))."""
        segments = self.segments
        for name in names:
            if segments and not any(self._renames.name_in(segment, name) for segment in segments):
                segments[-1].channels[name]  # raises with a hint
        if not self.has_channels:
            segments = ()
        times: list[Array] = [np.zeros(0)]
        values: list[Array] = [np.zeros((0, len(names)))]
        for i in range(self._segment_from(begin), len(segments)):
            segment = segments[i]
            first, last = segment.recorder.span(begin, end)
            if last <= first:
                continue
            for evaluation in self._evaluations.slices(i, segment, first, last, self._energy_at_start()):
                columns = [self._read(segment, evaluation, name) for name in names]
                times.append(evaluation.t)
                values.append(np.column_stack(columns) if columns else np.zeros((len(evaluation), 0)))
        return np.concatenate(times), np.concatenate(values)

    def _read(self, segment: SegmentReader, evaluation: OutputEvaluation, name: str) -> Array:
        past = self._renames.name_in(segment, name)
        return segment.channels[past].read(evaluation) if past else np.full(len(evaluation), np.nan)

    def values_at(self, names: Sequence[str], t: float) -> Array:
        """Values of channels at an instant, such as the playhead's, shape (len(names),); the state is
        interpolated there. NaN where the segment has no such channel; raises ValueError without samples."""
        segment, sample = self.sample_at(t)
        if not self.has_channels:
            return np.full(len(names), np.nan)
        evaluation = segment.channels.evaluation(
            sample[None], start_energy=self._energy_at_start(), edits=segment.recorded.edits
        )
        return np.array([self._read(segment, evaluation, name)[0] for name in names])

    def _energy_at_start(self) -> float:
        """What the energy balance counts from [J]."""
        if self._start_energy is None:
            first = self._segments[0]
            self._start_energy = first.channels.energy_before(first.recorder.row(0))
        return self._start_energy

    def set_measures(self, scene: Scene) -> None:
        """Show the measures of an edited scene for the whole past."""
        try:
            self._measures = resolve(scene).measures
        except SceneError:
            return
        self._forget(0)

    def renamed(self, names: Mapping[tuple[str, str], str]) -> None:
        """Elements got other names: those of what is recorded up to here are found by the new ones."""
        self._renames.note(self.record.segments, names)

    def _forget(self, index: int) -> None:
        del self._segments[index:]
        self._evaluations.clear()
        if index == 0:
            self._start_energy = None

    # states

    def segment_at(self, t: float) -> int:
        """Index of the segment that shows an instant; where two meet it is the later one."""
        segments = self.record.segments
        filled = len(segments)
        while filled and not segments[filled - 1].recorder.count:  # only the last can be
            filled -= 1
        return max(0, bisect_right(segments, t, 0, filled, key=lambda part: part.recorder.t_first) - 1)

    @property
    def segment_starts(self) -> tuple[float, ...]:
        """The first instants of all segments that hold samples [s]."""
        return tuple(part.recorder.t_first for part in self.record.segments if part.recorder.count)

    def _segment_from(self, begin: float | None) -> int:
        """Index of the first segment that has samples at or after an instant."""
        if begin is None:
            return 0
        at = self.segment_at(begin)
        while at and self.record.segments[at - 1].recorder.t_last >= begin:
            at -= 1
        return at

    def times(self) -> Array:
        """The instants of all samples, each once."""
        parts = [segment.recorder.rows(0, segment.recorder.count)[:, 0] for segment in self.record.segments]
        return np.unique(np.concatenate([np.zeros(0), *parts]))

    def sample_at(self, t: float) -> tuple[SegmentReader, Array]:
        """The segment and the interpolated sample at an instant; raises ValueError without any."""
        segment = self.segments[self.segment_at(t)]
        return segment, segment.recorder.at(t)

    def samples_around(self, t: float) -> tuple[SegmentReader, Array, float]:
        """The segment, the samples before and after an instant, and its place between them, 0 to 1; one
        sample where the instant is its own. Raises ValueError without any.
        """
        segment = self.segments[self.segment_at(t)]
        recorder = segment.recorder
        i = recorder.row_before(t)
        if i < 0:
            raise ValueError("nothing is recorded yet")
        if t <= recorder.row(i)[0] or i + 1 >= recorder.count:
            return segment, np.array(recorder.rows(i, i + 1)), 0.0
        rows = np.array(recorder.rows(i, i + 2))
        return segment, rows, float((t - rows[0, 0]) / (rows[1, 0] - rows[0, 0]))

    def state_at(self, t: float) -> StateTransfer | None:
        """What an analysis or a trial begins from at an instant; None without any samples."""
        if self.empty:
            return None
        segment, sample = self.sample_at(t)
        return StateTransfer(segment.mechanism, sample, 0.0, 0.0)

    def poses_at(self, t: float) -> Poses:
        """Body → origin and rotation at an instant."""
        if self.empty:
            return {}
        segment, sample = self.sample_at(t)
        return segment.poses(sample)

    def pulled_at(self, t: float) -> Pulled | None:
        """How the mouse pulled at an instant."""
        if not self.record.segments:
            return None
        recorded = self.record.segments[self.segment_at(t)]
        mechanism, pull = recorded.mechanism, recorded.pulls.at(t)
        if pull is None or pull.body not in mechanism.bodies or self.empty:
            return None
        force = self.values_at([f"mouse.f{axis}" for axis in ("xy" if mechanism.planar else "xyz")], t)
        origin, R = self.poses_at(t)[pull.body]
        return Pulled(pull.body, origin + R @ np.array(pull.point), np.array(pull.target), force)

    def track(
        self, points: Sequence[tuple[str, Array | str]], begin: float, end: float, most: int
    ) -> tuple[Array, Array]:
        """Where points of bodies, given by name or in the body frame, were between two instants.

        Times, shape (n,), of recorded samples, about `most` of them; positions, shape (n, len(points), 3),
        NaN for a body that was not there.
        """
        times, places = [np.zeros(0)], [np.zeros((0, len(points), 3))]
        segments = self.segments[self._segment_from(begin) :]
        spans = [(segment, *segment.recorder.span(begin, end)) for segment in segments]
        every = max(1, sum(last - first for _, first, last in spans) // max(most, 1))
        for segment, first, last in spans:
            if last <= first:
                continue
            rows = segment.recorder.rows(first, last, every)
            origins, R = segment.origins(rows)
            found = np.full((len(rows), len(points), 3), np.nan)
            for i, (body, point) in enumerate(points):
                p_B = segment.point(body, point)
                if p_B is None:
                    continue
                if body in segment.fixed:
                    origin, turn = segment.fixed[body]
                    found[:, i] = origin + turn @ p_B
                elif body in segment.mechanism.bodies:
                    b = segment.mechanism.bodies.index(body)
                    found[:, i] = origins[:, b] + R[:, b] @ p_B
            times.append(rows[:, 0])
            places.append(found)
        return np.concatenate(times), np.concatenate(places)
