"""Films show the right instants; whoever cancels gets no file."""

import subprocess
from dataclasses import replace
from pathlib import Path

import imageio.v3 as imageio
import imageio_ffmpeg
import numpy as np
import pytest
from numpy.testing import assert_allclose

from app.cli import run_command_line
from app.exchange.film.film import Plan, Studio, save_film
from app.exchange.film.film_plots import PlotStrip
from app.exchange.runs.opening import replay_of
from app.exchange.sheets.sheets import Line, Sheet
from app.session.recorded.run import Run
from app.viewport.canvas.style import Style
from engine import Scene, simulate
from engine.progress import Cancelled

PLAIN = Style(grid=False, gradient=False, joints=False, traces=False)
SPEED = 0.4  # m/s of the block


@pytest.fixture(scope="module")
def run() -> Run:
    """A block that glides along x at constant speed: where it is at an instant is known."""
    scene = Scene(space="planar", gravity=(0.0, 0.0)).with_body(
        "block",
        mass=1.0,
        inertia=[0.1],
        velocity=[SPEED, 0.0],
        shapes=[{"kind": "box", "size": [0.2, 0.2, 0.1], "color": "#D00000"}],
    )
    return replay_of(simulate(scene, dt=0.001, duration=2.0), 1, name="glide")


def _frames(file: Path, size: tuple[int, int]) -> np.ndarray:
    command = [imageio_ffmpeg.get_ffmpeg_exe(), "-v", "error", "-i", str(file), "-f", "rawvideo"]
    done = subprocess.run([*command, "-pix_fmt", "rgb24", "-"], capture_output=True, check=True)
    return np.frombuffer(done.stdout, np.uint8).reshape(-1, size[1], size[0], 3)


def _place(picture: np.ndarray) -> float:
    """The middle of what is red [px]."""
    red = (picture[..., 0].astype(int) - picture[..., 2]) > 60
    assert red.any()
    return float(np.nonzero(red)[1].mean()) + 0.5  # a pixel is where its middle is


def test_frames_are_the_right_instants(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "film.mp4"
    plan = Plan(size=(320, 180), rate=8.0, speed=2.0, begin=0.5, style=PLAIN)
    assert save_film(run, plan, file) == 7  # 0.5, 0.75 … 2 s
    assert len(_frames(file, (320, 180))) == 7
    studio = Studio(run, plan)
    wanted = [studio.view.camera.project([SPEED * t, 0.0, 0.0])[0] / 2.0 for t in plan.instants(run)]
    studio.close()
    assert_allclose(plan.instants(run), 0.5 + 0.25 * np.arange(7))
    assert_allclose([_place(frame) for frame in _frames(file, (320, 180))], wanted, atol=1.0)
    assert wanted[1] - wanted[0] > 4.0  # pixels: a frame more or less would be seen
    assert [path.name for path in tmp_path.iterdir()] == ["film.mp4"]


def test_the_camera_follows(run: Run, tmp_path: Path) -> None:
    studio = Studio(run, Plan(size=(200, 120), camera="follow:block", style=PLAIN, smooth=False))
    places = [_place(studio.picture(t)) for t in (0.0, 1.0, 2.0)]
    studio.close()
    assert_allclose(places, places[0], atol=1.0)
    with pytest.raises(ValueError, match="no body 'nobody'"):
        Studio(run, Plan(camera="follow:nobody"))


def test_the_line_in_the_plots_moves_with_time(run: Run) -> None:
    plan = Plan(size=(400, 300), plots=("body.block.pos.x", "energy.total"), clock=True, style=PLAIN)
    studio = Studio(run, plan)
    first, last = studio.picture(0.2), studio.picture(1.8)
    studio.close()
    assert first.shape == (300, 400, 3)
    lines = []
    for picture in (first, last):
        strip = picture[-80:, :200]
        lines.append(float(np.nonzero((strip == (255, 122, 0)).all(axis=2))[1].mean()))
    assert 60 < lines[1] - lines[0] < 160
    assert (first[:20, :120] != last[:20, :120]).any()  # the clock


def test_a_cancelled_film_is_not_there(run: Run, tmp_path: Path) -> None:
    told: list[float] = []

    def note(share: float, words: str) -> None:
        told.append(share)

    with pytest.raises(Cancelled):
        save_film(
            run,
            Plan(size=(64, 48), rate=5.0, smooth=False),
            tmp_path / "film.mp4",
            progress=note,
            cancel=lambda: len(told) >= 3,
        )
    assert not list(tmp_path.iterdir())


def test_a_saved_run_becomes_gif_and_picture(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    saved = tmp_path / "run.h5"
    assert run_command_line(["run", "double_pendulum", "--duration", "0.2", "--out", str(saved)]) == 0
    file = tmp_path / "film.gif"
    options = ["--fps", "20", "--size", "96x64", "--rough", "--camera", "orbit", "--clock"]
    assert run_command_line(["render", str(saved), "--out", str(file), *options]) == 0
    assert len(_frames(file, (96, 64))) == 5
    picture = tmp_path / "end.png"
    assert run_command_line(["render", str(saved), "--out", str(picture), "--transparent"]) == 0
    pixels = imageio.imread(picture)
    assert pixels.shape == (720, 1280, 4)
    assert (pixels[..., 3] == 0).mean() > 0.5
    assert (pixels[..., 3] == 255).any()
    assert run_command_line(["render", str(saved), "--out", str(file), "--plots", "energy.nothing"]) == 2
    assert run_command_line(["render", str(saved), "--out", str(file), "--camera", "drunk"]) == 2
    assert "unknown camera" in capsys.readouterr().err


def test_wide_numbers_at_an_axis_without_a_label_are_shown() -> None:
    """They need more room than an axis has at first."""
    t = np.linspace(0.0, 2.0, 401)
    sheet = Sheet(
        "V",
        "time [s]",
        "too long for a label",
        True,
        (0.0, 2.0),
        (Line("v", "m", "#FF0000", t, 10.0 ** (-6.0 - 3.0 * t)),),
    )
    picture = PlotStrip([sheet], (400, 168), dark=False).picture.astype(int)
    beside = picture[30:140, :30]  # left of the curves
    assert (beside.max(axis=2) < 128).sum() > 40


def test_issue_18_a_film_shows_the_plots_of_the_screen(run: Run) -> None:
    """A phase plot stays one, with its point; logarithms, legends and earlier runs are there."""
    t = np.linspace(0.0, 2.0, 401)
    circle = Line("up", "deg", "#FF0000", np.cos(np.pi * t), np.sin(np.pi * t), t)
    phase = Sheet("", "across [deg]", "up [deg]", False, (-1.0, 1.0), (circle,), "phase")
    decay = (
        Line("now", "m", "#FF0000", t, 10.0 ** (-6.0 * t)),
        Line("before", "m", "#0000FF", t, 10.0 ** (-3.0 * t), run="Run 1"),
    )
    log = Sheet("Violation", "time [s]", "m", True, (0.0, 2.0), decay)
    plan = Plan(size=(800, 600), sheets=(phase, log), style=PLAIN, smooth=False)
    studio = Studio(run, plan)
    strips = {t: studio.picture(t)[-168:].astype(int) for t in (0.0, 0.5, 1.0)}
    studio.close()
    right = strips[0.0][:, 400:]

    def middle(picture: np.ndarray, color: tuple[int, int, int]) -> np.ndarray:
        found = np.abs(picture - color).max(axis=2) < 40
        assert found.any()
        return np.argwhere(found).mean(axis=0)

    # the point goes around the circle: from the right to the top and on to the left
    points = [middle(strips[t][:, :400], (255, 122, 0)) for t in (0.0, 0.5, 1.0)]
    assert points[1][0] < points[0][0] - 20
    assert points[0][1] > points[1][1] + 40 > points[2][1] + 80
    # on a logarithmic axis both decays are straight: the points of a line correlate perfectly
    rows, columns = np.nonzero(np.abs(right[30:, :] - (255, 0, 0)).max(axis=2) < 40)
    assert np.corrcoef(rows, columns)[0, 1] > 0.999
    alone = PlotStrip([replace(log, lines=decay[:1])], (400, 168), dark=False).picture
    both = PlotStrip([log], (400, 168), dark=False).picture
    assert (alone[30:] != both[30:]).any(axis=2).sum() > 200  # the earlier run
    # a heading with the colours of the lines
    for color in ((255, 0, 0), (0, 0, 255)):  # of the present run and of the earlier one
        assert (np.abs(right[:20] - color).max(axis=2) < 40).sum() > 5
