"""The search for a channel, and a phase plot of one channel over itself."""

import time

import numpy as np
import pytest
from PySide6.QtWidgets import QLabel, QWidget
from pytestqt.qtbot import QtBot

from app.dialogs.channels.channel_search import MAX_LISTED, NAME, ChannelDialog
from app.platform.appearance import Look
from app.platform.units import Units
from app.widgets.plots.box import PlotBox
from tests.app.panels.test_plot_axes import SPAN, TOP, SmallRun

NAMES = ("joint.angle 1.value", "body.rectangle 1.pos.x", "measure.angle 10", "measure.angle 1")


class AngleRun(SmallRun):
    def names(self) -> tuple[str, ...]:
        return ("joint.A.angle",)

    def unit(self, name: str) -> str:
        return "rad"


class NamedRun(SmallRun):
    def names(self) -> tuple[str, ...]:
        return NAMES


def test_issue_18_the_search_says_what_it_asks_in_the_units_of_plots(qtbot: QtBot) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    dialog = ChannelDialog(parent, AngleRun(), "Upwards, over A", several=False, units=Units())
    assert dialog.findChild(QLabel, "channels.title").text() == "Upwards, over A"
    assert dialog.view.item(0).text().endswith("[deg]")


def test_issue_18_the_channel_that_is_named_stands_first(qtbot: QtBot) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    dialog = ChannelDialog(parent, NamedRun(), "Channels", several=False)
    dialog.search.setText("angle 1")
    shown = [dialog.view.item(i) for i in range(dialog.view.count())]
    assert [item.text().split("   ")[0] for item in shown if not item.isHidden()] == [
        "measure.angle 1",
        "joint.angle 1.value",
        "body.rectangle 1.pos.x",
        "measure.angle 10",
    ]
    dialog._take_first()
    assert dialog.names() == ["measure.angle 1"]


def test_without_a_search_channels_stand_as_the_run_has_them(qtbot: QtBot) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    dialog = ChannelDialog(parent, NamedRun(), "Channels", several=True)
    dialog.search.setText("angle 1")
    dialog.view.item(0).setSelected(True)
    dialog.search.setText("")
    assert [dialog.view.item(i).text().split("   ")[0] for i in range(4)] == list(NAMES)
    assert dialog.names() == ["measure.angle 1"]


def test_issue_18_a_channel_over_itself_is_a_diagonal(qtbot: QtBot) -> None:
    box = PlotBox(Look(), "plot", "phase")
    qtbot.addWidget(box)
    box.add_channel("energy.kinetic")
    box.add_channel("energy.kinetic")
    run = SmallRun()
    box.refresh([run], run, 0.2, SPAN)
    (line,) = box.curves.lines(run, SPAN)
    np.testing.assert_array_equal(line.x, line.y)
    assert line.y.max() == TOP
    (curve,) = box.curves.by_key.values()
    assert len(curve.item.getData()[0]) >= 2


def test_a_search_that_finds_nothing_says_so(qtbot: QtBot) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    dialog = ChannelDialog(parent, NamedRun(), "Channels", several=False)
    dialog.show()
    assert not dialog.none.isVisible()
    dialog.search.setText("rocker")
    assert dialog.none.isVisible()
    dialog.search.returnPressed.emit()
    assert dialog.isVisible()  # nothing was chosen
    dialog.search.setText("rectangle")
    assert not dialog.none.isVisible()


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("angular velocity rocker", ["body.rocker.omega.z"]),
        ("velocity rocker", ["body.rocker.vel.x", "body.rocker.omega.z"]),
        ("position", ["body.rocker.pos.x", "violation.position"]),
        ("joint force A", ["joint.A.reaction.fx", "joint.A.reaction.tz"]),
        ("torque", ["joint.A.reaction.tz"]),
        ("joint.A.reaction.fx", ["joint.A.reaction.fx"]),
    ],
)
def test_channels_are_found_by_the_words_that_their_names_abbreviate(
    qtbot: QtBot, typed: str, found: list[str]
) -> None:
    class Run(SmallRun):
        def names(self) -> tuple[str, ...]:
            return (
                "body.rocker.pos.x",
                "body.rocker.vel.x",
                "body.rocker.omega.z",
                "joint.A.reaction.fx",
                "joint.A.reaction.tz",
                "violation.position",
            )

    parent = QWidget()
    qtbot.addWidget(parent)
    dialog = ChannelDialog(parent, Run(), "Channels", several=True)
    dialog.search.setText(typed)
    shown = [dialog.view.item(i) for i in range(dialog.view.count()) if not dialog.view.item(i).isHidden()]
    assert sorted(item.text().split("   ")[0] for item in shown) == sorted(found)


def test_tens_of_thousands_of_channels_are_searched_without_a_wait(qtbot: QtBot) -> None:
    class Large(SmallRun):
        def names(self) -> tuple[str, ...]:
            parts = ("pos.x", "pos.y", "vel.x", "vel.y", "omega.z")
            return tuple(f"body.bar {i}.{part}" for i in range(10_000) for part in parts)

    parent = QWidget()
    qtbot.addWidget(parent)
    dialog = ChannelDialog(parent, Large(), "Channels", several=True)
    dialog.show()
    assert dialog.view.count() <= MAX_LISTED
    assert dialog.none.text() == f"{50_000 - MAX_LISTED} more: type another word."
    begun = time.process_time()
    for text in ("a", "an", "angular", "angular 7", "angular 777", "angular 7777"):
        dialog.search.setText(text)
    assert time.process_time() - begun < 10.0  # s; it was minutes
    assert dialog.view.item(0).text().startswith("body.bar 7777.omega.z")
    assert not dialog.none.isVisible()
    dialog.view.item(0).setSelected(True)
    dialog.search.setText("bar 1.pos.x")
    assert dialog.names() == ["body.bar 7777.omega.z"]  # selected, and not in sight


def test_the_channels_of_the_selected_element_come_first_and_typing_looks_among_all(qtbot: QtBot) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    dialog = ChannelDialog(parent, NamedRun(), "Channels", several=True, prefix="body.rectangle 1")
    assert [dialog.view.item(i).data(NAME) for i in range(dialog.view.count())] == ["body.rectangle 1.pos.x"]
    qtbot.keyClicks(dialog.search, "joint")
    assert dialog.search.text() == "joint"
    assert [dialog.view.item(i).data(NAME) for i in range(dialog.view.count())] == ["joint.angle 1.value"]
