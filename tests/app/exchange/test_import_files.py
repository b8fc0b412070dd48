"""Meshes and robots come into the window and onto the command line."""

import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose
from pytestqt.qtbot import QtBot

from app.cli import run_command_line
from app.dialogs.importing.mesh import MeshDialog
from app.dialogs.importing.urdf import UrdfDialog
from app.exchange.imports.mesh import add_mesh, add_mesh_body, read_mesh, solid_of
from app.platform.appearance import Look
from app.window.main_window import MainWindow
from engine import Scene, load_scene, validate
from tests.app.window.windows import open_window, wait

CORNERS = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)], dtype=float)
FACES = np.array(
    [
        *([0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1]),
        *([2, 3, 7], [2, 7, 6], [0, 2, 6], [0, 6, 4], [1, 5, 7], [1, 7, 3]),
    ]
)
SIDES, AT = np.array([200.0, 30.0, 10.0]), np.array([5.0, -7.0, 40.0])  # mm
ROBOT = """<robot name="wheel">
  <link name="base"/>
  <link name="wheel"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial>
    <visual><geometry><mesh filename="wheel.stl" scale="0.001 0.001 0.001"/></geometry></visual></link>
  <joint name="axle" type="continuous"><parent link="base"/><child link="wheel"/></joint>
  <transmission/>
</robot>"""


def _stl(points: np.ndarray, faces: np.ndarray) -> str:
    rows = ["solid bar"]
    for face in faces:
        rows += ["facet normal 0 0 0", "outer loop"]
        rows += [f"vertex {p[0]} {p[1]} {p[2]}" for p in points[face]]
        rows += ["endloop", "endfacet"]
    return "\n".join([*rows, "endsolid bar"])


@pytest.fixture
def bar(tmp_path: Path) -> Path:
    """A bar of 200 × 30 × 10 mm, drawn in millimetres."""
    file = tmp_path / "bar-1.stl"
    file.write_text(_stl(AT + SIDES * CORNERS, FACES), encoding="utf-8")
    return file


def test_what_a_mesh_encloses(bar: Path) -> None:
    """Volume, centre and inertia of a box are known."""
    solid = read_mesh(bar)
    assert solid.closed
    assert solid.volume == pytest.approx(np.prod(SIDES))
    assert_allclose(solid.com, AT + SIDES / 2)
    x, y, z = SIDES
    assert_allclose(
        solid.inertia, np.diag([y * y + z * z, x * x + z * z, x * x + y * y]) * x * y * z / 12, rtol=1e-6
    )
    inward = solid_of(AT + SIDES * CORNERS, FACES[:, ::-1])
    assert_allclose(inward.inertia, solid.inertia, rtol=1e-6)
    with_hole = solid_of(AT + SIDES * CORNERS, FACES[1:])
    assert not with_hole.closed
    assert with_hole.volume == pytest.approx(np.prod(SIDES))  # the box around it


def test_a_mesh_becomes_a_body_or_a_shape(bar: Path) -> None:
    solid = read_mesh(bar)
    scene = add_mesh_body(Scene(), "bar-1.stl", 0.001, solid, 7850.0).after
    body = scene.body("bar-1")
    assert body.mass == pytest.approx(7850.0 * 0.2 * 0.03 * 0.01)
    assert_allclose(body.com, [0.105, 0.008, 0.045])
    assert not validate(scene)
    assert len(add_mesh(scene, "bar-1", "bar-1.stl", 0.001).after.body("bar-1").shapes) == 2
    flat = solid_of(np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0]]), np.array([[0, 1, 2]]))
    assert not flat.closed
    assert add_mesh_body(Scene(), "a.stl", 1.0, flat, 100.0).after.bodies[0].mass == pytest.approx(1.0)


def test_the_dialog_guesses_millimetres(bar: Path, qtbot: QtBot) -> None:
    dialog = MeshDialog(None, Scene(), Look(), bar, str(bar.parent))
    qtbot.addWidget(dialog)
    wait(qtbot, lambda: dialog.solid is not None)
    assert dialog.unit.currentData() == "mm"
    assert "0.2 × 0.03 × 0.01 m" in dialog.facts.text()
    dialog.take()
    assert dialog.edit is not None
    assert dialog.edit.after.bodies[0].shapes[0].file == "bar-1.stl"  # type: ignore[attr-defined]
    (bar.parent / "bad.stl").write_text("nothing", encoding="utf-8")
    bad = MeshDialog(None, Scene(), Look(), bar.parent / "bad.stl", "")
    qtbot.addWidget(bad)
    wait(qtbot, lambda: bad._job is None)
    assert "no STL file" in bad.told.text()
    bad.take()
    assert bad.edit is None


@pytest.fixture
def window(qtbot: QtBot, tmp_path: Path) -> Iterator[MainWindow]:
    with open_window(tmp_path / "own", warm=False) as window:
        yield window


def test_the_window_imports_both(
    window: MainWindow, qtbot: QtBot, tmp_path: Path, bar: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def choose(dialog: UrdfDialog | MeshDialog) -> int:
        wait(qtbot, lambda: dialog.ok().isEnabled())
        dialog.take()
        return int(dialog.result())

    monkeypatch.setattr(UrdfDialog, "exec", choose)
    monkeypatch.setattr(MeshDialog, "exec", choose)
    (tmp_path / "robot.urdf").write_text(ROBOT, encoding="utf-8")
    told: list[str] = []
    window.session.message.connect(lambda level, text, ref: told.append(text))
    assert window.open_path(tmp_path / "robot.urdf")
    document = window.session.document
    assert [body.name for body in document.scene.bodies] == ["base", "wheel"]
    assert any("<transmission>" in text for text in told)
    wait(qtbot, lambda: window.session.state == "ready")
    before = document.scene
    assert window.handlers.imports.import_path(bar)
    assert [body.name for body in document.scene.bodies] == ["base", "wheel", "bar-1"]
    document.stack.undo()
    assert document.scene == before


def test_a_bad_robot_is_told_in_the_dialog(qtbot: QtBot, tmp_path: Path) -> None:
    (tmp_path / "robot.urdf").write_text("<robot>\n<link>\n</robot>", encoding="utf-8")
    dialog = UrdfDialog(None, tmp_path / "robot.urdf")
    qtbot.addWidget(dialog)
    wait(qtbot, lambda: dialog._job is None)
    assert "robot.urdf, line 3: this is not XML" in dialog.told.text()
    assert not dialog.ok().isEnabled()


def test_the_command_line_imports_a_robot(
    tmp_path: Path, bar: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "robots").mkdir()
    file = tmp_path / "robots" / "robot.urdf"
    file.write_text(ROBOT, encoding="utf-8")
    (tmp_path / "robots" / "wheel.stl").write_bytes(bar.read_bytes())
    out = tmp_path / "scene.json"
    assert run_command_line(["import", str(file), "--out", str(out), "--json"]) == 0
    notes = json.loads(capsys.readouterr().out)["not_taken_over"]
    assert {
        "line": 6,
        "text": "<transmission>: transmissions drive nothing here; add a motor or a motion",
    } in notes
    scene = load_scene(out)
    assert scene.body("wheel").shapes[0].file == "robots/wheel.stl"  # type: ignore[attr-defined]
    file.write_text("<robot>\n</link>", encoding="utf-8")
    assert run_command_line(["import", str(file), "--out", str(out)]) == 2
    assert "robot.urdf, line 2" in capsys.readouterr().err
    assert run_command_line(["import", str(bar), "--out", str(out)]) == 2
