"""Patterns: copies in a row or around an axis."""

from __future__ import annotations

import math
from collections.abc import Iterable

from app.document.document import Edit, Ref
from app.edits.elements.copies import chosen, with_copies, with_what_holds, words
from app.edits.geometry.transform import Placing, shift, turn
from app.edits.geometry.transformed import Mover
from engine.errors import Problem, SceneError
from engine.model.scene import Scene

MAX_COPIES = 100  # copies of each element in one step


def pattern_linear(
    scene: Scene, refs: Iterable[Ref], count: int, step: tuple[float, ...], *, ground: bool = True
) -> Edit:
    """`count` in a row, the originals among them, each a step [m] from the one before. Raises SceneError."""
    _check(count, step)
    if scene.space == "planar" and len(step) > 2 and step[2] != 0.0:
        raise _problem("step", step, "the step leads out of the plane", "give x and y only")
    placings = [shift(step, i) for i in range(1, count)]
    return _pattern(scene, refs, placings, "row", ground)


def pattern_circular(
    scene: Scene,
    refs: Iterable[Ref],
    count: int,
    angle: float,
    axis: tuple[float, ...] = (0.0, 0.0, 1.0),
    through: tuple[float, ...] = (0.0, 0.0, 0.0),
    *,
    ground: bool = True,
) -> Edit:
    """`count` around an axis through a point, each an angle [rad] from the one before. Raises SceneError."""
    _check(count, (angle, *axis, *through))
    if scene.space == "planar" and any(axis[:2]):
        raise _problem("axis", axis, "a planar scene turns about z only", "give the axis [0, 0, 1]")
    placings = [turn(axis, i * angle, through) for i in range(1, count)]
    return _pattern(scene, refs, placings, "circle", ground)


def _pattern(scene: Scene, refs: Iterable[Ref], placings: list[Placing], shape: str, ground: bool) -> Edit:
    given = chosen(scene, refs)
    wanted = with_what_holds(scene, given, ground=ground)
    movers = [Mover(scene, placing, frozenset(wanted)) for placing in placings]
    copies = with_copies(scene, wanted, *movers)
    return Edit(f"Pattern {words(given)} in a {shape}", copies.after, made=copies.made)


def _check(count: int, numbers: tuple[float, ...]) -> None:
    if not 2 <= count <= MAX_COPIES:
        raise _problem("count", count, f"{count} is no pattern", f"give a number from 2 to {MAX_COPIES}")
    if not all(math.isfinite(value) for value in numbers):
        raise _problem("numbers", numbers, "every number must be finite", "write finite numbers")


def _problem(path: str, value: object, message: str, remedy: str) -> SceneError:
    return SceneError([Problem(path, value, message, remedy)])
