"""The verdict on a run: the worst of five answers, each with a reason and a remedy."""

import pytest

from engine.model.files.scene_file import load_scene
from engine.results.assessment.trust import Level, judge
from engine.simulation.simulation import simulate
from tests.paths import SCENES


def verdict(name, error=None, **options):
    run = simulate(load_scene(SCENES / f"{name}.json"), duration=0.5, **options)
    return judge([(part.channels, part.samples, part.edits) for part in run.segments], error)


def level_of(trust, question):
    return next(finding.level for finding in trust.findings if finding.question == question)


def test_a_sound_run_is_green():
    trust = verdict("four_bar", error=1e-9)
    assert trust.level is Level.GREEN
    assert trust.reasons == ()
    assert "green" in trust.words
    assert trust.to_dict()["position_error"] == 1e-9


@pytest.mark.parametrize(
    ("error", "level"),
    [(1e-5, Level.GREEN), (1e-3, Level.AMBER), (0.1, Level.RED), (float("inf"), Level.RED)],
)
def test_the_error_counts_by_the_size_of_the_mechanism(error, level):
    trust = verdict("four_bar", error=error)
    assert level_of(trust, "positions") is level
    assert trust.level is level
    if level is not Level.GREEN:
        assert "step" in trust.reasons[0].remedy


def test_without_an_estimate_the_words_say_so():
    trust = verdict("four_bar")
    assert not trust.estimated
    assert "not estimated" in trust.words


def test_energy_constraints_and_reactions_have_their_say():
    crude = verdict("four_bar", method="lagrange/euler/none", dt=0.01)
    assert level_of(crude, "energy") is Level.RED
    assert level_of(crude, "constraints") is Level.RED
    assert crude.level is Level.RED
    redundant = verdict("spatial_four_bar")
    assert level_of(redundant, "reactions") is Level.AMBER
    assert "doctor" in next(f for f in redundant.findings if f.question == "reactions").remedy
