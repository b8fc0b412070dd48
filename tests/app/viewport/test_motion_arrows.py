"""Arrows of velocity and acceleration: which way they point, whose they are, and how long."""

from collections.abc import Iterator

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from app.document.document import Ref
from app.platform.resources import scene_paths
from app.platform.units import PRESETS, Units
from app.session.session import Session
from app.tools.interactive_viewport import ViewportWidget
from app.viewport.annotations.number_paint import AnnotationPainter
from app.viewport.motion.motion_arrows import ACCELERATION, MAX_LENGTH, VELOCITY, MotionArrows, Quantity
from app.viewport.visuals.marks.arrows import Arrow
from engine.maths.round_numbers import nice

PATIENCE = 90_000  # ms; a first run may have to compile
INSTANT = 0.1


@pytest.fixture
def viewport(qtbot: QtBot) -> Iterator[ViewportWidget]:
    session = Session(warm=False)
    session.document.open(scene_paths()["four_bar"])
    widget = ViewportWidget(session)
    widget.resize(640, 480)

    def there() -> bool:
        session.tick()
        if session.state == "ready":
            session.transport.play()
        return session.t > 2.0 * INSTANT

    qtbot.waitUntil(there, timeout=PATIENCE)
    session.transport.pause()
    session.transport.seek(INSTANT)
    yield widget
    widget.shutdown()
    session.close()
    widget.deleteLater()


def arrows(viewport: ViewportWidget, *refs: Ref, quantity: Quantity = VELOCITY) -> list[Arrow]:
    run = viewport._session.current
    segment, sample = run.sample_at(INSTANT)
    return MotionArrows(quantity).arrows(viewport.view, refs, segment.channels.evaluation(sample[None]))


def test_an_arrow_points_where_the_point_goes(viewport: ViewportWidget) -> None:
    run, h = viewport._session.current, 1e-3
    (joint,) = arrows(viewport, Ref("joints", "B"))
    # B is at the tip of the crank, which turns about its origin: v = ω × r, from poses before and after
    before, after = (run.poses_at(INSTANT + step)["crank"] for step in (-h, h))
    tip = viewport.view.queries.frames_of(Ref("joints", "B"))[0]
    assert tip.name == "crank"
    way = (after[0] + after[1] @ tip.p_B) - (before[0] + before[1] @ tip.p_B)
    np.testing.assert_allclose(
        joint.vector / np.linalg.norm(joint.vector), way / np.linalg.norm(way), atol=1e-4
    )
    np.testing.assert_allclose(joint.origin, viewport.view.queries.position_of(Ref("joints", "B")))
    assert np.linalg.norm(joint.vector) == pytest.approx(MAX_LENGTH * viewport.view.stage.extent)


def test_bodies_traces_and_what_stands_still(viewport: ViewportWidget) -> None:
    assert len(arrows(viewport, Ref("bodies", "crank"))) >= 1
    assert len(arrows(viewport, Ref("traces", "path of C"))) == 1
    (tip,) = arrows(viewport, Ref("joints", "A"), Ref("joints", "B"))
    assert tip.ref == Ref("joints", "B")
    assert arrows(viewport, Ref("parameters", "L1")) == []


def test_the_picture_follows_selection_style_and_scale(viewport: ViewportWidget) -> None:
    shape = viewport.view._drawn.arrows
    assert shape is not None
    viewport._session.selection.set([Ref("joints", "B")])
    assert not len(shape.part.surface.points)
    viewport.set_view_style(velocities=True)
    shape = viewport.view._drawn.arrows
    first = np.ptp(shape.part.surface.points, axis=0).max()
    assert first > 0.0
    viewport.set_view_style(arrow_scale=2.0)
    assert np.ptp(viewport.view._drawn.arrows.part.surface.points, axis=0).max() > 1.7 * first
    viewport._session.selection.clear()
    assert len(viewport.view._drawn.arrows.part.surface.points) > 0  # all bodies


def test_sizes_are_those_of_finite_differences(viewport: ViewportWidget) -> None:
    run, h = viewport._session.current, 2e-3
    tip = viewport.view.queries.frames_of(Ref("joints", "B"))[0]
    before, now, after = (run.poses_at(INSTANT + step)["crank"] for step in (-h, 0.0, h))
    before, now, after = (origin + R @ tip.p_B for origin, R in (before, now, after))
    (velocity,) = arrows(viewport, Ref("joints", "B"))
    (acceleration,) = arrows(viewport, Ref("joints", "B"), quantity=ACCELERATION)
    assert velocity.size == pytest.approx(np.linalg.norm(after - before) / (2 * h), rel=1e-3)
    assert acceleration.size == pytest.approx(np.linalg.norm(after - 2 * now + before) / h**2, rel=1e-2)
    assert (velocity.unit, acceleration.unit) == ("m/s", "m/s²")


def test_issue_18_without_a_selection_every_body_has_its_arrows(viewport: ViewportWidget) -> None:
    viewport._session.selection.clear()
    viewport.set_view_style(velocities=True, accelerations=True)
    bodies = [body.name for body in viewport.view.scene.bodies if not body.fixed]
    shown = [(arrow.ref.name, arrow.unit) for arrow in viewport._picture.arrows if arrow.ref is not None]
    assert sorted(shown) == sorted((name, unit) for name in bodies for unit in ("m/s", "m/s²"))
    viewport._session.selection.set([Ref("joints", "B")])
    assert {arrow.ref for arrow in viewport._picture.arrows} == {Ref("joints", "B")}


@pytest.mark.parametrize("where", ["simulation", "scene"])
def test_issue_17_what_is_no_element_has_no_arrows_of_its_own(viewport: ViewportWidget, where: str) -> None:
    viewport._session.selection.set([Ref(where, "")])
    viewport.set_view_style(velocities=True, centres=True)
    viewport.grab()
    bodies = [body.name for body in viewport.view.scene.bodies if not body.fixed]
    assert sorted(arrow.ref.name for arrow in viewport._picture.arrows if arrow.ref) == sorted(bodies)
    assert viewport.view.queries.frames_of(Ref(where, "")) == []


def test_arrows_carry_their_values_and_a_scale_in_the_units_that_are_shown(
    viewport: ViewportWidget, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[str] = []
    words = AnnotationPainter._words
    monkeypatch.setattr(
        AnnotationPainter, "_words", lambda self, text, *at: (said.append(text), words(self, text, *at))
    )
    viewport.units = Units(PRESETS["Millimetres, degrees, rpm"])
    viewport._session.selection.set([Ref("joints", "B")])
    viewport.set_view_style(velocities=True, measures=False)
    viewport.grab()
    value, scale = said
    assert float(value.removesuffix(" mm/s")) == pytest.approx(
        1e3 * viewport._picture.arrows[0].size, rel=5e-3
    )
    assert scale.endswith(" mm/s")
    assert nice(float(scale.removesuffix(" mm/s"))) == float(scale.removesuffix(" mm/s"))  # round


def test_a_pin_on_the_ground_has_no_arrow_of_noise_between_two_samples(viewport: ViewportWidget) -> None:
    run = viewport._session.current
    segment, sample = run.sample_at(INSTANT + 0.37e-3)
    evaluation = segment.channels.evaluation(sample[None])
    for quantity in (VELOCITY, ACCELERATION):
        kind = MotionArrows(quantity)
        assert kind.arrows(viewport.view, [Ref("joints", "A")], evaluation) == []
        assert kind.length_per_unit(viewport.view) == 0.0
