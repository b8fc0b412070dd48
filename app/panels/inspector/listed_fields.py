"""What the inspector lists: the fields of the selected elements, or the settings of the scene."""

from __future__ import annotations

import math
from typing import Any

from app.document.document import Ref
from app.document.element_words import element
from app.panels.inspector.derived import with_derived
from app.panels.inspector.form import Entry, entries
from engine.compiled.layout import Option
from engine.elements.fields import Field, fields_of
from engine.errors import SceneError
from engine.model.scene import Parameter, Scene, Simulation
from engine.solvers.catalogue import find_method

SCENE_FIELDS = ("title", "description", "category", "author", "source", "notes", "space", "gravity", "up")

MAX_LINES = 200  # each is a widget or two: a thousand parameters would hold the window up for seconds


def lines_for(scene: Scene, refs: tuple[Ref, ...]) -> list[Entry]:
    """Fields that the elements have in common; those of the scene when nothing is selected."""
    items = [element(scene, ref) for ref in refs]
    if not items:
        return _bounded(_scene_lines(scene))
    return _bounded(with_derived(scene, refs, list(entries(scene, items))))


def _bounded(lines: list[Entry]) -> list[Entry]:
    """As many as one can look through, and how many there are beside them."""
    if len(lines) <= MAX_LINES:
        return lines
    left = len(lines) - MAX_LINES
    return [*lines[:MAX_LINES], Entry(f"and {left} more, in the file and in other panels", heading=True)]


def _scene_lines(scene: Scene) -> list[Entry]:
    lines = [
        Entry(field.title, field.name, field, (getattr(scene, field.name),), (scene,))
        for field in fields_of(Scene)
        if field.name in SCENE_FIELDS
    ]
    lines.append(Entry("Simulation", heading=True))
    for field in fields_of(Simulation):
        value = getattr(scene.simulation, field.name)
        if isinstance(value, dict):
            lines += _option_lines(scene.simulation)
        else:
            lines.append(Entry(field.title, f"simulation.{field.name}", field, (value,), (scene.simulation,)))
    if scene.parameters:
        lines.append(Entry("Parameters", heading=True))
    (value_field,) = (field for field in fields_of(Parameter) if field.name == "value")
    for parameter in scene.parameters:
        facts = {"unit": parameter.unit, "description": parameter.note, "required": True}
        path = f"parameters.{parameter.name}.value"
        own = Field(**{**vars(value_field), **facts})
        lines.append(Entry(parameter.name, path, own, (parameter.value,), (parameter,)))
    return lines


def _option_lines(simulation: Simulation) -> list[Entry]:
    """Numbers of the method, by name; what is not given is the method's own."""
    try:
        method = find_method(simulation.method)
    except SceneError:
        return []
    lines = []
    numbers: dict[str, Any] = dict(simulation.options)  # or expressions of parameters
    given = method.own_names(numbers)
    for option in method.options:
        title = option.name.replace("_", " ").capitalize()
        default = option.choices[int(option.default)] if option.choices else f"{option.default:g}"
        fact = Field(
            option.name,
            float,
            False,
            option.default,
            title,
            f"{option.title}; {default} {option.unit}".rstrip() + " unless set",
            "number",
            option.unit,
            _limits(option),
            {"choices": option.choices},
        )
        value = given.get(option.name, option.default)
        lines.append(Entry(title, f"simulation.options.{option.name}", fact, (value,), (simulation,)))
    return lines


def _limits(option: Option) -> dict[str, float]:
    limits = {"gt" if option.exclusive else "ge": option.minimum, "le": option.maximum}
    return {key: limit for key, limit in limits.items() if math.isfinite(limit)}
