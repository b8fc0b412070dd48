"""A contact by two clicks: on two bodies that lie apart, or on a body and an empty place for a floor."""

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from app.document.document import Ref
from app.tools.suggestions import suggestions
from engine import simulate
from engine.model.scene import Scene
from engine.model.validate import validate
from tests.app.tools.sheet import Sheet

RADIUS, HEIGHT, TABLE = 0.05, 0.3, -0.1  # m: of the ball, of its centre, of the top of the table


def ball_over_a_table() -> Scene:
    return (
        Scene(space="planar")
        .with_body(
            "table",
            fixed=True,
            position=[0.0, TABLE - 0.05],
            shapes=[{"kind": "box", "size": [0.8, 0.1, 0.1]}],
        )
        .with_body(
            "ball", position=[0.1, HEIGHT], shapes=[{"kind": "sphere", "radius": RADIUS, "density": 1000.0}]
        )
    )


def falls_for(floor: float) -> float:
    """Until the ball touches [s]: free fall."""
    return float(np.sqrt(2.0 * (HEIGHT - RADIUS - floor) / 9.81))


@pytest.fixture
def laid(sheet: Sheet) -> Sheet:
    sheet.session.document.load(ball_over_a_table())
    sheet.take("force.contact")
    return sheet


def test_two_bodies_are_clicked_one_after_the_other(laid: Sheet) -> None:
    """One click made a contact with an upright wall of the ground, through the place of the click."""
    laid.click(0.12, HEIGHT)
    assert laid.scene.forces == ()
    assert "ball" in laid.viewport.tool.instruct()
    laid.click(-0.2, TABLE - 0.04)
    (contact,) = laid.scene.forces
    assert (contact.a.body, contact.b.body) == ("ball", "table")
    assert validate(laid.scene) == []
    run = simulate(laid.scene, duration=0.6)
    first = next(event for event in run.events if event.kind == "impact")
    assert first.t == pytest.approx(falls_for(TABLE), abs=1e-9)
    laid.session.document.stack.undo()
    assert laid.scene == ball_over_a_table()


def test_an_empty_place_is_a_level_floor(laid: Sheet) -> None:
    laid.click(0.12, HEIGHT)
    laid.click(0.3, 0.1)
    assert laid.scene.forces[0].a.point == pytest.approx((0.1, 0.1), abs=0.03)  # drawn under the ball
    run = simulate(laid.scene, duration=0.6)
    first = next(event for event in run.events if event.kind == "impact")
    assert first.t == pytest.approx(falls_for(0.1), abs=1e-9)
    assert np.abs(run.channel("body.ball.pos.x") - 0.1).max() < 1e-9  # level: it bounces straight up


def test_what_cannot_touch_is_said_and_esc_steps_back(laid: Sheet) -> None:
    laid.click(0.3, 0.1)
    assert laid.note == "there is no body here: click on one"
    laid.click(0.12, HEIGHT)
    laid.click(0.08, HEIGHT)
    assert laid.note.startswith("ball cannot touch itself")
    QTest.keyClick(laid.viewport, Qt.Key.Key_Escape)
    assert laid.viewport.tool.placed == []
    assert laid.scene.forces == ()


def test_two_chosen_bodies_are_offered_a_contact() -> None:
    scene = ball_over_a_table()
    found = suggestions(scene, (Ref("bodies", "ball"), Ref("bodies", "table")))
    (offer,) = [one for one in found if one.text == "Contact"]
    (contact,) = offer.make(scene).after.forces
    assert {contact.a.body, contact.b.body} == {"ball", "table"}
