"""The study panel: made, run, stopped, gone on with; its views; a click opens a run."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace

from app.panels.study.histogram import HistogramView, within, yield_words
from app.panels.study.parallel import ParallelView
from app.panels.study.response_surface import SurfaceView, surface_of
from app.panels.study.rows_list import RowsList
from app.panels.study.scatter import ScatterView
from app.panels.study.study_dialog import StudyDialog, read_values, values_text
from app.panels.study.study_panel import StudyPanel
from app.panels.study.views import VIEWS
from app.platform.appearance import Look
from app.platform.units import Units
from app.session.background.jobs.sweep_job import SweepJob
from engine.elements.bodies.shapes import Mesh
from engine.studies.column_units import column_units
from engine.studies.outcomes.row import Row
from engine.studies.outcomes.table import Table
from engine.studies.running.batch import OtherVersion
from engine.studies.study import Study
from engine.studies.study_file import save_study
from tests.app.session.sessions import Watcher, pendulum, watched_session

pytestmark = pytest.mark.usefixtures("qapp")


@pytest.fixture
def watched(tmp_path) -> Iterator[Watcher]:
    with watched_session(tmp_path) as made:
        yield made


@pytest.fixture
def panel(watched, qtbot, tmp_path) -> Iterator[StudyPanel]:
    made = StudyPanel(watched.session, Look(), lambda: tmp_path)
    made.workers = 0  # in the thread of the job: no processes to wait for
    qtbot.addWidget(made)
    made.show()
    made.catch_up()
    yield made
    assert made.shutdown()


UNITS = Units({"rad": "deg", "m": "mm"})


def lengths(values=(1.0, 2.0, 4.0)) -> Study:
    """The largest angle of a pendulum that is let go at the side does not depend on its mass."""
    scene = pendulum(duration=0.2)
    study = Study(scene=scene, title="masses").with_variable("choices", "parameters.m", values=list(values))
    study = study.with_objective("energy", "energy.kinetic", "max")
    return study.with_objective("angle", "body.rod.angle", "min")


def table(rows: int = 40) -> Table:
    rng = np.random.default_rng(1)
    made = []
    for i in range(rows):
        x, y = rng.random(2)
        made.append(Row(str(i), (float(x), float(y), "rk4"), (float(2 * x - 3 * y),), "finished", "", 0.1))
    made.append(Row("bad", (0.5, 0.5, "rk5"), (None,), "refused", "no such method", 0.0))
    return Table("t", ("a", "b", "simulation.method"), ("z",), made, rows + 1)


def test_a_study_is_run_and_a_click_opens_its_run(panel, watched):
    watched.load(pendulum(duration=0.2))
    panel.show_study(lengths())
    panel.run()
    assert panel._job is not None
    watched.until(lambda: (panel._look_at_it(), panel._job is None)[1])
    assert panel.table.complete
    assert not panel.table.failed
    # without damping the motion does not depend on the mass, its energy does
    np.testing.assert_allclose(panel.table["angle"], panel.table["angle"][0], rtol=1e-9)
    np.testing.assert_allclose(panel.table["energy"] / [1.0, 2.0, 4.0], panel.table["energy"][0], rtol=1e-9)
    panel.open_row(2)
    watched.until(lambda: (panel._look_at_it(), panel._row_job is None)[1])
    run = watched.session.current
    assert run.name == "m = 4"
    assert run.scene.parameter("m").value == 4.0
    assert run.t_last == pytest.approx(0.2)


def test_a_study_goes_on_where_it_was_stopped_and_failures_are_rows(panel, watched, tmp_path):
    watched.load(pendulum(duration=0.2))
    path = tmp_path / "m.study.json"
    study = lengths((1.0, 2.0)).with_variable("choices", "simulation.method", values=["rk4", "rk5"])
    save_study(lengths(), path)
    assert panel.open_path(path)
    panel.run()
    watched.until(lambda: (panel._look_at_it(), panel._job is None)[1])
    panel.show_study(lengths(), path)
    assert panel.table is None
    assert panel.open_path(path)  # the rows are known
    watched.until(lambda: (panel._look_at_it(), panel._job is None)[1])
    assert panel.table.complete
    panel.show_study(study, tmp_path / "bad.study.json")
    panel.run()
    watched.until(lambda: (panel._look_at_it(), panel._job is None)[1])
    assert [row.status for row in panel.table.rows] == ["finished", "refused", "finished", "refused"]
    assert "rk5" in panel.table.failed[0].message
    panel.open_row(1)
    watched.until(lambda: (panel._look_at_it(), panel._row_job is None)[1])
    assert any("rk5" in text for _, text, _ in watched.messages)


def test_a_broken_mesh_is_told_before_the_first_run(panel, watched, tmp_path):
    (tmp_path / "part.obj").write_text("v 0 0 0\nv 1 0 0\nf 1 2 999999999\n", encoding="utf-8")
    scene = pendulum(duration=0.2)
    bodies = [replace(body, shapes=(Mesh(file="part.obj"),)) for body in scene.bodies]
    watched.session.document.load(replace(scene, bodies=tuple(bodies)), tmp_path / "scene.json")
    panel.show_study(replace(lengths(), scene=watched.session.document.scene))
    panel.run()
    watched.until(lambda: (panel._look_at_it(), panel._job is None)[1])
    assert not panel.table.rows
    told = [text for _, text, _ in watched.messages if "part.obj: line 3" in text]
    assert told
    assert "leave it out: bodies.rod.shapes=[]" in told[0]


def test_all_rows_are_there_when_the_last_run_is_told(panel, watched, monkeypatch):
    """Processes take seconds to end, in which the last rows were missing beside "5 of 5 runs"."""
    seen = []
    tell = SweepJob._tell

    def spy(job, share, words):
        tell(job, share, words)
        seen.append((share, len(job.table.rows)))

    monkeypatch.setattr(SweepJob, "_tell", spy)
    panel.show_study(lengths())
    panel.run()
    watched.until(lambda: (panel._look_at_it(), panel._job is None)[1])
    assert seen[-1] == (1.0, 3)


def test_a_program_that_was_replaced_meanwhile_is_told(panel, watched, monkeypatch):
    """Its workers are begun from the new one; it was a fault of the program, with a traceback."""

    def refuse(*_, **__):
        raise OtherVersion("a worker has another one")

    monkeypatch.setattr(Study, "run", refuse)
    panel.show_study(lengths())
    panel.run()
    watched.until(lambda: (panel._look_at_it(), panel._job is None)[1])
    assert any("close the window and start it again" in text for _, text, _ in watched.messages)
    assert not any("Traceback" in text for _, text, _ in watched.messages)


def test_a_study_that_cannot_be_used_is_told(panel, monkeypatch, tmp_path):
    told = []
    monkeypatch.setattr(
        "app.panels.study.study_panel.QMessageBox.warning", lambda *args: told.append(args[-1])
    )
    path = tmp_path / "x.study.json"
    path.write_text('{"format": "trammel-study", "version": 1, "scene": "nowhere"}', encoding="utf-8")
    assert not panel.open_path(path)
    assert "nowhere" in told[0]


def test_the_dialog_gives_back_what_it_was_given(qtbot):
    study = (
        lengths()
        .with_variable("interval", "simulation.dt", low=0.001, high=0.002, count=3)
        .with_variable("tolerance", "bodies.rod.mass", tolerance=0.1, shape="uniform")
    )
    dialog = StudyDialog(None, Look(), study, ("energy.kinetic",))
    qtbot.addWidget(dialog)
    assert dialog.made() == study
    dialog.objectives.cellWidget(0, 1).setCurrentText("energy.kinetik")
    dialog.accept()
    assert "energy.kinetik" in dialog.reason.text()
    assert not dialog.result()
    for variable in study.vary:
        kind = str(variable.__struct_config__.tag)
        assert read_values(kind, values_text(variable, UNITS, ""), variable.path, UNITS, "")
    with pytest.raises(ValueError, match="low, high"):
        read_values("interval", "1", "parameters.m", UNITS, "kg")


@pytest.mark.parametrize(
    ("design", "fields"),
    [
        ("random", {"count": 7, "seed": 5}),
        ("latin_hypercube", {"count": 7, "seed": 5}),
        ("sobol", {"count": 8, "seed": 5}),
        ("list", {"rows": [(0.1, 0.001), (1 / 3, 0.002), (0.1, 0.003)]}),
    ],
)
def test_the_dialog_keeps_seeds_lists_and_instants(qtbot, design, fields):
    study = (
        Study(scene=pendulum())
        .with_variable("interval", "parameters.m", low=0.1, high=1.0)
        .with_variable("interval", "simulation.dt", low=0.001, high=0.003)
        .with_design(design, **fields)
        .with_objective("there", "energy.kinetic", "at", at=0.25)
    )
    dialog = StudyDialog(None, Look(), study, ("energy.kinetic",))
    qtbot.addWidget(dialog)
    assert dialog.made() == study


def test_a_list_of_runs_is_written_as_values_that_come_together(qtbot):
    dialog = StudyDialog(None, Look(), Study(scene=pendulum()), ("energy.kinetic",))
    qtbot.addWidget(dialog)
    dialog._add_row(dialog.variables)
    dialog.design.setCurrentIndex(dialog.design.findData("list"))
    for row, (path, text) in enumerate((("m", "1, 2, 3"), ("simulation.dt", "0.001, 0.002"))):
        assert not dialog.variables.cellWidget(row, 1).isEnabled()
        dialog.variables.cellWidget(row, 0).setCurrentText(path)
        dialog.variables.cellWidget(row, 2).setText(text)
    with pytest.raises(ValueError, match=r"parameters.m: 3, simulation.dt: 2"):
        dialog.made()
    dialog.variables.cellWidget(1, 2).setText("1 ms, 2 ms, 3 ms")
    assert list(dialog.made().design.rows) == [(1.0, 0.001), (2.0, 0.002), (3.0, 0.003)]


def test_an_instant_is_asked_for_where_one_is_needed(qtbot):
    dialog = StudyDialog(None, Look(), Study(scene=pendulum()), ("energy.kinetic",))
    qtbot.addWidget(dialog)
    dialog.objectives.cellWidget(0, 1).setCurrentText("energy.kinetic")
    reductions, instant = dialog.objectives.cellWidget(0, 2), dialog.objectives.cellWidget(0, 3)
    assert not instant.isEnabled()
    reductions.setCurrentIndex(reductions.findData("at"))
    assert instant.isEnabled()
    with pytest.raises(ValueError, match="column At"):
        dialog.made()
    instant.setText("250 ms")
    assert dialog.made().objectives[0].at == pytest.approx(0.25)


def test_a_parameter_is_known_by_its_name_alone(qtbot):
    dialog = StudyDialog(None, Look(), Study(scene=pendulum()), ())
    qtbot.addWidget(dialog)
    dialog.variables.cellWidget(0, 0).setCurrentText("m")
    dialog.variables.cellWidget(0, 2).setText("1, 3, 5")
    assert [variable.path for variable in dialog.made().vary] == ["parameters.m"]


@pytest.mark.parametrize(
    ("path", "values", "said"),
    [
        ("mm", "1, 3, 5", "there is no parameter 'mm'; did you mean 'm'?; choose one in the list"),
        ("bodies.rodd.mass", "1, 3, 5", "there is no 'rodd' here"),
        ("m", "3, 3, 5", "parameters.m: "),
    ],
)
def test_issue_18_a_fault_is_told_in_the_words_of_the_dialog(path, values, said, qtbot):
    """It was `vary[0].path: …`, the place in a file that nobody has written."""
    dialog = StudyDialog(None, Look(), lengths(), ("energy.kinetic",))
    qtbot.addWidget(dialog)
    for column, text in ((0, path), (1, "interval")):
        dialog.variables.cellWidget(0, column).setCurrentText(text)
    dialog.variables.cellWidget(0, 2).setText(values)
    dialog.accept()
    assert said in dialog.reason.text()
    assert "vary" not in dialog.reason.text()


@pytest.mark.parametrize("kind", VIEWS, ids=lambda kind: kind.name)
def test_views_show_rows_failures_and_nothing(kind, qtbot):
    view = kind.make(Look())
    qtbot.addWidget(view)
    view.show()
    for shown in (table(0), table(), Table("none", ("a",), ("z",), [], 5)):
        view.show_table(shown)
        view.grab()
    view.dress()


def test_the_surface_of_a_plane_is_the_plane():
    rng = np.random.default_rng(2)
    x, y = np.append(rng.random(50), [0, 0, 1, 1]), np.append(rng.random(50), [0, 1, 0, 1])
    found = surface_of(x, y, 2 * x - 3 * y)
    grid = np.linspace(0, 1, len(found))
    np.testing.assert_allclose(found, 2 * grid[:, None] - 3 * grid[None], atol=1e-12)


def test_the_yield_counts_runs_within_limits_and_failed_ones_as_out():
    values = np.array([*range(10), np.nan])
    assert within(values, 2.0, 5.0).sum() == 4
    assert within(values, None, None).sum() == 10
    assert yield_words(values, None, None, "mm").startswith("mean 4.5 mm, σ 2.87 mm;")
    # Wilson's interval of 4 of 11: 15.2 to 64.6 %
    words = yield_words(values, 2.0, 5.0)
    assert words.startswith("yield 36.4 % of 11 runs (95 %: 15.2 to 64.6 %)")


def test_limits_are_kept_by_column(qtbot):
    view = HistogramView(Look())
    qtbot.addWidget(view)
    view.show_table(table())
    view.set_limits(-1.0, 1.0)
    assert "yield" in view.yield_.text()
    view.of.setCurrentText("a")
    assert view.limits == (None, None)
    view.of.setCurrentText("z")
    assert view.limits == (-1.0, 1.0)


def test_brushes_choose_runs(qtbot):
    view = ParallelView(Look())
    qtbot.addWidget(view)
    view.resize(600, 300)
    shown = table()
    view.show_table(shown)
    assert len(view.brushed) == 40  # one failed
    view._held = ("a", 0.0)
    view._brush(view._y(0.5))
    a = shown["a"]
    middle = (np.nanmin(a[:40]) + np.nanmax(a[:40])) / 2
    assert set(view.brushed) == set(np.flatnonzero(a[:40] <= middle))
    picked = []
    view.picked.connect(picked.append)
    x, share = (view._x(0) + view._x(1)) / 2, view._shares[view.inside][0]
    index = view._line_at(x, view._y(float(share[:2].mean())))
    assert index in view.brushed


def test_points_and_rows_pick_their_run(qtbot):
    view, rows = ScatterView(Look()), RowsList(Look())
    surface = SurfaceView(Look())
    for widget in (view, rows, surface):
        qtbot.addWidget(widget)
        widget.show_table(table())
    picked = []
    for widget in (view, surface):
        widget.picked.connect(picked.append)
        widget.points.sigClicked.emit(widget.points, widget.points.points()[7:8], None)
    assert picked == [7, 7]
    rows.picked.connect(picked.append)
    rows.view.itemActivated.emit(rows.view.topLevelItem(40), 0)
    assert picked[-1] == 40
    assert Path(rows.view.topLevelItem(40).text(5)).name == "no such method"


def test_values_are_written_in_the_units_that_are_shown():
    assert read_values("interval", "30, 60 deg, 3", "parameters.a", UNITS, "rad") == {
        "low": pytest.approx(np.pi / 6),
        "high": pytest.approx(np.pi / 3),
        "count": 3,
    }
    assert read_values("choices", "20, 0.03 m", "parameters.L", UNITS, "m") == {"values": [0.02, 0.03]}
    assert read_values("choices", "rk4, dopri5", "simulation.method", UNITS, "") == {
        "values": ["rk4", "dopri5"]
    }
    with pytest.raises(ValueError, match="rpm"):
        read_values("interval", "1 rpm, 2", "parameters.L", UNITS, "m")
    with pytest.raises(ValueError, match="3 kg"):
        read_values("choices", "3 kg", "parameters.L", UNITS, "m")


def test_the_dialog_says_in_which_unit_and_what_is_there_now(qtbot):
    dialog = StudyDialog(None, Look(units=UNITS), Study(scene=pendulum()), ())
    qtbot.addWidget(dialog)
    dialog.variables.cellWidget(0, 0).setCurrentText("joints.hinge.b.point.0")
    line = dialog.variables.cellWidget(0, 2)
    assert line.placeholderText().endswith("mm, 5")
    assert "now 0 mm" in line.toolTip()
    dialog.variables.cellWidget(0, 0).setCurrentText("m")
    assert line.placeholderText() == "1.5, 4.5, 5"
    dialog.variables.cellWidget(0, 1).setCurrentText("tolerance")
    assert line.placeholderText() == "0.03, normal"


def test_axes_and_rows_have_display_units(qtbot):
    rows = [Row(str(i), (0.1 * i,), (0.5 * i, 2.0), "finished", "", 0.1) for i in range(5)]
    made = Table("t", ("parameters.L",), ("turn", "ratio"), rows, 5)
    si = {"parameters.L": "m", "turn": "rad"}
    look = Look(units=UNITS)
    scatter, listed, histogram = ScatterView(look), RowsList(look), HistogramView(look)
    for view in (scatter, listed, histogram):
        qtbot.addWidget(view)
        view.show_table(made, si)
    x, y = scatter.points.getData()
    np.testing.assert_allclose(x, 100.0 * np.arange(5))
    np.testing.assert_allclose(y, np.rad2deg(0.5 * np.arange(5)))
    assert scatter.plot.getAxis("bottom").labelText == "L [mm]"
    assert scatter.plot.getAxis("left").labelText == "turn [deg]"
    header = listed.view.headerItem()
    assert [header.text(i) for i in range(3)] == ["L [mm]", "turn [deg]", "ratio"]
    assert listed.view.topLevelItem(1).text(0) == "100"
    assert listed.view.topLevelItem(1).text(1) == "28.6479"
    histogram.set_limits(0.0, 90.0)  # as shown: one of five lies above 90°
    assert "yield 80.0 %" in histogram.yield_.text()
    look.set(look.theme, Units({}))
    for view in (scatter, listed, histogram):
        view.dress()
    assert scatter.plot.getAxis("left").labelText == "turn [rad]"
    assert listed.view.topLevelItem(1).text(0) == "0.1"
    assert histogram.limits[1] == pytest.approx(np.pi / 2)


def test_units_of_what_a_study_asks():
    study = lengths().with_objective("when", "body.rod.angle", "time")
    assert column_units(study) == {"parameters.m": "", "energy": "J", "angle": "rad", "when": "s"}


def test_a_study_of_another_scene_brings_it_along(panel, watched, qtbot, tmp_path) -> None:
    """Its runs were shown beside the tree of the scene that was there, as small as that one was large."""
    document = watched.session.document
    path = tmp_path / "masses.study.json"
    save_study(lengths(), path)
    document.load(pendulum().with_body("beam", mass=1.0, inertia=[1.0]))
    asked = []
    panel._may_leave = lambda: bool(asked.append(1))
    assert not panel.open_path(path)
    assert (asked, panel.study) == ([1], None)
    assert [body.name for body in document.scene.bodies] == ["rod", "beam"]
    panel._may_leave = lambda: True
    assert panel.open_path(path)
    assert [body.name for body in document.scene.bodies] == ["rod"]


def test_rows_of_the_study_before_are_gone(panel, qtbot) -> None:
    """They stood there until the first run of the new one had come; a new one had empty axes."""
    assert panel.pages.currentWidget() is panel.hint
    panel.show_study(lengths())
    assert "No runs yet" in panel.hint.text()
    panel.run()
    qtbot.waitUntil(lambda: panel.table is not None and panel.table.complete, timeout=60_000)
    assert panel.pages.currentWidget() is panel.tabs
    heading = panel.views["rows"].view.header()
    assert all(heading.sectionSize(k) >= heading.sectionSizeHint(k) for k in range(3))
    panel.show_study(lengths((1.0, 5.0)))
    assert panel.pages.currentWidget() is panel.hint
