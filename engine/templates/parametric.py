"""A template's scene with its lengths as named parameters, so that a slider varies the mechanism.

Nothing is known of how a template computes its numbers, so it is asked: each number of the scene is looked at
for several values of each length. What changes in proportion, the same everywhere, becomes an expression.
Poses at the start need not, since assembling finds them, nor do thicknesses. A length that some other number
depends on in another way stays a number, for else the parts would no longer fit.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from itertools import count
from typing import Any

from engine.errors import SceneError
from engine.maths.round_numbers import exact
from engine.model.scene import Scene
from engine.templates.base import Made, Parameter, Template, Values
from engine.templates.numbers import RATES, Key, numbers_of, with_numbers

STEP = 0.01  # of a length: how far it is changed to see what follows
ELSEWHERE = (0.013, -0.017, 0.021, -0.011, 0.007)  # shares by which lengths differ at the other place
# of a slope, and of a length for what is left: above what differences of rounded numbers leave
SLOPE_TOLERANCE = 1e-7
WHOLE = 60  # largest denominator of a slope that is written as a fraction
POSE = ("position", "angle", "orientation", "start", *RATES)  # of bodies and joints
THICK = ("radius", "size", "thickness")  # of shapes
ROOM = 0.5  # of a length: how far its slider goes to both sides, where the parts meet


@dataclass(frozen=True)
class Slopes:
    """How the numbers of a scene follow the lengths: by the way to a number, slope by length and a rest."""

    lengths: tuple[str, ...]  # that can be parameters
    numbers: Mapping[Key, tuple[dict[str, float], float]]


def lengths_of(template: Template) -> tuple[Parameter, ...]:
    return tuple(p for p in template.parameters if p.unit == "m" and not p.whole)


def slopes(template: Template, values: Values) -> Slopes:
    """Which lengths can be parameters at these values; raises TemplateError for values of no mechanism."""
    chosen = template.complete(values)
    names = tuple(p.name for p in lengths_of(template) if chosen[p.name] != 0.0)
    here = numbers_of(template.make(**chosen).scene)
    other = {name: chosen[name] * (1.0 + ELSEWHERE[i % len(ELSEWHERE)]) for i, name in enumerate(names)}
    bases = [(chosen, here)]
    moved = _built(template, {**chosen, **other})
    if moved is None or moved.keys() != here.keys():
        return Slopes((), {})
    bases.append(({**chosen, **other}, moved))
    good: list[str] = []
    found: dict[Key, tuple[dict[str, float], float]] = {}
    rates: dict[str, dict[Key, float]] = {}
    for name in names:
        rate = _rates(template, bases, name)
        if rate is not None:
            good.append(name)
            rates[name] = rate
    for key, value in here.items():
        if not isinstance(value, float):
            continue
        own = {name: rates[name][key] for name in good if rates[name].get(key)}
        if own:
            rest = value - sum(slope * chosen[name] for name, slope in own.items())
            size = max(abs(slope * chosen[name]) for name, slope in own.items())
            found[key] = (own, 0.0 if abs(rest) < SLOPE_TOLERANCE * size else rest)
    return Slopes(tuple(good), found)


def parametric(template: Template, values: Values, taken: Collection[str] = ()) -> Made:
    """The mechanism with parameters for all lengths that can be such, under names that are not taken.

    Raises TemplateError.
    """
    made = template.make(**values)
    known = slopes(template, values)
    if not known.lengths:
        return made
    chosen = template.complete(values)
    names = {name: _free(f"L_{name}", taken) for name in known.lengths}
    texts = {
        key: _text({names[name]: slope for name, slope in own.items()}, rest)
        for key, (own, rest) in known.numbers.items()
    }
    scene = with_numbers(made.scene, texts)
    for parameter in template.parameters:
        if parameter.name in names:
            scene = _with_parameter(scene, template, chosen, parameter, names[parameter.name])
    return replace(made, scene=scene)


def _free(name: str, taken: Collection[str]) -> str:
    numbered = (f"{name}_{k}" for k in count(2))
    return name if name not in taken else next(other for other in numbered if other not in taken)


def _with_parameter(scene: Scene, template: Template, chosen: Values, own: Parameter, name: str) -> Scene:
    value = chosen[own.name]
    low, high = template.admissible(chosen, own.name) or (value, value)
    room = ROOM * abs(value)
    return scene.with_parameter(
        name,
        value,
        unit="m",
        min=exact(max(low, value - room), abs(value)),
        max=exact(min(high, value + room), abs(value)),
        note=own.title,
    )


def _rates(
    template: Template, bases: list[tuple[dict[str, float], dict[Key, Any]]], name: str
) -> dict[Key, float] | None:
    """Slope of every number by one length; None when one that counts does not follow in proportion."""
    rate: dict[Key, float] = {}
    bad: set[Key] = set()
    for values, here in bases:
        for share in (STEP, -STEP):
            step = share * values[name]
            there = _built(template, {**values, name: values[name] + step})
            if there is None or there.keys() != here.keys():
                return None
            for key, value in here.items():
                if not isinstance(value, float):
                    if there[key] != value:
                        bad.add(key)
                    continue
                slope = (there[key] - value) / step
                if abs(slope - rate.setdefault(key, slope)) > SLOPE_TOLERANCE * max(1.0, abs(slope)):
                    bad.add(key)
    if any(not _may_stay(key) for key in bad):
        return None
    return {
        key: round(slope, 12)
        for key, slope in rate.items()
        if key not in bad and abs(slope) > SLOPE_TOLERANCE
    }


def _may_stay(key: Key) -> bool:
    """Whether a number may stay as it is while a length varies: poses are found, thicknesses only show."""
    if key[0] == "bodies":
        if key[2] in POSE:
            return True
        return key[2] == "shapes" and key[4] in THICK
    return key[0] == "joints" and key[2] in POSE


def _built(template: Template, values: Values) -> dict[Key, Any] | None:
    try:
        return numbers_of(template.make(**values).scene)
    except SceneError:
        return None


def _text(slopes: Mapping[str, float], rest: float) -> str:
    """`2*L_crank - L_rod/2 + 0.1`"""
    parts = [_term(slope, name) for name, slope in slopes.items()]
    if rest:
        parts.append(f"{'-' if rest < 0.0 else '+'} {abs(rest)!r}")
    text = " ".join(parts)
    return text[2:] if text.startswith("+ ") else "-" + text[2:] if text.startswith("- ") else text


def _term(slope: float, name: str) -> str:
    sign, size = ("-" if slope < 0.0 else "+"), abs(slope)
    for under in range(1, WHOLE + 1):
        over = round(size * under)
        if over and abs(size * under - over) < SLOPE_TOLERANCE:
            factor = "" if over == 1 else f"{over}*"
            return f"{sign} {factor}{name}" + (f"/{under}" if under > 1 else "")
    return f"{sign} {size!r}*{name}"
