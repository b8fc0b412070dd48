"""Plots leave the window: each format is read by someone else."""

import csv
import dataclasses
import re
import xml.etree.ElementTree as ET
from pathlib import Path

import imageio.v3 as imageio
import numpy as np
import pytest
from numpy.testing import assert_allclose
from PySide6.QtWidgets import QFileDialog, QMessageBox, QWidget
from pytestqt.qtbot import QtBot

from app.dialogs.exporting.base import ask_file
from app.dialogs.exporting.plots import PlotExportDialog
from app.exchange.sheets.sheets import Line, Sheet, save_sheets
from app.platform.theme import Theme
from tests.app.window.windows import wait

T = np.linspace(0.0, 2.0, 500)


@pytest.fixture
def sheet(qtbot: QtBot) -> Sheet:
    lines = (Line("sine", "m", "#0072B2", T, np.sin(T)), Line("cosine", "m", "#D55E00", T, np.cos(T)))
    return Sheet("Two waves", "time [s]", "m", False, (0.0, 2.0), lines)


def test_a_png_has_the_wanted_size_and_colours(sheet: Sheet, tmp_path: Path) -> None:
    save_sheets([sheet], tmp_path / "a.png", size=(900, 500))
    picture = imageio.imread(tmp_path / "a.png")[..., :3]
    assert picture.shape == (500, 900, 3)
    assert (picture[0, 0] == 255).all()  # paper
    assert (np.abs(picture.astype(int) - (0x00, 0x72, 0xB2)).max(axis=2) < 40).sum() > 100
    save_sheets([sheet], tmp_path / "b.png", size=(900, 500), theme=Theme(dark=True), paper=False)
    assert (imageio.imread(tmp_path / "b.png")[0, 0] < 100).any()


def test_an_svg_holds_the_curves_as_lines(sheet: Sheet, tmp_path: Path) -> None:
    save_sheets([sheet], tmp_path / "a.svg")
    root = ET.parse(tmp_path / "a.svg").getroot()
    assert root.tag.endswith("svg")
    space = {"s": "http://www.w3.org/2000/svg"}
    lines = [node.get("points", "") for node in root.iter() if node.tag.endswith("polyline")]
    for function in (np.sin, np.cos):  # in units of the page, where others may draw them as they like
        found = False
        for line in lines:
            x, y = np.array([pair.split(",") for pair in line.split()], dtype=float).T
            if len(x) > 10:
                t = (x - x.min()) / np.ptp(x) * 2.0
                found |= abs(np.corrcoef(y, -function(t))[0, 1]) > 0.9999
        assert found
    words = " ".join("".join(node.itertext()) for node in root.iterfind(".//s:text", space))
    assert "Two waves" in words


@pytest.mark.parametrize(
    ("low", "high", "log", "written"),
    [
        (1234567.0, 1234568.5, False, {"1234567", "1234567.5", "1234568"}),
        (-1.2e-7, 2.5e-7, False, {"-1e-07", "0", "1e-07", "2e-07"}),
        (3e-13, 4e-9, True, {"1e-12", "1e-11", "1e-10", "1e-9"}),
        (2.1e-5, 8.3e-5, True, {"5e-5"}),  # no power of ten is in sight
    ],
)
def test_numbers_at_the_axis_have_the_room_they_need(
    low: float, high: float, log: bool, written: set[str], tmp_path: Path, qtbot: QtBot
) -> None:
    lines = (
        Line(
            "wide",
            "",
            "#0072B2",
            T,
            np.geomspace(low, high, len(T)) if log else np.linspace(low, high, len(T)),
        ),
    )
    save_sheets([Sheet("Wide", "time [s]", "", log, (0.0, 2.0), lines)], tmp_path / "wide.svg")
    texts = ET.parse(tmp_path / "wide.svg").getroot().iter("{http://www.w3.org/2000/svg}text")
    assert written <= {"".join(text.itertext()).strip() for text in texts}


def test_a_pdf_has_one_page(sheet: Sheet, tmp_path: Path) -> None:
    save_sheets([sheet], tmp_path / "a.pdf", size=(1600, 800))
    content = (tmp_path / "a.pdf").read_bytes()
    assert content.startswith(b"%PDF-")
    assert content.rstrip().endswith(b"%%EOF")
    assert len(re.findall(rb"/Type\s*/Page\b", content)) == 1
    box = re.search(rb"/MediaBox\s*\[\s*0 0 ([\d.]+) ([\d.]+)", content)
    assert box is not None
    assert float(box[1]) / float(box[2]) == pytest.approx(2.0, rel=0.01)


def test_a_csv_holds_what_is_shown(sheet: Sheet, tmp_path: Path) -> None:
    save_sheets([sheet], tmp_path / "a.csv")
    with open(tmp_path / "a.csv", encoding="utf-8", newline="") as file:
        headings, *rows = csv.reader(file)
    assert headings == ["time [s]", "sine [m]", "cosine [m]"]
    assert_allclose(np.array(rows, dtype=float), np.column_stack([T, np.sin(T), np.cos(T)]), rtol=0.0)


def test_all_plots_in_one_go_and_trouble(sheet: Sheet, tmp_path: Path, qtbot: QtBot) -> None:
    files = save_sheets([sheet, sheet], tmp_path / "plots.svg")
    assert [file.name for file in files] == ["plots-1-two_waves.svg", "plots-2-two_waves.svg"]
    for ending in (".png", ".svg", ".pdf", ".csv"):
        with pytest.raises(OSError, match="nothing was saved"):
            save_sheets([sheet], tmp_path / "none" / f"a{ending}")
    with pytest.raises(OSError, match="nothing was saved"):  # all or none
        save_sheets([sheet, dataclasses.replace(sheet, title="x" * 300)], tmp_path / "both.svg")
    assert not list(tmp_path.glob("*both*"))


def test_the_dialog_lets_another_process_draw(sheet: Sheet, tmp_path: Path, qtbot: QtBot) -> None:
    dialog = PlotExportDialog(None, [sheet, sheet], Theme(), tmp_path)
    qtbot.addWidget(dialog)
    dialog.show()
    for box in dialog.boxes:
        box.setChecked(False)
    dialog.start(tmp_path / "a.png")
    assert "at least one plot" in dialog.told.text()
    dialog.boxes[0].setChecked(True)
    dialog.start(tmp_path / "a.png")
    dialog.reject()
    wait(qtbot, lambda: dialog._job is None)
    assert dialog.told.text() == "Cancelled; nothing was saved"
    dialog.boxes[1].setChecked(True)
    dialog.width_box.setValue(300)
    dialog.height_box.setValue(200)
    dialog.start(tmp_path / "a.png")
    wait(qtbot, lambda: dialog._job is None)
    names = ["a-1-two_waves.png", "a-2-two_waves.png"]
    assert [file.name for file in dialog.files] == names
    assert sorted(file.name for file in tmp_path.iterdir()) == names
    assert imageio.imread(tmp_path / names[1]).shape[:2] == (200, 300)


@pytest.mark.parametrize(
    ("typed", "written"), [("a.svg", "a.svg"), ("b.PDF", "b.PDF"), ("c", "c.png"), ("d.odt", "d.odt.png")]
)
def test_an_ending_that_is_typed_chooses_the_format(
    sheet: Sheet, tmp_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, typed: str, written: str
) -> None:
    """plots.svg became plots.svg.png while the list of formats stood at its first line."""
    parent = QWidget()
    qtbot.addWidget(parent)
    dialog = PlotExportDialog(parent, [sheet], Theme(), tmp_path)
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / typed), ""))
    begun: list[Path] = []
    monkeypatch.setattr(dialog, "start", begun.append)
    dialog.ask()
    assert begun == [tmp_path / written]
    assert dialog.format.currentData() == Path(written).suffix.lower()


def test_a_file_with_an_added_ending_is_not_replaced_unasked(
    tmp_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    asked: list[str] = []
    answers = [QMessageBox.StandardButton.No, QMessageBox.StandardButton.Yes]

    def question(parent: QWidget, title: str, text: str) -> QMessageBox.StandardButton:
        asked.append(text)
        return answers[len(asked) - 1]

    monkeypatch.setattr(QMessageBox, "question", question)
    for typed, wanted in (("a.h5", "a.h5"), ("b", "b.h5"), ("run", None), ("run", "run.h5"), ("", None)):
        (tmp_path / "run.h5").touch()
        name = str(tmp_path / typed) if typed else ""
        monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_, name=name: (name, ""))
        found = ask_file(parent, "Save", tmp_path / "x", (".h5", ".hdf5"), "HDF5")
        assert found == (tmp_path / wanted if wanted else None)
    assert asked == ["run.h5 is there already. Replace it?"] * 2


def test_issue_18_an_svg_is_small_and_needs_no_vector_effect(qtbot: QtBot, tmp_path: Path) -> None:
    t = np.linspace(0.0, 10.0, 10_001)
    lines = tuple(Line(f"wave {k}", "m", "#0072B2", t, np.sin(k * t)) for k in (3, 4, 5))
    save_sheets([Sheet("Waves", "time [s]", "m", False, (0.0, 10.0), lines)], tmp_path / "a.svg")
    text = (tmp_path / "a.svg").read_text(encoding="utf-8")
    assert len(text) < 100_000
    assert "vector-effect" not in text
    root = ET.fromstring(text)
    x0, y0, width, height = map(float, root.get("viewBox", "").split())
    drawn = [node.get("points", "").split() for node in root.iter() if node.tag.endswith("polyline")]
    curves = [points for points in drawn if len(points) > 10]
    assert len(curves) == len(lines)
    for points in curves:
        x, y = np.array([point.split(",") for point in points], dtype=float).T
        assert x0 <= x.min() < x.max() <= x0 + width
        assert y0 <= y.min() < y.max() <= y0 + height
    opacities = {float(value) for value in re.findall(r'stroke-opacity="([^"]*)"', text)}
    assert opacities == {1.0}  # a pale grid is a pale colour: not every program takes it from the group


def test_letters_of_an_svg_have_one_family_that_browsers_know_and_no_small_size(
    sheet: Sheet, tmp_path: Path
) -> None:
    save_sheets([sheet], tmp_path / "a.svg")
    text = (tmp_path / "a.svg").read_text(encoding="utf-8")
    assert set(re.findall(r'font-family="([^"]*)"', text)) == {"DejaVu Sans, Arial, sans-serif"}
    assert min(map(float, re.findall(r'font-size="([^"]*)"', text))) >= 11.0  # of 800 across the page
