"""The report on paper, read back by a PDF library that had no part in writing it."""

from pathlib import Path

import numpy as np
import pypdf
import pytest

from app.cli import run_command_line
from app.exchange.report.save import save_report
from app.exchange.sheets.sheets import Line, Sheet, save_sheets
from app.session.recorded.run import Run
from engine import loads
from engine.progress import Cancelled
from tests.app.exchange.gliding import gliding_run


@pytest.fixture(scope="module")
def run() -> Run:
    return gliding_run("Glide & <stop>")


def test_a_report_on_paper_holds_all_of_it(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "run.pdf"
    told: list[float] = []

    def note(share: float, words: str) -> None:
        told.append(share)

    save_report(
        run,
        file,
        ["body.block.pos.x"],
        message="It glides.",
        progress=note,
    )
    reader = pypdf.PdfReader(file)
    text = " ".join(word for page in reader.pages for word in page.extract_text().split())
    assert reader.metadata is not None
    assert reader.metadata.title == "Glide & <stop>"
    for words in ("Glide & <stop>", "to be believed", "It glides.", "0.01 s", "body.block.pos.x", "Energy"):
        assert words in text
    assert len(reader.pages) <= 2
    assert [round(float(side) / 72 * 25.4) for side in reader.pages[0].mediabox[2:]] == [210, 297]
    (picture,) = [image for page in reader.pages for image in page.images]
    assert picture.image is not None
    assert picture.image.size == (1280, 720)
    assert loads(reader.attachments["scene.json"][0].decode()) == run.scene
    assert told == sorted(told)
    assert told[-1] == 1.0


def test_numbers_stand_at_their_places_on_paper(tmp_path: Path, qapp: object) -> None:
    """An axis from 0 to 10 with equal steps: the number k stands k steps from the first."""
    t = np.linspace(0.0, 10.0, 50)
    sheet = Sheet(
        "Wave", "time [s]", "m", False, (0.0, 10.0), (Line("sine", "m", "#0072B2", t, 0.5 * np.sin(t)),)
    )
    save_sheets([sheet], tmp_path / "wave.pdf")
    found: dict[str, float] = {}
    (page,) = pypdf.PdfReader(tmp_path / "wave.pdf").pages

    def visit(text: str, cm: list[float], tm: list[float], font: object, size: float) -> None:
        if text.strip() in "123456789" and text.strip():
            found[text.strip()] = tm[4] * cm[0] + tm[5] * cm[2] + cm[4]

    page.extract_text(visitor_text=visit)
    places = [found[str(k)] for k in range(1, 10)]
    steps = np.diff(places)
    width = float(page.mediabox.width)
    assert steps == pytest.approx(np.full(8, steps[0]), rel=0.01)
    assert 0.08 * width < steps[0] < 0.1 * width
    assert places[-1] < width


def test_a_cancelled_report_leaves_what_was_there(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "run.pdf"
    file.write_text("before")
    told: list[float] = []

    def note(share: float, words: str) -> None:
        told.append(share)

    with pytest.raises(Cancelled):
        save_report(run, file, progress=note, cancel=lambda: bool(told))
    assert file.read_text() == "before"
    assert [path.name for path in tmp_path.iterdir()] == [file.name]


def test_the_command_knows_both_endings(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("os.nice", lambda _: 0, raising=False)  # the tests after this one wait for nobody
    file = tmp_path / "run.pdf"
    command = ["report", "double_pendulum", "--duration", "0.05", "--out", str(file), "--background"]
    assert run_command_line(command) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[-1] == '{"progress": 1.0}'
    assert file.read_bytes().startswith(b"%PDF-")
