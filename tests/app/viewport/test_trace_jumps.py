"""Traces: they end where a point jumps; ghosts leave theirs; numbers stand beside each other."""

from types import SimpleNamespace

import numpy as np
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QImage, QPainter

from app.document.document import Ref
from app.platform.units import Units
from app.viewport.annotations.number_paint import AnnotationPainter
from app.viewport.motion.ghost_traces import GhostTraces
from app.viewport.motion.trace_paths import TraceHistory
from app.viewport.scene.scene_view import SceneView
from app.viewport.visuals.marks.trace import TraceLine
from engine.analyses.kinematics.curve_family import FamilyCurve
from engine.model.scene import Scene


def traced() -> Scene:
    return Scene(space="planar").with_body("b", mass=1.0, inertia=[1.0]).with_trace("path", body="b")


def followed(step: float, starts: tuple[float, ...]) -> np.ndarray:
    """A point that goes along x, and from t = 1 on `step` higher."""
    history, run = TraceHistory(traced()), SimpleNamespace(segment_starts=starts)
    for t in np.linspace(0.05, 2.0, 40):
        place = np.array([t, step if t >= 1.0 else 0.0, 0.0])
        history.follow(run, float(t), {"b": (place, np.eye(3))}, None)
    return history.lines()[Ref("traces", "path")]


def test_a_trace_ends_where_an_edit_made_its_point_jump() -> None:
    cut = np.flatnonzero(np.isnan(followed(3.0, (0.0, 1.0))).any(axis=1))
    assert len(cut) == 1
    assert not np.isnan(followed(0.0, (0.0, 1.0))).any()  # it went on: no gap
    assert not np.isnan(followed(3.0, (0.0,))).any()  # one segment: it was as fast as that


def test_a_line_with_a_gap_is_drawn_in_two_pieces() -> None:
    line = TraceLine(Ref("traces", "path"), "#112233", 0.0, 1.0)
    line.set_points(followed(3.0, (0.0, 1.0)))
    assert line._data.GetNumberOfCells() == 2
    assert line._data.GetNumberOfPoints() == 40
    line.set_points(np.zeros((1, 3)))
    assert line._data.GetNumberOfCells() == 0


def test_ghosts_leave_their_traces_up_to_the_instant_that_is_shown() -> None:
    times = np.linspace(0.0, 2.0, 21)
    places = np.column_stack([times, 0.0 * times, 0.0 * times])[:, None]
    asked: list[float] = []

    def track(points, begin, end, most):
        asked.append(end)
        return times, places

    run = SimpleNamespace(scene_at=lambda t: traced(), t_first=0.0, t_last=2.0, color="#445566", track=track)
    ghosts = GhostTraces()
    for t in (0.5, 1.0, 1.0):
        (path,) = ghosts.paths({7: run}, t)
        assert path.points[-1, 0] == t
    assert path.color == "#445566"
    assert len(asked) == 1  # the record is read once


def test_a_trace_stays_round_after_a_jump_over_many_turns() -> None:
    def track(points, begin, end, most):
        times = np.linspace(begin, end, most)
        turned = 2.0 * np.pi * times  # one turn per second
        return times, np.column_stack([np.cos(turned), np.sin(turned), 0.0 * turned])[:, None]

    history, run = TraceHistory(traced()), SimpleNamespace(segment_starts=(0.0,))
    place = np.array([1.0, 0.0, 0.0])
    history.follow(run, 10.0, {"b": (place, np.eye(3))}, track)
    path = history.lines()[Ref("traces", "path")]
    chords = 0.5 * (path[1:] + path[:-1])
    assert np.linalg.norm(chords, axis=1).min() > 0.998  # of the radius


def test_numbers_at_one_place_stand_beside_each_other(qapp) -> None:
    view, image = SceneView((300, 200)), QImage(300, 200, QImage.Format.Format_RGB32)
    painter = QPainter(image)
    try:
        numbers = AnnotationPainter(painter, view, Units(), 1.0)
        areas: list[QRectF] = []
        for _ in range(5):
            area = numbers._free(QRectF(100.0, 100.0, 40.0, 12.0))
            assert area is not None
            assert not any(area.intersects(other) for other in areas)
            areas.append(area)
            numbers._taken.append(area)
        for _ in range(9):
            area = numbers._free(QRectF(100.0, 100.0, 40.0, 12.0))
            if area is not None:
                numbers._taken.append(area)
        assert numbers._free(QRectF(100.0, 100.0, 40.0, 12.0)) is None  # far away it would mislead
    finally:
        painter.end()
        view.close()


def test_every_curve_of_a_family_has_its_value(qapp) -> None:
    """Curves that all have their highest place together are told apart elsewhere; none is left out."""
    view, image = SceneView((600, 400)), QImage(600, 400, QImage.Format.Format_RGB32)
    painter = QPainter(image)
    try:
        turn = np.linspace(0.0, 2.0 * np.pi, 60)
        curves = [
            FamilyCurve(0.1 * k, "path", np.column_stack([k * np.cos(turn), np.sin(turn), 0.0 * turn]) * 0.1)
            for k in range(1, 15)
        ]
        numbers = AnnotationPainter(painter, view, Units(), 1.0)
        numbers._pixels = lambda points: [  # type: ignore[method-assign]
            QPointF(300.0 + 200.0 * x, 200.0 - 900.0 * y) for x, y, _ in points
        ]
        numbers.family(curves, [curve.value for curve in curves], "m")
        assert len(numbers._taken) == len(curves)
    finally:
        painter.end()
        view.close()
