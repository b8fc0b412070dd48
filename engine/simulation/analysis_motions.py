"""Motions that an analysis found, as samples: from them come channels, plots and files, as from a run."""

from __future__ import annotations

import numpy as np

from engine.analyses.answers.result import Motion
from engine.compiled.columns import coordinate_values as COORDINATE_VALUE
from engine.compiled.columns import counters as COUNT
from engine.compiled.layout import Array, StepStatus
from engine.model.scene import Scene
from engine.results.channels import Channels
from engine.results.recorder import Budget
from engine.results.sample_layout import SampleLayout
from engine.results.trajectory import Segment, Trajectory
from engine.simulation.live.live_simulation import Record, RecordedSegment, recorder_for
from engine.solvers.catalogue import find_method
from engine.system.equations.evaluator import Evaluator


def samples_of(motion: Motion) -> Array:
    """Rows as a run records them, shape (n, width); what the analysis did not find is NaN."""
    mechanism = motion.mechanism
    layout = SampleLayout(mechanism)
    rows = np.full((len(motion.t), layout.width), np.nan)
    rows[:, layout.t], rows[:, layout.q], rows[:, layout.v] = motion.t, motion.q, motion.v
    if motion.a is not None:
        rows[:, layout.a] = motion.a
    if motion.multipliers is not None:
        rows[:, layout.permanent] = motion.multipliers
    rows[:, layout.angles] = _turns(motion)
    rows[:, layout.step] = np.diff(motion.t, prepend=motion.t[0])
    rows[:, layout.iterations], rows[:, layout.pivot] = 0.0, 1.0
    return rows


def record_of(motion: Motion, budget: Budget | None = None, scene: Scene | None = None) -> Record:
    """The motion as the record of a run; `scene` is the one that was analysed, as written."""
    record = Record(budget or Budget())
    recorder = recorder_for(motion.mechanism, record.budget)
    recorder.append(samples_of(motion))
    mechanism = motion.mechanism
    record.segments.append(
        RecordedSegment(scene or mechanism.scene, mechanism, recorder, motion.title, _step(motion))
    )
    return record


def trajectory_of(motion: Motion) -> Trajectory:
    """The motion as a trajectory, to be read by channel or saved."""
    mechanism = motion.mechanism
    segment = Segment(mechanism, Channels(mechanism), samples_of(motion), 0.0)
    return Trajectory(
        (segment,),
        scene=mechanism.scene,
        method=find_method(mechanism.scene.simulation.method),
        dt=_step(motion),
        status=StepStatus.FINISHED,
        message="",
        counters=np.zeros(COUNT.COLUMNS, np.int64),
        wall_time=0.0,
        time_linear=0.0,
        stepped=False,
    )


def _turns(motion: Motion) -> Array:
    """References of the tracked angles at every instant: each lies within half a turn of the one before."""
    evaluator, tracked = Evaluator(motion.mechanism), motion.mechanism.system.tracked
    found = np.zeros((len(motion.t), len(tracked)))
    angles = np.zeros(len(tracked))
    for i, (t, q, v) in enumerate(zip(motion.t, motion.q, motion.v, strict=True)):
        angles = evaluator.at(t, q, v, angles).work.coordinate[tracked, COORDINATE_VALUE.VALUE].copy()
        found[i] = angles
    return found


def _step(motion: Motion) -> float:
    return float(np.median(np.diff(motion.t))) if len(motion.t) > 1 else 0.0
