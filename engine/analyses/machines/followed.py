"""The mechanism along its motion: followed where motions drive all of it, else by a run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np
from msgspec import Struct

from engine.analyses.base import Question
from engine.analyses.kinematics.kinematic import KINEMATIC, DrivenOptions
from engine.compiled.layout import Array
from engine.elements.fields import number
from engine.errors import Problem, SceneError
from engine.model.scene import Scene
from engine.results.channels import Channels
from engine.results.sample_layout import SampleLayout
from engine.system.compiling.mechanism import Mechanism
from engine.system.prepared import prepare

INSTANTS = 361


class AlongOptions(Struct, frozen=True, kw_only=True):
    """For how long the mechanism is followed."""

    duration: Annotated[float, number("Duration", "s", "0: that of the scene", ge=0.0)] = 0.0


@dataclass(frozen=True)
class Followed:
    """Channels of a motion; exact ones where motions drive all degrees of freedom."""

    mechanism: Mechanism
    channels: Channels
    samples: Array
    exact: bool

    @property
    def t(self) -> Array:
        return self.samples[:, 0]

    def channel(self, name: str) -> Array:
        return self.channels.values(name, self.samples, start_energy=0.0)

    def vector(self, prefix: str) -> Array:
        """A vector channel in the world, shape (n, 3); components that the plane has not are zero."""
        parts = [f"{prefix}.{axis}" for axis in "xyz"]
        zero = np.zeros(len(self.samples))
        return np.column_stack([self.channel(name) if name in self.channels else zero for name in parts])

    def rotation(self, body: str) -> Array:
        """R_WB at every instant, shape (n, 3, 3)."""
        if self.mechanism.planar:
            angle = self.channel(f"body.{body}.angle")
            R = np.zeros((len(angle), 3, 3))
            R[:, 0, 0] = R[:, 1, 1] = np.cos(angle)
            R[:, 1, 0], R[:, 0, 1], R[:, 2, 2] = np.sin(angle), -np.sin(angle), 1.0
            return R
        w, x, y, z = (self.channel(f"body.{body}.quat.{part}") for part in "wxyz")
        rows = [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
        return np.moveaxis(np.array(rows), -1, 0)


def follow(question: Question, scene: Scene, duration: float, instants: int = INSTANTS) -> Followed:
    """Along the motion of a scene; raises SceneError where it can neither be followed nor run."""
    mechanism = prepare(scene).refuse_problems().mechanism
    length = duration or float(mechanism.scene.simulation.duration)
    if mechanism.motion_rows:
        options = DrivenOptions(duration=length, step=length / (instants - 1))
        quiet = Question(scene, options, None, lambda share, words: None, question.cancel)
        found = KINEMATIC.run(quiet)
        if found.motions and found.motions[0].t[-1] > 0.999 * length:
            motion = found.motions[0]
            layout = SampleLayout(motion.mechanism)
            samples = np.zeros((len(motion.t), layout.width))
            samples[:, layout.t], samples[:, layout.q], samples[:, layout.v] = motion.t, motion.q, motion.v
            assert motion.a is not None
            samples[:, layout.a] = motion.a
            return Followed(motion.mechanism, Channels(motion.mechanism), samples, True)
    return _simulated(question, scene, length, instants)


def _simulated(question: Question, scene: Scene, length: float, instants: int) -> Followed:
    from engine.model.set_value import set_value

    run = question.simulated(set_value(scene, "simulation.duration", length))
    if run.status.failed:
        raise SceneError(
            [Problem("", None, f"the run does not come to its end: {run.message}", "mend the run first")]
        )
    last = run.segments[-1]
    step = max(1, len(last.samples) // instants)
    return Followed(last.mechanism, last.channels, last.samples[::step], False)
