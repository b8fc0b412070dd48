"""The document: changes are told exactly, files are safe, work survives a crash."""

import gc
import json
import os
import weakref
from pathlib import Path

import pytest

from app.document.document import EMPTY, SETTINGS, SIMULATION, Document, Edit, Ref, difference, refs_of
from app.document.selection import Selection
from app.edits import add, remove, rename, set_field, set_parameter, set_simulation, set_visible
from engine import Scene, SceneError, dumps, load_scene, save_scene
from engine.elements.bodies.body import Body

pytestmark = pytest.mark.usefixtures("qapp")


DRIVE = Ref("forces", "drive")


def pendulum() -> Scene:
    return (
        Scene(space="planar", title="Swing")
        .with_parameter("L", 1.2)
        .with_body(
            "rod", mass=3.0, com=["L/2", 0.0], inertia=[0.36], points=[{"name": "tip", "position": [1, 0]}]
        )
        .with_joint("revolute", "hinge", a={"body": "world"}, b={"body": "rod", "point": [0.0, 0.0]})
        .with_force("motor", "drive", joint="hinge", effort="sin(t)")
    )


@pytest.fixture
def document(tmp_path) -> Document:
    made = Document(autosave=tmp_path / "autosave")
    made.load(pendulum())
    return made


def test_a_new_document_is_empty_and_clean(tmp_path):
    document = Document(autosave=tmp_path)
    assert document.scene == EMPTY
    assert document.clean
    assert document.path is None
    assert document.problems == []
    assert document.title == "Untitled"


@pytest.mark.parametrize(
    ("edit", "changed", "structural"),
    [
        (lambda s: set_field(s, [Ref("bodies", "rod")], "mass", 4.0), {Ref("bodies", "rod")}, False),
        (lambda s: set_field(s, [Ref("bodies", "rod")], "mass", "2*L"), {Ref("bodies", "rod")}, False),
        (lambda s: set_visible(s, [Ref("bodies", "rod")], False), {Ref("bodies", "rod")}, False),
        (lambda s: set_field(s, [Ref("bodies", "rod")], "fixed", True), {Ref("bodies", "rod")}, True),
        (
            lambda s: set_field(s, [Ref("forces", "drive")], "effort", "cos(t)"),
            {Ref("forces", "drive")},
            True,
        ),
        (lambda s: set_field(s, [Ref("joints", "hinge")], "b.body", "world"), {Ref("joints", "hinge")}, True),
        (lambda s: set_parameter(s, "L", 2.0), {Ref("parameters", "L")}, False),
        (lambda s: set_simulation(s, dt=0.01), {Ref(SIMULATION, "")}, False),
        (lambda s: set_field(s, [Ref(SETTINGS, "")], "title", "x"), {Ref(SETTINGS, "title")}, False),
    ],
)
def test_a_change_says_what_changed(document, edit, changed, structural):
    told = []
    document.changed.connect(told.append)
    document.apply(edit(document.scene))
    assert len(told) == 1
    assert set(told[0].changed) == changed
    assert told[0].structural is structural
    assert (told[0].added, told[0].removed, dict(told[0].renamed)) == ((), (), {})
    assert told[0].after is document.scene


def test_adding_removing_and_renaming_are_told(document):
    told = []
    document.changed.connect(told.append)
    document.apply(add(document.scene, Body(name="ball", mass=1.0, inertia=(1.0,))))
    assert told[-1].added == (Ref("bodies", "ball"),)
    assert told[-1].structural
    document.apply(rename(document.scene, Ref("bodies", "ball"), "globe"))
    assert told[-1].added == told[-1].removed == ()
    assert told[-1].follow(Ref("bodies", "ball", "p")) == Ref("bodies", "globe", "p")
    document.apply(remove(document.scene, [Ref("bodies", "globe")]))
    assert told[-1].removed == (Ref("bodies", "globe"),)
    assert told[-1].follow(Ref("bodies", "globe")) is None


def test_nothing_changed():
    change = difference(pendulum(), pendulum())
    assert change.added == change.removed == change.changed == ()
    assert not change.structural


def test_problems_are_those_of_the_present_scene(document):
    broken = document.scene.remove("bodies", "rod")
    document.apply(Edit("break", broken))
    assert document.problems
    document.stack.undo()
    assert document.problems == []


def test_the_selection_follows_the_scene(document):
    selection = Selection()
    document.changed.connect(selection.follow)
    seen = []
    selection.changed.connect(lambda: seen.append(selection.refs))
    rod, hinge = Ref("bodies", "rod"), Ref("joints", "hinge")
    selection.set([rod, hinge, rod])
    assert selection.refs == (rod, hinge)
    selection.toggle(hinge)
    selection.toggle(hinge)
    selection.set_hover(Ref("bodies", "rod", "tip"))
    document.apply(rename(document.scene, rod, "arm"))
    assert selection.refs == (Ref("bodies", "arm"), hinge)
    assert selection.hover == Ref("bodies", "arm", "tip")
    document.apply(rename(document.scene, Ref("bodies", "arm", "tip"), "end"))
    assert selection.hover == Ref("bodies", "arm", "end")
    document.apply(remove(document.scene, [Ref("bodies", "arm")]))
    assert selection.refs == ()
    document.stack.undo()
    selection.clear()
    assert len(seen) == 5
    assert Ref("bodies", "arm") not in selection


def test_save_open_and_the_clean_flag(document, tmp_path):
    with pytest.raises(ValueError, match="no file"):
        document.save()
    path = tmp_path / "swing.json"
    document.apply(set_parameter(document.scene, "L", 2.0))
    document.save(path)
    assert document.clean
    assert document.path == path
    assert load_scene(path) == document.scene
    document.apply(set_parameter(document.scene, "L", 3.0))
    assert not document.clean
    document.stack.undo()
    assert document.clean
    other = Document(autosave=tmp_path / "autosave")
    told = []
    other.changed.connect(told.append)
    other.open(path)
    assert other.scene == document.scene
    assert told[0].reset
    assert set(told[0].added) == set(refs_of(other.scene))
    other.new()
    assert other.scene == EMPTY
    assert other.path is None


def test_issue_18_a_scene_after_one_that_was_never_saved_is_clean(document):
    document.load(document.scene, saved=False)  # as templates are
    assert not document.clean
    document.new()
    assert document.clean


def test_a_file_that_cannot_be_read_leaves_the_document_alone(document, tmp_path):
    (tmp_path / "broken.json").write_text('{"format": "trammel-scene", "version": 1, "bodies": 3}')
    before = document.scene
    with pytest.raises(SceneError):
        document.open(tmp_path / "broken.json")
    assert document.scene is before


def test_unsaved_work_survives_a_crash(document, tmp_path):
    assert document.autosave() is None  # nothing to keep
    document.apply(set_parameter(document.scene, "L", 5.0))
    copy = document.autosave()
    assert copy is not None
    assert document.recoverable() == []  # its own copy, and this program runs
    info = copy.with_suffix(".info")
    info.write_text(json.dumps({**json.loads(info.read_text()), "path": "/there/swing.json"}))

    other = Document(autosave=tmp_path / "autosave")
    assert other.recoverable() == []  # another window of a program that runs
    document._lock.release()  # as the system does when it ends
    assert other.recoverable() == [copy]
    assert other.recover()
    assert other.scene == document.scene
    assert str(other.path).endswith("swing.json")
    assert not other.clean
    other.save(tmp_path / "saved.json")
    assert other.recoverable() == []
    assert not copy.exists()
    assert not other.recover()


def test_issue_17_work_is_offered_whoever_has_the_process_id_now(document, tmp_path):
    document.apply(set_parameter(document.scene, "L", 5.0))
    copy = document.autosave()
    document._lock.release()
    info = copy.with_suffix(".info")
    info.write_text(json.dumps({**json.loads(info.read_text()), "pid": os.getppid()}))
    assert Document(autosave=tmp_path / "autosave").recoverable() == [copy]


def unsolvable() -> Scene:
    """A length that is no number for the value that its parameter has, though each is allowed by itself."""
    return pendulum().with_body("arm", mass=1.0, inertia=[0.1], position=["sqrt(1 - L)", 0.0])


def test_issue_17_what_the_window_holds_it_saves_opens_and_recovers(document, tmp_path):
    document.apply(Edit("Add an arm", unsolvable()))
    assert document.problems
    file = tmp_path / "unsolvable.json"
    document.save(file)
    with pytest.raises(SceneError, match="sqrt"):
        load_scene(file)  # to run or check it
    other = Document(autosave=tmp_path / "elsewhere")
    other.open(file)
    assert other.scene == document.scene
    assert [problem.message for problem in other.problems] == [p.message for p in document.problems]

    document.apply(set_field(document.scene, [Ref("bodies", "arm")], "mass", 2.0))
    document.autosave()
    document._lock.release()
    crashed = Document(autosave=tmp_path / "autosave")
    assert crashed.recover()
    assert crashed.scene == document.scene


def test_issue_17_a_copy_that_cannot_be_read_is_told(document, tmp_path):
    (tmp_path / "autosave").mkdir()
    (tmp_path / "autosave" / "torn.json").write_text('{"format": "trammel-scene", "ver')
    with pytest.raises(SceneError):
        document.recover()


def test_a_name_that_stands_for_two_elements_is_not_opened(document, tmp_path):
    twice = Scene(space="planar", bodies=(*pendulum().bodies, *pendulum().bodies))
    (tmp_path / "twice.json").write_text(dumps(twice))
    with pytest.raises(SceneError, match="twice"):
        document.open(tmp_path / "twice.json")


def test_saving_and_undoing_forget_the_copy(document, tmp_path):
    document.apply(set_parameter(document.scene, "L", 5.0))
    copy = document.autosave()
    document.stack.undo()
    assert document.autosave() is None
    assert not copy.exists()
    document.stack.redo()
    copy = document.autosave()
    document.save(tmp_path / "x.json")
    assert not copy.exists()


def test_a_folder_that_cannot_be_written_is_no_error(tmp_path):
    (tmp_path / "file").write_text("")
    document = Document(autosave=tmp_path / "file" / "autosave")
    document.load(pendulum())
    document.apply(set_parameter(document.scene, "L", 5.0))
    assert document.autosave() is None
    assert document.recoverable() == []


def test_a_document_is_deleted_while_its_steps_are_still_held(tmp_path):
    """The last step that went took the document along, which then deleted it a second time: a crash."""
    gc.collect()
    gc.freeze()  # what was there before is not looked through again each time
    try:
        for _ in range(20):
            document = Document(autosave=tmp_path)
            document.load(pendulum())
            for mass in (1.0, 2.0, 3.5):
                document.apply(set_field(document.scene, [Ref("bodies", "rod")], "mass", mass))
            held = [document.stack.command(i) for i in range(document.stack.count())]
            assert len(held) == 3
            gone = weakref.ref(document)
            del document
            gc.collect()
            assert gone() is None
    finally:
        gc.unfreeze()


@pytest.mark.parametrize(
    "note",
    [
        "",
        "5",
        "[" * 100_000,
        '{"path": 5}',
        '{"path": ["a"]}',
        '{"path": "a\\u0000b"}',
        '{"path": "\\ud800"}',
    ],
    ids=range(7),
)
def test_issue_17_a_copy_is_recovered_whatever_the_note_beside_it_says(note: str, tmp_path: Path) -> None:
    scene = pendulum()
    save_scene(scene, tmp_path / "copy.json")
    (tmp_path / "copy.info").write_text(note, encoding="utf-8")
    document = Document(autosave=tmp_path)
    assert document.recover()
    assert document.scene == scene
    assert document.path is None
