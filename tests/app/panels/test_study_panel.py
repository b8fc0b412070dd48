"""The study panel: made, run, stopped, gone on with; its views; a click opens a run."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from app.panels.study.base import numbers
from app.panels.study.histogram import HistogramView, within, yield_words
from app.panels.study.parallel import ParallelView
from app.panels.study.rows_list import RowsList
from app.panels.study.scatter import ScatterView
from app.panels.study.study_dialog import StudyDialog, read_values, values_text
from app.panels.study.study_panel import StudyPanel
from app.panels.study.surface import SurfaceView, surface_of
from app.panels.study.views import VIEWS
from app.platform.appearance import Look
from engine.studies.outcomes.row import Row
from engine.studies.outcomes.table import Table
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
        assert read_values(kind, values_text(variable), variable.path)
    with pytest.raises(ValueError, match="low, high"):
        read_values("interval", "1", "parameters.m")


def test_a_parameter_is_known_by_its_name_alone(qtbot):
    dialog = StudyDialog(None, Look(), Study(scene=pendulum()), ())
    qtbot.addWidget(dialog)
    dialog.variables.cellWidget(0, 0).setCurrentText("m")
    dialog.variables.cellWidget(0, 2).setText("1, 3, 5")
    assert [variable.path for variable in dialog.made().vary] == ["parameters.m"]


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
    a = numbers(shown, "a")
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
