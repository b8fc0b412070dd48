"""Rigid stops, ropes and struts of one coordinate that leave no value to it: wherever a run begins, one of
them is passed."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from engine.elements.base import as_float
from engine.errors import Problem, SceneEdit
from engine.model.scene import Scene, kind_of

EQUAL = 1e-12  # of their size: limits that are one, between which the coordinate is held


@dataclass(frozen=True)
class _Limits:
    name: str
    of: Hashable  # the coordinate
    words: str  # for it
    low: float | None
    high: float | None
    low_field: str
    high_field: str


def exclusive_limits(scene: Scene) -> Iterator[Problem]:
    """Of a resolved scene; the later of two is the one to look at."""
    for one, two in combinations(_rigid(scene), 2):
        if one.of != two.of:
            continue
        for upper, lower in ((one, two), (two, one)):
            if upper.high is None or lower.low is None:
                continue
            if lower.low - upper.high > EQUAL * max(1.0, abs(lower.low), abs(upper.high)):
                yield _told(upper, lower, two)


def _told(upper: _Limits, lower: _Limits, later: _Limits) -> Problem:
    text = (
        f"{upper.name!r} keeps {upper.words} below {upper.high:g} and {lower.name!r} keeps it above "
        f"{lower.low:g}: no pose is right for both, and they are rigid"
    )
    remedy = (
        f"exchange {upper.high_field!r} of {upper.name!r} and {lower.low_field!r} of {lower.name!r}, or take "
        f"one of them away, for instance {later.name!r}"
    )
    path = f"forces.{later.name}"
    return Problem(path, lower.low, text, remedy, (SceneEdit(path, remove=True),))


def _rigid(scene: Scene) -> Iterator[_Limits]:
    for force in scene.forces:
        kind = kind_of(force).name
        if kind in ("stop", "rope") and getattr(force, "law", "") == "rigid":
            yield _of_stop(force) if kind == "stop" else _of_rope(force)


def _of_stop(spec: Any) -> _Limits:
    of = (spec.joint, spec.coordinate, spec.against)
    beside = " with what is added to it" if spec.against else ""
    words = f"the {spec.coordinate} of joint {spec.joint!r}{beside}"
    return _Limits(spec.name, of, words, _number(spec.lower), _number(spec.upper), "lower", "upper")


def _of_rope(spec: Any) -> _Limits:
    ends = sorted(repr((end.body, end.point)) for end in (spec.a, spec.b))
    words = "the distance of its ends"
    low, high = _number(spec.shortest), _number(spec.longest)
    return _Limits(spec.name, tuple(ends), words, low, high, "shortest", "longest")


def _number(given: Any) -> float | None:
    return None if given is None else as_float(given)
