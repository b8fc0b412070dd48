"""The picture and the plot that a headless start leaves, measured instead of compared."""

from pathlib import Path
from typing import Any

import imageio.v3 as imageio
import numpy as np
import pytest

from app.cli.pictures.energy_plot import save_plot
from app.viewport.pictures.picture import save_picture
from engine import loads


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
