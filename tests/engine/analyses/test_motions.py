"""Results over time: a motion becomes the samples of a run, a mode shape swings about its pose."""

import math

import numpy as np
import pytest

from app.platform.resources import scene_paths
from engine import load_scene, simulate
from engine.analyses.answers.result import Column, Mention, Mode, ModeShapes, Motion, Result, Table
from engine.analyses.base import Instant, NoOptions, Question
from engine.analyses.dynamics.mode_motion import animate
from engine.analyses.mobility.degrees_of_freedom import DEGREES_OF_FREEDOM
from engine.simulation.analysis_motions import record_of, trajectory_of


def turning(name: str = "four_bar") -> tuple[Motion, object]:
    """What a simulation did, as an analysis would give it."""
    run = simulate(load_scene(scene_paths()[name]), duration=1.0)
    layout = run.segments[-1].channels.layout
    parts = [run.samples[:, part] for part in (layout.q, layout.v, layout.a, layout.multipliers)]
    return Motion("as simulated", run.mechanism, run.t, *parts), run


def test_a_motion_has_the_channels_of_the_run_it_was_taken_from() -> None:
    motion, run = turning()
    same = trajectory_of(motion)
    joint = motion.mechanism.scene.joints[0].name
    for name in ("body.crank.pos.x", "body.crank.acc.y", f"joint.{joint}.reaction.fx", "energy.kinetic"):
        np.testing.assert_allclose(same.channel(name), run.channel(name), rtol=1e-12, atol=1e-12)
    angle = f"joint.{joint}.angle"
    turned = same.channel(angle) - run.channel(angle)
    np.testing.assert_allclose(turned, turned[0], atol=1e-12)
    assert turned[0] / (2.0 * math.pi) == pytest.approx(round(turned[0] / (2.0 * math.pi)))


def test_what_an_analysis_did_not_find_is_not_made_up() -> None:
    motion, _ = turning()
    bare = trajectory_of(Motion("bare", motion.mechanism, motion.t, motion.q, motion.v))
    assert np.isnan(bare.channel("body.crank.acc.x")).all()
    assert np.isfinite(bare.channel("body.crank.vel.x")).all()


def test_a_record_of_a_motion_interpolates_like_a_run() -> None:
    motion, run = turning()
    (segment,) = record_of(motion).segments
    middle = 0.5 * (run.t[3] + run.t[4])
    np.testing.assert_allclose(segment.recorder.at(middle)[1:4], 0.5 * (motion.q[3] + motion.q[4])[:3])


def test_a_pendulum_swings_in_its_mode() -> None:
    """The mode of a pendulum is a turn about its pin: there and back once a period, the pin staying."""
    scene = load_scene(scene_paths()["pendulum"])
    question = Question(scene, NoOptions())
    mechanism, start, evaluator = question.mechanism, question.start, question.evaluator
    J = evaluator.at(0.0, start.q, angles=start.angles).jacobian
    shape = np.linalg.svd(J)[2][-1]
    motion = animate(ModeShapes(mechanism, 0.0, start.q, (Mode(shape, 0.5),)), 0, reach=1e-3)
    np.testing.assert_allclose(motion.q[0], motion.q[-1], atol=1e-12)
    swing = np.array([evaluator.difference(start.q, q) for q in motion.q])
    half = len(motion.t) // 2
    np.testing.assert_allclose(swing[0], -swing[half], atol=1e-12)
    assert np.abs(swing).max() == pytest.approx(1e-3, rel=0.6)  # the reach is of a length or an angle
    open_ = [np.abs(evaluator.at(0.0, q, angles=start.angles).phi).max() for q in motion.q]
    assert max(open_) < 1e-6  # second order in the reach


def test_the_count_can_be_asked_at_another_instant() -> None:
    """A parallelogram keeps its one degree of freedom as it turns, away from the poses where its bars lie in
    line."""
    scene = load_scene(scene_paths()["parallelogram"])
    run = simulate(scene, duration=0.3)
    layout = run.segments[-1].channels.layout
    sample = run.samples[-1]
    here = DEGREES_OF_FREEDOM.run(Question(scene, DEGREES_OF_FREEDOM.options()))
    later = DEGREES_OF_FREEDOM.run(
        Question(scene, DEGREES_OF_FREEDOM.options(), Instant(sample[0], sample[layout.q], sample[layout.v]))
    )
    assert here.summary.split(",")[0] == later.summary.split(",")[0]
    assert DEGREES_OF_FREEDOM.anywhere


def test_a_table_goes_to_a_spreadsheet_with_all_digits() -> None:
    cells = (Mention("bodies", "crank"), 0.1 + 0.2, math.nan)
    table = Table("T", (Column("Body"), Column("x", "m"), Column("y", "m")), (cells,))
    assert table.csv() == "Body,x [m],y [m]\ncrank,0.30000000000000004,\n"
    assert table.csv("\t").splitlines()[1] == "crank\t0.30000000000000004\t"
    assert Result("S.", (table,)).to_dict()["tables"][0]["rows"][0][0] == "crank"
