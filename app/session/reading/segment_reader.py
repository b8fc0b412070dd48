"""One recorded segment as a reader sees it: channels, poses and velocities of its samples."""

from __future__ import annotations

import contextlib
from dataclasses import replace
from functools import cached_property
from typing import Any

import msgspec
import numpy as np

from engine.compiled.layout import Array
from engine.errors import SceneError
from engine.model.poses import Poses, given_pose
from engine.results.assessment.uniqueness import not_unique
from engine.results.body_states import body_states
from engine.results.channels import Channels
from engine.results.sample_layout import SampleLayout
from engine.simulation.live.live_simulation import RecordedSegment
from engine.system.compiling.frames import named_point
from engine.system.compiling.mechanism import Mechanism


class SegmentReader:
    """The channels are the reader's own; `measures` instead of those of the scene."""

    def __init__(self, recorded: RecordedSegment, measures: tuple[Any, ...] | None) -> None:
        self.recorded = recorded
        self._measures = measures

    @cached_property
    def channels(self) -> Channels:
        mechanism = self.mechanism
        if self._measures is not None:
            scene = msgspec.structs.replace(mechanism.scene, measures=self._measures)
            with contextlib.suppress(SceneError):
                return Channels(replace(mechanism, scene=scene), self.recorded.pulls)
        return Channels(mechanism, self.recorded.pulls)

    @cached_property
    def not_unique(self) -> frozenset[str]:
        """Channels of which redundant constraints allow many values."""
        ends = [self.recorder.row(0), self.recorder.row(len(self.recorder) - 1)]
        return not_unique(self.channels, np.array(ends))

    @cached_property
    def fixed(self) -> Poses:
        """Bodies that never move."""
        return {body.name: given_pose(body) for body in self.mechanism.scene.bodies if body.fixed}

    @property
    def mechanism(self) -> Mechanism:
        return self.recorded.mechanism

    @property
    def recorder(self) -> Any:
        return self.recorded.recorder

    @cached_property
    def layout(self) -> SampleLayout:
        return SampleLayout(self.mechanism)

    def origins(self, samples: Array) -> tuple[Array, Array]:
        """Origins and rotations of all bodies that move, shapes (…, n, 3) and (…, n, 3, 3)."""
        centres, R = body_states(self.mechanism, samples, self.layout)
        return centres - (R @ self.mechanism.com[..., None])[..., 0], R

    def point(self, body: str, point: Array | str) -> Array | None:
        """A point in the frame of its body, as the scene of this segment has it; None when it has none."""
        if not isinstance(point, str):
            return point
        found = next((item for item in self.mechanism.scene.bodies if item.name == body), None)
        try:
            return None if found is None else named_point(found, point)
        except ValueError:
            return None

    def poses(self, sample: Array) -> Poses:
        """Where all bodies are, those that never move too."""
        origins, R = self.origins(sample)
        moving = {name: (origins[b], R[b]) for b, name in enumerate(self.mechanism.bodies)}
        return {**self.fixed, **moving}

    def velocities(self, sample: Array) -> dict[str, tuple[Array, Array]]:
        """Body → velocity of its origin and spin, in the world, of those that move."""
        evaluation, com = self.channels.evaluation(sample[None]), self.mechanism.com
        return {
            name: (evaluation.velocity(b, -com[b])[0], evaluation.to_world(b, evaluation.rates(b)[1])[0])
            for b, name in enumerate(self.mechanism.bodies)
        }
