"""A disk that is full, a folder that cannot be written: what was there stays, nothing half-written is left.

The disk is full in earnest: the system lets this process and the encoder write files of a few bytes only.
"""

import contextlib
import os
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pyqtgraph as pg
import pytest

from app.cli.pictures.plot_page import save_page
from app.exchange.film.film import Plan, Studio, save_film
from app.exchange.interactive.page import PagePlan
from app.exchange.interactive.page import save_page as save_interactive_page
from app.exchange.report.save import save_report
from app.exchange.runs.extracts import extract_of
from app.exchange.sheets.sheets import Line, Sheet, save_sheets
from app.platform.application import application
from app.session.recorded.run import Run
from app.viewport.pictures.picture import save as save_picture
from app.widgets.charts.chart_picture import save_charts
from engine import Scene
from engine.analyses.answers.chart import Axis, Chart, Series
from engine.results.files.extract import save
from engine.results.files.formats import FORMATS
from engine.simulation.streaming import stream
from tests.app.exchange.gliding import gliding_run

resource = pytest.importorskip("resource")
ROOM = 512  # bytes of a file
T = np.linspace(0.0, 1.0, 200)
CHART = Chart("Wave", Axis("time", "s"), Axis("wave", "m"), (Series("", T, np.sin(T)),))
SHEET = Sheet("Wave", "time [s]", "m", False, (0.0, 1.0), (Line("wave", "m", "#0072B2", T, np.sin(T)),))


@pytest.fixture(scope="module")
def run() -> Run:
    application(offscreen=True)
    return gliding_run()


def _film(run: Run, path: Path) -> None:
    save_film(run, Plan(size=(96, 64), rate=20.0, smooth=False), path)


def _picture(run: Run, path: Path) -> None:
    studio = Studio(run, Plan(size=(96, 64), smooth=False))
    try:
        save_picture(studio.picture(0.1), path)
    finally:
        studio.close()


SAVERS: dict[str, Callable[[Run, Path], object]] = {
    **{f"run{ending}": lambda run, path: save(extract_of(run), path) for ending in FORMATS.names},
    **{f"plot{e}": lambda run, path: save_sheets([SHEET], path) for e in (".png", ".svg", ".pdf", ".csv")},
    **{f"chart{e}": lambda run, path: save_charts([CHART], path) for e in (".png", ".svg")},
    "page.png": lambda run, path: save_page(pg.GraphicsLayoutWidget(show=False, size=(900, 600)), path),
    "film.mp4": _film,
    "film.gif": _film,
    "picture.png": _picture,
    "motion.html": lambda run, path: save_interactive_page(run, PagePlan(), path),
    "report.html": lambda run, path: save_report(run, path),
    "report.pdf": lambda run, path: save_report(run, path),
}


@contextlib.contextmanager
def full_disk() -> Iterator[None]:
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    # an error instead of an end; the encoder inherits it
    before = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    bytecode, sys.dont_write_bytecode = sys.dont_write_bytecode, True  # half of it would stay and be read
    resource.setrlimit(resource.RLIMIT_FSIZE, (ROOM, hard))
    try:
        yield
    finally:
        sys.dont_write_bytecode = bytecode
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        signal.signal(signal.SIGXFSZ, before)


@pytest.mark.parametrize("name", SAVERS)
def test_a_full_disk_leaves_what_was_there(run: Run, tmp_path: Path, name: str) -> None:
    file = tmp_path / name
    file.write_text("before")
    count = run.count
    with full_disk(), pytest.raises(OSError, match="nothing was saved") as caught:
        SAVERS[name](run, file)
    assert caught.value.filename == str(file)
    assert file.read_text() == "before"
    assert [path.name for path in tmp_path.iterdir()] == [name]
    assert run.count == count
    if not name.startswith("report"):  # which takes long
        SAVERS[name](run, file)  # an existing file is replaced when there is room
        assert file.read_bytes()[:6] != b"before"
        assert [path.name for path in tmp_path.iterdir()] == [name]


@pytest.mark.parametrize("name", SAVERS)
def test_a_folder_that_cannot_be_written_is_told(run: Run, tmp_path: Path, name: str) -> None:
    (tmp_path / "file").write_text("no folder")
    with pytest.raises(OSError, match="nothing was saved"):
        SAVERS[name](run, tmp_path / "file" / name)
    if os.geteuid():  # whoever may do everything cannot be stopped
        (tmp_path / "closed").mkdir(mode=0o500)
        with pytest.raises(OSError, match="Permission denied; nothing was saved"):
            SAVERS[name](run, tmp_path / "closed" / name)
        assert not list((tmp_path / "closed").iterdir())


def test_a_full_disk_ends_a_stream_with_what_fits(tmp_path: Path) -> None:
    scene = Scene(space="planar", gravity=(0.0, 0.0)).with_body(
        "block", mass=2.0, inertia=[0.1], velocity=[0.4, 0.0]
    )
    file = tmp_path / "run.h5"
    file.write_text("before")
    with full_disk(), pytest.raises(OSError, match="File too large"):
        stream(scene, file, channels=[], dt=0.01, duration=0.2)
    assert [path.name for path in tmp_path.iterdir()] == ["run.h5"]
    assert file.read_text() == "before"  # not even the start had room
