"""The welcome page: pictures take the room that there is."""

import pytest
from PySide6.QtCore import QSize

from app.window.welcome import AROUND, NARROWEST, PICTURE, fitting_width


@pytest.mark.parametrize("size", [(2350, 1240), (1600, 900), (1063, 560), (700, 300), (100, 100), (0, 0)])
def test_pictures_fill_the_page(size: tuple[int, int]) -> None:
    room, count = QSize(*size), 33
    width = fitting_width(room, count)
    assert NARROWEST <= width <= PICTURE.width()
    across = room.width() // (width + AROUND.width())
    if across:
        high = width * PICTURE.height() // PICTURE.width() + AROUND.height()
        all_seen = -(-count // across) * high <= room.height()
        left_over = room.width() - across * (width + AROUND.width())
        assert all_seen or left_over < across * 8 + 32
    assert fitting_width(QSize(2350, 1240), count) > 1.5 * NARROWEST
