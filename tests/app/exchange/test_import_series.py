"""Measured series become motions, forces and references."""

import math
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose
from pytestqt.qtbot import QtBot

from app.cli import run_command_line
from app.dialogs.importing.series import SeriesDialog
from app.document.document import Document
from app.exchange.imports.series import TARGETS, SeriesPlan, import_series, thinning
from app.platform.appearance import Look
from app.window.main_window import MainWindow
from engine import Scene, dumps, load_scene, loads, save_scene, simulate
from engine.model.files.text_table import parse_table
from tests.app.window.windows import open_window, wait

TIMES = np.arange(0.0, 2001.0, 50.0)  # ms
ANGLES = 30.0 * np.sin(2.0 * math.pi * TIMES / 1000.0)  # deg, one turn of the sine per second
GERMAN = "Zeit [ms];Winkel [deg]\n" + "".join(
    f"{t:g};{a:.9g}\n".replace(".", ",") for t, a in zip(TIMES, ANGLES, strict=True)
)


@pytest.fixture(scope="module")
def scene() -> Scene:
    """A wheel on a hinge in the plane: inertia 0.5 about it."""
    return (
        Scene(space="planar", gravity=(0.0, 0.0))
        .with_body("wheel", mass=2.0, inertia=[0.5])
        .with_joint("revolute", "hinge", a={"body": "world", "point": [0.0, 0.0]}, b={"body": "wheel"})
        .with_simulation(duration=1.0, dt=0.001)
    )


def test_a_series_moves_a_joint(scene: Scene) -> None:
    """The joint follows the sine that was sampled; a spline of step h errs by less than 5/384 h⁴ max|y⁗|."""
    plan = SeriesPlan(parse_table(GERMAN), "Zeit", "Winkel", "ms", "deg")
    edit = import_series(scene, plan, "joint_motion", "hinge", "angle")
    run = simulate(loads(dumps(edit.after)), duration=1.0)
    w = 2.0 * math.pi
    amplitude = math.radians(30.0)
    wanted = amplitude * np.sin(w * run.t)
    assert_allclose(run.channel("joint.hinge.angle"), wanted, atol=3.0 * 5 / 384 * 0.05**4 * w**4 * amplitude)
    inner = (run.t > 0.2) & (run.t < 0.8)  # away from the ends of the spline
    effort = run.channel("motion.Winkel of hinge.effort")[inner]
    assert_allclose(effort, -0.5 * w**2 * wanted[inner], atol=0.01 * 0.5 * w**2 * amplitude)


def test_a_series_pushes_a_body(scene: Scene) -> None:
    """A torque that grows with time, τ = 3 t: the angle is τ t² / (6 I) = t³."""
    plan = SeriesPlan(parse_table("t,M\n0,0\n1000,3000\n"), "t", "M", "ms", "N·mm", interpolation="linear")
    edit = import_series(scene, plan, "torque", "wheel", "z", name="load")
    run = simulate(edit.after, duration=1.0)
    assert_allclose(run.channel("joint.hinge.angle"), run.t**3, atol=1e-9)
    assert edit.after.force("load").name == "load"


def test_what_does_not_fit_is_told(scene: Scene) -> None:
    table = parse_table(GERMAN)
    good = SeriesPlan(table, "Zeit", "Winkel", "ms", "deg")
    for plan, words in (
        (SeriesPlan(table, "Zeit", "Winkel", "ms", "kg"), "unknown unit 'kg' here; known: rad, deg"),
        (SeriesPlan(table, "Zeit", "Weg"), "no column 'Weg'"),
        (SeriesPlan(table, "Winkel", "Zeit"), "line 8: its time"),
        (SeriesPlan(parse_table("t,x\n0,1\n1,2\n"), "t", "x", outside="periodic"), "periodic"),
    ):
        with pytest.raises(ValueError, match=words):
            import_series(scene, plan, "joint_motion", "hinge", "angle")
    with pytest.raises(ValueError, match="no joint 'hinges'"):
        import_series(scene, good, "joint_motion", "hinges", "angle")
    with pytest.raises(ValueError, match="unknown coordinate 'displacement'"):
        import_series(scene, good, "joint_motion", "hinge", "displacement")
    assert (thinning(2000), thinning(2001)) == (1, 2)
    assert all(not target.owners(Scene()) for target in TARGETS.values())


def test_the_dialog_finds_units_and_shows_the_curve(scene: Scene, qtbot: QtBot, tmp_path: Path) -> None:
    file = tmp_path / "angle.csv"
    file.write_text(GERMAN, encoding="utf-8")
    dialog = SeriesDialog(None, scene, Look(), file, now=lambda name: 0.25)
    qtbot.addWidget(dialog)
    wait(qtbot, lambda: dialog.table is not None)
    assert (dialog.time_unit.currentData(), dialog.value_unit.currentData()) == ("ms", "deg")
    assert "decimal comma" in dialog.told.text()
    x, y = dialog.plot.curve.getData()
    assert_allclose(y, 30.0 * np.sin(2.0 * math.pi * x), atol=0.02)  # degrees, as the user reads them
    assert len(dialog.plot.dots.getData()[0]) == len(TIMES)
    dialog.from_now.setChecked(True)
    dialog.take()
    document = Document()
    document.load(scene)
    assert dialog.edit is not None
    document.apply(dialog.edit)
    (motion,) = document.scene.motions
    assert motion.function.points[0] == pytest.approx((0.0, 0.25))  # type: ignore[attr-defined]
    document.stack.undo()
    assert document.scene == scene
    document.stack.redo()
    assert len(document.scene.motions) == 1


def test_bad_files_are_told_in_the_dialog(scene: Scene, qtbot: QtBot, tmp_path: Path) -> None:
    file = tmp_path / "bad.csv"
    file.write_text("t,x\n0,1\n1,oops\n", encoding="utf-8")
    dialog = SeriesDialog(None, scene, Look(), file)
    qtbot.addWidget(dialog)
    wait(qtbot, lambda: dialog._job is None)
    assert "line 3: 'oops'" in dialog.told.text()
    assert not dialog.ok().isEnabled()
    dialog.take()
    assert dialog.edit is None
    empty = SeriesDialog(None, Scene(), Look(), tmp_path / "none.csv")
    qtbot.addWidget(empty)
    wait(qtbot, lambda: empty._job is None)
    assert "No such file" in empty.told.text()
    assert empty.target.currentData() == "reference"


@pytest.fixture
def window(qtbot: QtBot, tmp_path: Path) -> Iterator[MainWindow]:
    with open_window(tmp_path / "own", warm=False) as window:
        yield window


def test_the_window_takes_a_series_as_reference(
    window: MainWindow, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "angle.csv"
    file.write_text(GERMAN, encoding="utf-8")

    def choose(dialog: SeriesDialog) -> int:
        wait(qtbot, lambda: dialog.table is not None)
        dialog.target.setCurrentIndex(dialog.target.findData("reference"))
        dialog.channel.setEditText("joint.hinge.angle")
        dialog.take()
        return int(dialog.result())

    monkeypatch.setattr(SeriesDialog, "exec", choose)
    assert window.handlers.imports.import_path(file)
    (run,) = (run for run in window.session.runs if run.kind == "reference")
    t, values = run.channel("joint.hinge.angle")
    assert_allclose(t, TIMES / 1000.0)
    assert_allclose(values, ANGLES, atol=1e-7)
    assert run.unit("joint.hinge.angle") == "deg"


def test_the_command_line_imports_too(
    scene: Scene, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    save_scene(scene, tmp_path / "wheel.json")
    (tmp_path / "a.csv").write_text(GERMAN, encoding="utf-8")
    command = ["import", str(tmp_path / "a.csv"), "--into", str(tmp_path / "wheel.json")]
    out = ["--out", str(tmp_path / "driven.json")]
    assert run_command_line([*command, *out, "--as", "joint_motion:hinge.angle"]) == 0
    (motion,) = load_scene(tmp_path / "driven.json").motions
    assert motion.function.points[5] == pytest.approx((0.25, math.radians(30.0)))  # type: ignore[attr-defined]
    assert run_command_line([*command, *out, "--as", "joint_motion:hing.angle"]) == 2
    assert "no joint 'hing'" in capsys.readouterr().err
    assert run_command_line([*command, *out, "--as", "nonsense"]) == 2
    assert run_command_line(["import", str(tmp_path / "a.csv"), *out]) == 2
    assert "--into" in capsys.readouterr().err


def test_a_column_in_a_unit_of_another_sort_is_refused(
    scene: Scene, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Millimetres were taken as radians; the remedy works when it is followed."""
    save_scene(scene, tmp_path / "wheel.json")
    (tmp_path / "a.csv").write_text("t [s],x [mm]\n0,1\n1,2\n2,3\n", encoding="utf-8")
    command = ["import", str(tmp_path / "a.csv"), "--into", str(tmp_path / "wheel.json")]
    command += ["--out", str(tmp_path / "driven.json"), "--as", "joint_motion:hinge.angle"]
    assert run_command_line(command) == 2
    assert "column 'x' is in mm, where rad is wanted" in capsys.readouterr().err
    assert run_command_line([*command, "--unit", "rad"]) == 0
    (motion,) = load_scene(tmp_path / "driven.json").motions
    assert motion.function.points[1] == pytest.approx((1.0, 2.0))  # type: ignore[attr-defined]
