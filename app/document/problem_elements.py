"""Which element a problem belongs to: by position in a file, by name once the scene is compiled."""

from __future__ import annotations

from collections.abc import Iterable

from app.document.element_ref import Ref
from engine.errors import Problem
from engine.model.scene import LISTS, Scene

SIMULATION = "simulation"


def ref_of(scene: Scene, problem: Problem) -> Ref | None:
    """The element that a problem is about: `joints[2].a` and `joints.C` both name one."""
    if problem.element is not None:
        where, index = problem.element
        items = getattr(scene, where, ())
        return Ref(where, items[index].name) if where in LISTS and index < len(items) else None
    where, _, rest = problem.path.partition(".")
    if where in LISTS:
        known = {item.name for item in getattr(scene, where)}
        name = rest.split(".")[0]
        return Ref(where, name) if name in known else None
    return Ref(SIMULATION, "") if where == SIMULATION else None


def problems_by_element(scene: Scene, problems: Iterable[Problem]) -> dict[Ref | None, list[Problem]]:
    """Problems by the element they belong to; None for those of the scene and of the simulation."""
    found: dict[Ref | None, list[Problem]] = {}
    for problem in problems:
        ref = ref_of(scene, problem)
        found.setdefault(None if ref is None or ref.where == SIMULATION else ref, []).append(problem)
    return found
