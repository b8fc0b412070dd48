"""The matrix panel: patterns before and after, cells that name their elements, pictures to take away."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from app.document.document import Document, Ref
from app.panels.matrix.matrix_panel import MatrixPanel
from app.platform.appearance import Look
from app.platform.resources import scene_paths
from app.session.session import Session
from app.widgets.matrix.painting import save_matrix, sheet_image
from app.widgets.matrix.pattern_image import CHOSEN, ENTRY, FILL, NOTHING, Drawn, raster
from engine import load_scene
from engine.analyses.answers.result import MatrixForms, Mention
from engine.analyses.base import Question
from engine.analyses.matrices.matrix import MATRIX, MatrixOptions

PATIENCE = 300_000  # ms; a first run may have to compile, on a busy machine


def forms(scene: str = "stewart_platform", matrix: str = "complement") -> MatrixForms:
    options = MatrixOptions(matrix=matrix)  # type: ignore[arg-type]
    (found,) = MATRIX.run(Question(load_scene(scene_paths()[scene]), options)).matrices
    return found


@pytest.fixture(scope="module")
def matrix() -> MatrixForms:
    return forms()


# the image


def test_at_one_pixel_per_line_the_image_is_the_pattern_with_its_fill(matrix: MatrixForms) -> None:
    natural = matrix.forms[0]
    n = matrix.pattern.shape[0]
    pixels = raster(Drawn(matrix, natural), (0.0, 0.0), 1.0, (n, n))
    np.testing.assert_array_equal(pixels == ENTRY, matrix.pattern.dense())
    assert (pixels == FILL).sum() == 2 * natural.facts["fill"]
    assert not (raster(Drawn(matrix, natural, fill=False), (0.0, 0.0), 1.0, (n, n)) == FILL).any()


@pytest.mark.parametrize("scale", [0.3, 1.0, 3.7, 9.0])
def test_every_zoom_shows_the_cells_where_they_are(matrix: MatrixForms, scale: float) -> None:
    drawn = Drawn(matrix, matrix.forms[1], fill=False)
    origin, size = (7.25, 3.5), (90, 60)
    pixels = raster(drawn, origin, scale, size)
    full = np.zeros(matrix.pattern.shape, bool)
    full[drawn.entries] = True
    for y in range(size[1]):
        for x in range(size[0]):
            r, c = origin[1] + (y + 0.5) / scale, origin[0] + (x + 0.5) / scale
            inside = r < full.shape[0] and c < full.shape[1]
            if scale >= 1.0:
                expected = bool(inside and full[int(r), int(c)])
                assert pixels[y, x] in ((ENTRY, NOTHING) if expected else (NOTHING,))
    if scale < 5.0 and scale >= 1.0:
        assert (pixels == ENTRY).any()


def test_small_zooms_lose_no_entry(matrix: MatrixForms) -> None:
    drawn = Drawn(matrix, matrix.forms[0], fill=False)
    pixels = raster(drawn, (0.0, 0.0), 0.25, (20, 20))
    rows, columns = drawn.entries
    assert (pixels[((rows + 0.5) * 0.25).astype(int), ((columns + 0.5) * 0.25).astype(int)] == ENTRY).all()


def test_lines_of_a_chosen_element_and_what_it_couples_stand_out(matrix: MatrixForms) -> None:
    drawn = Drawn(matrix, matrix.forms[0], fill=False)
    n = matrix.pattern.shape[0]
    joint = raster(drawn, (0.0, 0.0), 1.0, (n, n), frozenset({("joints", "S1")}))
    own = np.array([mention.name == "S1" for mention in matrix.rows])
    np.testing.assert_array_equal(joint == CHOSEN, matrix.pattern.dense() & (own[:, None] | own[None, :]))
    body = raster(drawn, (0.0, 0.0), 1.0, (n, n), frozenset({("bodies", "platform")}))
    on_it = np.array(["platform" in matrix.touched[m.where, m.name] for m in matrix.rows])
    np.testing.assert_array_equal(body == CHOSEN, matrix.pattern.dense() & np.outer(on_it, on_it))


def test_what_couples_two_lines(matrix: MatrixForms) -> None:
    assert matrix.between(Mention("joints", "S1"), Mention("joints", "S2")) == (
        Mention("bodies", "platform"),
    )
    bodies = forms("four_bar", "penalised")
    assert bodies.between(Mention("bodies", "crank"), Mention("bodies", "coupler")) == (
        Mention("joints", "B"),
    )


def test_pictures_are_saved(matrix: MatrixForms, tmp_path: Path, qtbot: QtBot) -> None:
    save_matrix(matrix, tmp_path / "a.png")
    save_matrix(matrix, tmp_path / "a.svg")
    assert QImage(str(tmp_path / "a.png")).width() > 1000
    assert b"<svg" in (tmp_path / "a.svg").read_bytes()
    assert sheet_image(matrix, names=("natural",)).width() < sheet_image(matrix).width()


# the panel


@pytest.fixture
def panel(qtbot: QtBot, tmp_path: Path) -> Iterator[MatrixPanel]:
    session = Session(Document(autosave=tmp_path), warm=False)
    session.document.open(scene_paths()["four_bar"])
    made = MatrixPanel(session, Look(), files_folder=lambda: tmp_path)
    qtbot.addWidget(made)
    made.resize(1000, 300)
    made.show()
    made.catch_up()
    qtbot.waitUntil(lambda: not made.busy, timeout=PATIENCE)
    yield made
    assert made.shutdown()
    session.close()


def centre(panel: MatrixPanel, row: int, column: int) -> QPoint:
    """Middle of a cell of the pattern on the left."""
    view = panel.before
    return QPointF(2 + (column + 0.5) * view.scale, 18 + (row + 0.5) * view.scale).toPoint()


def test_a_cell_names_its_elements_and_lights_them_up(panel: MatrixPanel, qtbot: QtBot) -> None:
    panel.choose("saddle")
    qtbot.waitUntil(lambda: not panel.busy, timeout=PATIENCE)
    assert panel.matrix is not None
    first = panel.matrix.rows.index(
        Mention("joints", "A", str(next(m for m in panel.matrix.rows if m.name == "A")))
    )
    selection = panel._session.selection
    QTest.mouseMove(panel.before, centre(panel, first, 0))
    cell = panel.before.cell_at(QPointF(centre(panel, first, 0)))
    assert cell is not None
    panel._point(cell)
    assert set(selection.hovers) == {Ref("joints", "A"), Ref("bodies", "crank")}
    assert "crank x′" in panel.pointed.text()
    QTest.mouseClick(panel.before, Qt.MouseButton.LeftButton, pos=centre(panel, first, 0))
    assert set(selection.refs) == {Ref("joints", "A"), Ref("bodies", "crank")}
    panel._point(None)
    assert selection.hovers == ()


def test_a_row_of_the_table_shows_its_pattern(panel: MatrixPanel) -> None:
    assert panel.matrix is not None
    for row, form in enumerate(panel.matrix.forms):
        panel.table.selectRow(row)
        drawn = panel.after.drawn
        assert drawn is not None
        assert drawn.form is form
        assert panel.table.item(row, 0).text() == form.title
    assert not panel.grab().isNull()


@pytest.mark.parametrize("height", [120, 171, 400])
def test_a_fitted_pattern_is_seen_with_the_line_around_it(panel: MatrixPanel, height: int) -> None:
    """The last line and the frame below it were cut off in a low panel."""
    view = panel.after
    view.resize(240, height)
    assert view.drawn is not None
    below = 18 + max(view.drawn.shape) * view.scale
    assert below + 1.0 <= height - 2.0


def test_row_and_column_under_the_pointer_end_with_the_matrix(panel: MatrixPanel) -> None:
    view = panel.after
    view.resize(400, 200)
    assert view.drawn is not None
    wide = round(2 + view.drawn.shape[1] * view.scale) + 2  # right of the frame there is nothing
    assert wide < 390
    plain = view.grab().toImage()
    view._point(view.cell_at(QPointF(2 + 2.5 * view.scale, 18 + 3.5 * view.scale)))
    pointed = view.grab().toImage()
    row = [(x, round(18 + 3.5 * view.scale)) for x in range(4, 398)]
    changed = [x for x, y in row if pointed.pixel(x, y) != plain.pixel(x, y)]
    assert changed
    assert max(changed) < wide


def test_the_wheel_zooms_and_a_double_click_shows_all(panel: MatrixPanel) -> None:
    view = panel.after
    fitted = view.scale
    for _ in range(4):
        view.zoom(1.5, QPointF(60.0, 60.0))
    assert view.scale > fitted
    before = view.cell_at(QPointF(60.0, 60.0))
    view.zoom(1.3, QPointF(60.0, 60.0))
    assert view.cell_at(QPointF(60.0, 60.0)) == before  # what is under the pointer stays there
    QTest.mouseDClick(view, Qt.MouseButton.LeftButton)
    assert view.scale == fitted


def test_an_edit_is_told_and_a_new_scene_begins_anew(panel: MatrixPanel, qtbot: QtBot) -> None:
    document = panel._session.document
    document.open(scene_paths()["pendulum"])
    qtbot.waitUntil(lambda: not panel.busy and panel.matrix is not None, timeout=PATIENCE)
    assert panel.matrix is not None
    assert panel.matrix.pattern.shape == (2, 2)


def test_what_a_scene_does_not_have_is_said_without_the_place_of_the_option(
    panel: MatrixPanel, qtbot: QtBot
) -> None:
    panel.choose("natural")
    qtbot.waitUntil(lambda: not panel.busy, timeout=PATIENCE)
    assert panel.pointed.text().startswith("no natural coordinates: the scene is planar")
    assert panel.matrix is None


def test_nothing_is_bold_where_nothing_is_timed(panel: MatrixPanel, qtbot: QtBot) -> None:
    """All rows were: none was faster than another."""
    panel.choose("jacobian")
    qtbot.waitUntil(lambda: not panel.busy, timeout=PATIENCE)
    assert panel.matrix is not None
    rows = range(panel.table.rowCount())
    assert len(rows) > 1
    assert not any(panel.table.item(row, 0).font().bold() for row in rows)
    assert "   ·   " in panel.pointed.text() or len(panel._shown.result.notes) == 1
