"""The transmission angle of a drawn four-bar as a measure: an arc in the viewport, and a channel."""

from __future__ import annotations

from collections.abc import Iterable

from app.document.document import Edit, Ref
from app.edits.building.connect import add_measure
from engine.analyses.kinematics.four_bars import four_bars, transmission_axes
from engine.elements.measures.angle import AxisOf
from engine.errors import Problem, SceneError
from engine.maths.round_numbers import tidy
from engine.model.scene import Scene


def measure_transmission(scene: Scene, refs: Iterable[Ref] = ()) -> Edit:
    """Between coupler and output of the first four-bar that has one of the elements; raises SceneError."""
    names = {ref.name for ref in refs}
    loops = four_bars(scene)
    chosen = [loop for loop in loops if names & {*loop.bodies, *loop.joints}] or loops
    if not chosen:
        text = "there is no four-bar: three bars, hinged to each other and twice to the ground"
        raise SceneError([Problem("measures", None, text, "draw one, or measure an angle between two bars")])
    loop = chosen[0]
    coupler, output = (tuple(map(tidy, axis)) for axis in transmission_axes(scene, loop))
    sides = {"a": AxisOf(body=loop.bodies[1], axis=coupler), "b": AxisOf(body=loop.bodies[2], axis=output)}
    edit = add_measure(scene, "angle", **sides)
    return Edit(f"Measure the transmission angle of {loop.bodies[2]}", edit.after)
