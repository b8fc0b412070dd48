"""A scene is checked and compiled once, whoever asks and on whatever thread."""

import threading
from collections.abc import Callable
from typing import Any

import pytest

from engine.errors import Problem, SceneError
from engine.model.scene import Scene
from engine.system import prepared
from engine.system.mouse_pulls import has_mouse
from engine.system.prepared import MAX_KEPT, prepare
from tests.linkages import jansen_leg


@pytest.fixture
def count(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What was done, in order."""
    done: list[str] = []

    def counted(name: str) -> Callable[..., Any]:
        original = getattr(prepared, name)

        def call(scene: Scene) -> Any:
            done.append(name)
            return original(scene)

        return call

    for name in ("validate", "compile_scene"):
        monkeypatch.setattr(prepared, name, counted(name))
    return done


def test_threads_that_ask_at_once_get_the_same_mechanism(count: list[str]) -> None:
    scene, together, found = jansen_leg(), threading.Barrier(4), []

    def ask() -> None:
        together.wait()
        found.append(prepare(scene).refuse_problems().watched)

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(mechanism is found[0] for mechanism in found)
    assert sorted(count) == ["compile_scene", "validate"]
    assert has_mouse(found[0])
    assert not has_mouse(prepare(scene).mechanism)


def test_an_equal_scene_is_another_one() -> None:
    """Equal scenes would have to be compared element by element; the same one costs nothing to find."""
    assert prepare(jansen_leg()) is not prepare(jansen_leg())


def test_few_scenes_are_kept_those_asked_about_last() -> None:
    scenes = [Scene(title=str(i)) for i in range(MAX_KEPT + 1)]
    first = prepare(scenes[0])
    for scene in scenes[1:-1]:
        prepare(scene)
    assert prepare(scenes[0]) is first
    prepare(scenes[-1])
    assert prepare(scenes[0]) is first
    assert len(prepared._kept) == MAX_KEPT


def test_a_loader_tells_what_it_has_found(count: list[str]) -> None:
    problem = Problem("bodies.rod", None, "it is no rod", "make it one")
    broken = prepare(Scene(), [problem])
    assert broken.problems == (problem,)
    with pytest.raises(SceneError, match="no rod"):
        broken.refuse_problems()
    assert count == []
