"""Is the scene sound? Every problem is collected, each with its path, value and remedy."""

from collections.abc import Mapping

from engine.errors import Problem
from engine.model.checks import CHECKS, names
from engine.model.checks.context import Context
from engine.model.resolve import resolve_leniently
from engine.model.scene import Scene, refuse_other


def validate(
    scene: Scene,
    *,
    positions: Mapping[str, list[int]] | None = None,
    lost: Mapping[str, set[str]] | None = None,
) -> list[Problem]:
    """All problems of a scene, none when it is sound.

    A loader that had to leave out elements tells their names in `lost`, so that what refers to them is not a
    second problem, and the places of the others in `positions`.
    """
    refuse_other("validate", scene)
    lost = lost or {}
    resolved, faults = resolve_leniently(scene, positions, lost.get("parameters", ()))
    context = Context(resolved, positions or {}, lost)
    problems = [*names.check(context), *faults]  # a wrong name explains what follows from it
    for check in CHECKS:
        problems.extend(check(context))
    return problems
