"""Sketches show every scene, whatever is in it."""

import numpy as np
import pytest
from PySide6.QtGui import QColor, QImage, QPainter

from app.platform.resources import scene_paths
from app.platform.theme import Theme
from app.viewport.pictures.sketch import Sketch
from engine import Scene, load_scene

SIZE = (176, 110)
RED = "#ff0000"


def painted(scene: Scene, **more) -> QImage:
    picture = QImage(*SIZE, QImage.Format.Format_RGB32)
    picture.fill(QColor("white"))
    painter = QPainter(picture)
    Sketch(scene, Theme(), **more).paint(painter, picture.rect().toRectF())
    painter.end()
    return picture


def spots(picture: QImage, color: str = "") -> list[tuple[int, int]]:
    """Pixels of a colour, or all that are not white."""
    pixels = np.frombuffer(picture.constBits(), np.uint32).reshape(SIZE[1], SIZE[0]) & 0xFFFFFF
    rows, columns = np.nonzero(pixels == int(color[1:], 16) if color else pixels != 0xFFFFFF)
    return list(zip(columns.tolist(), rows.tolist(), strict=True))


@pytest.mark.parametrize("name", list(scene_paths()))
def test_every_shipped_scene_is_seen(qapp, name):
    seen = spots(painted(load_scene(scene_paths()[name])))
    assert len(seen) > 100
    assert max(max(line) - min(line) for line in zip(*seen, strict=True)) > 30


def test_things_stand_where_they_are(qapp):
    rod = {"kind": "rod", "start": [0, 0], "end": [1, 0], "radius": 0.05}
    scene = Scene(space="planar").with_body("bar", mass=1, shapes=[rod])
    ball = {"kind": "sphere", "radius": 0.1}
    scene = scene.with_body("ball", mass=1, color=RED, position=[1, 0.5], shapes=[ball])
    seen = spots(painted(scene), RED)
    middle = sum(x for x, _ in seen) / len(seen), sum(y for _, y in seen) / len(seen)
    assert middle[0] > SIZE[0] / 2  # right
    assert middle[1] < SIZE[1] / 2  # and up


def test_bad_numbers_and_empty_scenes_do_no_harm(qapp):
    assert spots(painted(Scene())) == []
    assert spots(painted(Scene().with_body("dot", mass=1)))
    scene = Scene().with_body("b", mass=1, position=["nonsense", 0, 0]).with_body("c", mass=1)
    painted(scene.with_joint("revolute", "J", a={"body": "gone"}, b={"body": "b", "point": "none"}))
    huge = Scene().with_body("b", mass=1, position=[1e300, 0, 0]).with_body("c", mass=1)
    painted(huge)
