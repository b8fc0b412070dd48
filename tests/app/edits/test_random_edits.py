"""Every command: do, undo gives the equal scene, redo gives the equal scene, over random sequences of all.

The seed is printed; TRAMMEL_SEED repeats a sequence.
"""

import os
import random

import pytest

from app.document.document import Document
from app.platform.resources import scene_paths
from engine import Scene, SceneError, dumps, load_scene
from engine.model.files.json_text import read_json
from engine.model.files.scene_file import decode_scene
from tests.app.edits.random_edits import KNOWN, NotPossible, propose, random_edit, unknown_arguments
from tests.app.edits.test_edits import linkage

TOLD = (SceneError, ValueError, KeyError)  # what the window says in its messages
pytestmark = pytest.mark.usefixtures("qapp")


def test_every_command_is_tried():
    assert len(KNOWN) > 40
    assert list(unknown_arguments()) == []


class Walk:
    """Makes random edits, goes back and forth, and knows which scene should be there."""

    def __init__(self, scene: Scene, rng: random.Random, folder) -> None:
        self.rng, self.document = rng, Document(autosave=folder)
        self.document.load(scene)
        self.texts = [dumps(scene)]  # by number of steps done
        self.scenes = [scene]
        self.done: list[str] = []
        self.refused = 0

    def step(self) -> None:
        stack = self.document.stack
        turn = self.rng.random()
        if turn < 0.15:
            stack.undo()
        elif turn < 0.25:
            stack.redo()
        elif turn < 0.27:
            stack.setIndex(self.rng.randrange(stack.count() + 1))
        else:
            self._edit()
        index = stack.index()
        assert self.document.scene == self.scenes[index]

    def _edit(self) -> None:
        stack, before = self.document.stack, self.document.scene
        text, index = self.texts[stack.index()], stack.index()
        try:
            name, edit = random_edit(before, self.rng)
        except (*TOLD, NotPossible):
            self.refused += 1
            return
        self.done.append(name)
        self.document.apply(edit)
        assert dumps(before) == text, f"{name} changed the scene it was given"
        if self.document.scene is before:  # it changed nothing, and left no trace
            assert edit.after == before
            assert stack.index() == index
            return
        now = stack.index()
        keep = index + 1 if now > index else index  # steps of one drag are one
        self.texts[keep:], self.scenes[keep:] = [dumps(self.document.scene)], [self.document.scene]

    def unwind(self) -> None:
        stack = self.document.stack
        while stack.canUndo():
            stack.undo()
            assert self.document.scene == self.scenes[stack.index()]
        assert dumps(self.document.scene) == self.texts[0]
        while stack.canRedo():
            stack.redo()
            assert dumps(self.document.scene) == self.texts[stack.index()]
        stack.setIndex(0)
        assert self.document.scene == self.scenes[0]
        assert self.document.clean


def go(steps: int, scene: Scene, folder, seed: int = 0) -> None:
    seed = int(os.environ.get("TRAMMEL_SEED", 0)) or seed or random.SystemRandom().randrange(10**6)
    print(f"TRAMMEL_SEED={seed}")  # noqa: T201
    walk = Walk(scene, random.Random(seed), folder)
    try:
        for _ in range(steps):
            walk.step()
        walk.unwind()
    except Exception as error:
        error.add_note(f"TRAMMEL_SEED={seed}, after {walk.done[-10:]}")
        raise
    assert len(set(walk.done)) > 0.6 * min(len(KNOWN), steps // 10)  # most commands had their turn


STARTS = {"linkage": linkage, "empty": Scene} | {
    name: lambda name=name: load_scene(scene_paths()[name]) for name in ("four_bar", "flyball_governor")
}


@pytest.mark.parametrize("start", STARTS)
def test_a_few_hundred_edits_unwind(start, tmp_path):
    go(120, STARTS[start](), tmp_path, seed=4711)  # the same of the same code; the soak draws its own


@pytest.mark.soak
@pytest.mark.parametrize("start", STARTS)
def test_thousands_of_edits_unwind(start, tmp_path):
    go(4000, STARTS[start](), tmp_path)


@pytest.mark.parametrize("name", KNOWN)
def test_what_a_command_makes_can_be_saved_and_read_again(name, tmp_path):
    """Decoded, not validated: an edit may leave a scene that does not run, never one that is no scene."""
    rng = random.Random(name)
    made = 0
    for _ in range(60):
        scene = STARTS[rng.choice(list(STARTS))]()
        try:
            after = propose(name, scene, rng).after
        except (SceneError, NotPossible):
            continue
        made += 1
        decoded = decode_scene(read_json(dumps(after)))
        assert decoded.problems == []
        assert decoded.scene == after or dumps(decoded.scene) == dumps(after)
        if made == 3:
            return
    assert made, f"{name} was never possible"
