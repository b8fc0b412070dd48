"""The picture and the plot that a headless start leaves, measured instead of compared."""

from pathlib import Path
from typing import Any

import imageio.v3 as imageio
import numpy as np
import pytest

from app.picture import save_picture
from app.picture_shapes import rotation, shape_surface
from app.plot_image import save_plot
from engine import loads

# a shape and its extent along x, y, z [m]
SHAPES = [
    ({"kind": "box", "size": [0.3, 0.1, 0.2]}, (0.3, 0.1, 0.2)),
    ({"kind": "cylinder", "radius": 0.1, "length": 0.4}, (0.2, 0.2, 0.4)),
    ({"kind": "capsule", "radius": 0.1, "length": 0.4}, (0.2, 0.2, 0.6)),
    ({"kind": "sphere", "radius": 0.1}, (0.2, 0.2, 0.2)),
    ({"kind": "rod", "start": [0, 0, -0.3], "end": [0, 0, 0.3], "radius": 0.05}, (0.1, 0.1, 0.6)),
    (
        {"kind": "outline", "points": [[-0.2, -0.1], [0.2, -0.1], [0.0, 0.1]], "thickness": 0.1},
        (0.4, 0.2, 0.1),
    ),
]


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


@pytest.mark.parametrize(("shape", "extent"), SHAPES, ids=[shape["kind"] for shape, _ in SHAPES])
def test_a_shape_is_as_large_as_it_says(shape: dict[str, Any], extent: tuple[float, float, float]) -> None:
    x0, x1, y0, y1, z0, z1 = shape_surface(shape).GetBounds()
    assert (x1 - x0, y1 - y0, z1 - z0) == pytest.approx(extent, rel=0.02)
    assert (x0 + x1, y0 + y1, z0 + z1) == pytest.approx((0, 0, 0), abs=1e-6)


def test_orientations_agree_however_they_are_written() -> None:
    angle = 0.7
    quaternion = [np.cos(angle / 2), 0.0, 0.0, np.sin(angle / 2)]
    in_plane = rotation({"angle": angle})
    np.testing.assert_allclose(rotation({"orientation": quaternion}), in_plane, atol=1e-15)
    np.testing.assert_allclose(
        rotation({"orientation": {"axis": [0, 0, 2], "angle": angle}}), in_plane, atol=1e-15
    )


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
        red = (picture[..., 0] > 60) & (picture[..., 1] < picture[..., 0] // 3)
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
