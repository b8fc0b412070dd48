"""What Python shows of public things is short, whatever they hold."""

import pytest

import engine
from engine import METHODS, TEMPLATES, Scene, analyze, check_scene, compile_scene, simulate
from engine.registry import Registry

MAX_LENGTH = 1000  # characters
REGISTRIES = [name for name in engine.__all__ if isinstance(getattr(engine, name), Registry)]


@pytest.mark.parametrize("name", REGISTRIES)
def test_kinds_are_shown_by_name(name: str) -> None:
    registry = getattr(engine, name)
    assert len(repr(registry)) < MAX_LENGTH
    for kind in registry:
        assert repr(kind) == f"<{type(kind).__name__} {kind.name}>"


def test_a_wrong_name_among_very_many_is_answered_in_a_line() -> None:
    with pytest.raises(KeyError, match=r"did you mean 'radau'\?.* … \d+ more") as error:
        METHODS["radaw"]
    assert len(str(error.value)) < MAX_LENGTH


def test_a_large_scene_and_what_is_made_of_it_are_shown_in_a_line() -> None:
    scene = TEMPLATES["pendulum_chain"].make(count=200).scene
    run = simulate(scene, duration=0.0)
    shown = [scene, check_scene(scene), compile_scene(scene), run, run.trust, analyze(scene, "freedoms")]
    assert [len(repr(thing)) < 200 for thing in shown] == [True] * len(shown)
    assert "200 bodies" in repr(scene)


def test_elements_are_shown_without_their_defaults() -> None:
    scene = Scene().with_body("bob", mass=2)
    assert repr(scene.body("bob")) == "Body(name='bob', mass=2.0)"


def test_answers_show_themselves_in_notebooks() -> None:
    answer = analyze(TEMPLATES["four_bar"].make().scene, "redundancy")
    page = answer._repr_html_()
    assert answer.summary in page
    assert page.count("<table>") == len(answer.tables)
