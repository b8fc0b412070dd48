"""Copies of unsaved work that are written beside the window's thread."""

from pathlib import Path

from app.document.document import Document
from app.edits.fields import set_simulation
from engine import load_scene
from tests.paths import ROOT


def test_the_copy_is_that_of_the_scene_at_the_time(tmp_path: Path) -> None:
    document = Document(autosave=tmp_path)
    document.load(load_scene(ROOT / "scenes" / "four_bar.json"))
    document.autosave_aside()
    assert not list(tmp_path.glob("*.json"))  # nothing to keep
    document.apply(set_simulation(document.scene, dt=0.002))
    kept = document.scene
    document.autosave_aside()
    document.apply(set_simulation(document.scene, dt=0.003))
    copy = document.autosave()  # waits for the thread
    assert copy is not None
    assert load_scene(copy).simulation.dt == 0.003
    assert kept.simulation.dt == 0.002
    document.autosave_aside()
    document.forget_autosave()
    assert not list(tmp_path.glob("*.json"))
