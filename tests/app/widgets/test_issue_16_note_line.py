"""What a panel says beside its buttons never widens the window."""

import pytest
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from app.widgets.note_line import NoteLine
from app.widgets.plots.measure_plot import CEILING, thinned

pytestmark = pytest.mark.usefixtures("qapp")


def test_a_long_note_needs_no_room_and_its_tooltip_has_all_of_it(qtbot):
    bar = QWidget()
    qtbot.addWidget(bar)
    row = QHBoxLayout(bar)
    row.addWidget(QPushButton("Start"))
    note = NoteLine("", "bar.note")
    row.addWidget(note, 1)
    before = bar.minimumSizeHint().width()
    words = "first to leave the reference: <one> was 0.002 m from the reference at 6.258 s " * 5
    note.setText(words)
    assert bar.minimumSizeHint().width() == before
    assert note.text() == words
    assert "&lt;one&gt;" in note.toolTip()
    bar.resize(300, 40)
    assert not bar.grab().isNull()


def test_what_has_burst_does_not_stretch_a_logarithmic_plot(qtbot):
    t, y = thinned([0.0, 1.0, 2.0], [1e-9, 1e200, 0.0], log=True)
    assert list(t) == [0.0, 1.0, 2.0]
    assert y[0] == 1e-9
    assert not (y > CEILING).any()
