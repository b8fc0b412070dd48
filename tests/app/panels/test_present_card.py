"""Present values in the inspector, against the closed form of a free fall."""

import math
from collections.abc import Iterator

import pytest
from pytestqt.qtbot import QtBot

from app.document.document import Ref
from app.panels.inspector.inspector import InspectorPanel
from app.panels.inspector.present_card import _text, _unbroken, present_values
from app.platform.appearance import Look
from app.platform.units import Units
from app.session.session import Session
from engine import Scene

PATIENCE = 90_000  # ms; a first run may have to compile
T = 0.2


def falling() -> Scene:
    return (
        Scene(space="planar")
        .with_body(
            "stone",
            position=[0.3, 2.0],
            velocity=[1.0, 0.0],
            shapes=[{"kind": "sphere", "radius": 0.05, "density": 2700.0}],
        )
        .with_measure("distance", "height", a={"body": "world", "point": [0.3, 0.0]}, b={"body": "stone"})
    )


@pytest.fixture
def session(qtbot: QtBot) -> Iterator[Session]:
    made = Session(warm=False)
    made.document.load(falling())

    def there() -> bool:
        made.tick()
        if made.state == "ready":
            made.transport.play()
        return made.t > 1.5 * T

    qtbot.waitUntil(there, timeout=PATIENCE)
    made.transport.pause()
    made.transport.seek(T)
    yield made
    made.close()


def test_issue_18_the_inspector_says_what_the_element_does_now(session: Session, qtbot: QtBot) -> None:
    panel = InspectorPanel(session, Look())
    qtbot.addWidget(panel)
    panel.show()
    now = panel._present
    assert not now.isVisible()  # nothing is selected
    session.selection.set([Ref("bodies", "stone")])
    assert f"t = {T:.3f} s" in plain(now.text())
    # x = x0 + v t, y = y0 - g t²/2
    assert f"{0.3 + T:g}, {2.0 - 0.5 * 9.81 * T**2:g} m" in plain(now.text())
    assert f"1, {-9.81 * T:g} m/s" in plain(now.text())
    assert "0, -9.81 m/s²" in plain(now.text())
    session.transport.seek(0.0)
    qtbot.waitUntil(lambda: "t = 0.000 s" in plain(now.text()), timeout=5000)
    assert "0.3, 2 m" in plain(now.text())
    session.selection.set([Ref("measures", "height")])
    assert "2 m" in plain(now.text())
    session.selection.set([Ref("bodies", "stone"), Ref("measures", "height")])
    assert not now.isVisible()


def plain(text: str) -> str:
    """In one line, without what keeps a unit in the line of its number."""
    return text.replace(",<br>", ", ").replace("\N{NO-BREAK SPACE}", " ").replace("\N{WORD JOINER}", "")


def test_what_is_below_stays_where_it_is_while_numbers_change(session: Session, qtbot: QtBot) -> None:
    """Vectors took one line or two by their digits: the fields below went up and down as a run was played."""
    panel = InspectorPanel(session, Look())
    qtbot.addWidget(panel)
    session.selection.set([Ref("bodies", "stone")])
    panel.show()
    now = panel._present
    for width in range(150, 280, 10):
        panel.resize(width, 400)
        heights = set()
        for t in (0.0, 0.017, 0.1, 0.2):
            session.transport.seek(t)
            now._show_now()
            heights.add(now.heightForWidth(now.width()))
        assert len(heights) == 1, width


def test_a_drawn_pin_stands_at_zero() -> None:
    """Drawn places have twelve digits: 4e-13 rad is how well the loop closes, not an angle."""
    assert _text([3.7e-13], "rad", Units()) == "0 deg"
    assert _text([2e-12, 0.3], "m", Units()) == "0, 0.3 m"
    assert _text([2e-9], "m", Units()) == "2e-09 m"


def test_units_stay_with_their_numbers_and_long_lines_still_wrap() -> None:
    assert _unbroken("0.2, -1.2 m/s") == "0.2, -1.2\N{NO-BREAK SPACE}m\N{WORD JOINER}/\N{WORD JOINER}s"
    assert _unbroken("short + long 1.03 m < 1.15 m").count(" ") == 6  # it would widen the panel
    assert _unbroken("crank-rocker") == "crank-rocker"


def test_issue_18_between_two_samples_a_pin_is_where_it_is(qtbot: QtBot) -> None:
    """While a run was played the pin of a bar was shown 5e-8 m away from itself."""
    made = Session(warm=False)
    rod = {"kind": "rod", "start": [0.0, 0.0, 0.0], "end": [0.4, 0.0, 0.0], "radius": 0.01, "density": 7850.0}
    scene = Scene(space="planar", gravity=(0.0, -9.81)).with_body("bar", shapes=[rod])
    made.document.load(scene.with_joint("revolute", "pin", a={"body": "world"}, b={"body": "bar"}))

    def there() -> bool:
        made.tick()
        if made.state == "ready":
            made.transport.play()
        return made.t > 0.3

    try:
        qtbot.waitUntil(there, timeout=PATIENCE)
        made.transport.pause()
        run = made.current
        t = 0.2004  # samples every millisecond
        values = dict(present_values(run, t, made.document.scene, Ref("bodies", "bar"), Units()))
        before, after = (math.degrees(run.values_at(["body.bar.angle"], at)[0]) for at in (0.2, 0.201))
    finally:
        made.close()
    assert values["Position"] == "0, 0 m"
    assert values["Velocity"] == "0, 0 m/s"
    assert values["Angle"] == f"{before + 0.4 * (after - before):.5g} deg"
