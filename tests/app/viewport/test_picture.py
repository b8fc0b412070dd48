"""The picture and the plot that a headless start leaves, measured instead of compared."""

from pathlib import Path
from typing import Any

import imageio.v3 as imageio
import numpy as np
import pytest

from app.cli.pictures.energy_plot import save_plot
from app.viewport.pictures.picture import draw, save, save_picture
from app.viewport.scene.scene_view import SceneView
from engine import Scene, loads, simulate


class Poses:
    """A trajectory that knows where one body is."""

    t = np.linspace(0.0, 1.0, 20)

    def __init__(self, x: float) -> None:
        self._last = {"body.ball.pos.x": x, "body.ball.quat.w": 1.0}

    def names(self) -> tuple[str, ...]:
        return tuple(self._last)

    def channel(self, name: str) -> Any:
        return np.full(self.t.size, self._last.get(name, 0.0))

    def unit(self, name: str) -> str:
        return "m"


def test_a_body_is_drawn_where_it_is(tmp_path: Path) -> None:
    scene = loads(
        """{"format": "trammel-scene", "version": 1, "space": "planar", "bodies": [
        {"name": "wall", "fixed": true, "shapes": [{"kind": "box", "size": [4, 2, 0.1], "color": "#dddddd"}]},
        {"name": "ball", "mass": 1, "inertia": [1], "shapes":
            [{"kind": "sphere", "radius": 0.2, "color": "#ff0000"}]}]}"""
    )
    middle = []
    for x in (-1.0, 1.0):
        file = tmp_path / "picture.png"
        save_picture(scene, Poses(x), file)  # type: ignore[arg-type]
        picture = imageio.imread(file).astype(int)
        red = picture[..., 0] > picture[..., 1:3].max(axis=2) + 40
        middle.append(np.argwhere(red)[:, 1].mean() - picture.shape[1] / 2)
    assert middle[1] > 50
    assert middle[0] == pytest.approx(-middle[1], abs=2)


@pytest.mark.usefixtures("qapp")
def test_the_plot_has_curves_of_both_kinds(tmp_path: Path) -> None:
    file = tmp_path / "plot.png"
    save_plot(Poses(0.0), "Ω", file)  # type: ignore[arg-type]
    picture = imageio.imread(file)[..., :3].astype(int)
    for half in np.array_split(picture, 2):
        colourful = half.max(axis=2) - half.min(axis=2) > 80
        assert colourful.sum() > 300


def test_a_trace_of_many_turns_is_round(monkeypatch: pytest.MonkeyPatch) -> None:
    """Forty turns in a saved picture: no chord cuts off more than a hundredth of the radius."""
    turning = (
        Scene(space="planar", gravity=(0.0, 0.0))
        .with_body("wheel", mass=1.0, inertia=[1.0], angular_velocity=[0.0, 0.0, 8.0 * np.pi])
        .with_joint("revolute", "hub", a={"body": "world"}, b={"body": "wheel"})
        .with_trace("rim", body="wheel", point=[0.5, 0.0])
        .with_simulation(dt=2e-3, duration=10.0)
    )
    paths: list[np.ndarray] = []
    monkeypatch.setattr(SceneView, "set_trace", lambda view, ref, path: paths.append(path))
    draw(turning, size=(64, 48), trajectory=simulate(turning))
    chords = np.linalg.norm(0.5 * (paths[-1][1:] + paths[-1][:-1]), axis=1)
    assert chords.min() > 0.99 * 0.5


@pytest.mark.parametrize("ending", [".png", ".jpg", ".jpeg", ".bmp", ".tif", ".tiff"])
def test_every_format_is_written_and_tells_the_verdict_where_it_has_room(ending: str, tmp_path: Path) -> None:
    """TIFF with a verdict was refused: another library was asked to write it."""
    picture = np.zeros((4, 6, 3), np.uint8)
    picture[..., 1] = 200
    file = tmp_path / f"picture{ending}"
    save(picture, file, "trust: green")
    assert imageio.imread(file, plugin="pillow") == pytest.approx(picture, abs=2)
    if ending != ".bmp":
        assert b"trust: green" in file.read_bytes()
