"""The length of a bar as a parameter of its own, with a slider."""

from __future__ import annotations

import re

from app.document.document import Edit, Ref
from app.edits.building.bars.bar_length import set_length
from app.edits.building.bars.find_bars import find_bar
from app.edits.elements.add_remove import free_name
from engine.errors import Problem, SceneError
from engine.model.scene import Parameter, Scene

SHORTEST, LONGEST = 0.5, 1.5  # times the present length, about: the ends of the slider


def has_plain_length(scene: Scene, name: str) -> bool:
    """Whether a body is a bar whose length is but a number."""
    bar = find_bar(scene, name)
    return bar is not None and not isinstance(bar.length, str)


def length_parameter(scene: Scene, name: str) -> Edit:
    """Add a parameter that is the length of a bar; raises SceneError where it is no bar."""
    bar = find_bar(scene, name)
    if bar is None:
        text = f"{name!r} is no bar: its length is not known"
        raise SceneError([Problem(f"bodies.{name}", None, text, "give it a rod between two points")])
    wanted = "L_" + (re.sub(r"\W+", "_", name).strip("_") or "bar")
    parameter = free_name(scene, "parameters", wanted)
    new = Parameter(
        name=parameter,
        value=bar.now,
        unit="m",
        min=float(f"{SHORTEST * bar.now:.2g}"),
        max=float(f"{LONGEST * bar.now:.2g}"),
        note=f"length of {name}",
    )
    after = set_length(scene.add(new), Ref("bodies", name), parameter).after
    return Edit(f"Make the length of {name} a parameter", after, made=(Ref("parameters", parameter),))
