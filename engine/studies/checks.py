"""What can be wrong with a study, found before its first run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec.structs import replace

from engine.errors import Problem, SceneError
from engine.model.scene import Scene
from engine.model.set_value import set_value
from engine.model.value_at import number_at
from engine.results.channels import Channels
from engine.spelling import did_you_mean
from engine.studies.designs import DESIGNS
from engine.studies.designs.base import kind_of
from engine.studies.objectives import REDUCTIONS, Objective
from engine.studies.variables.base import Variable
from engine.studies.variables.tolerance import Tolerance
from engine.system.prepared import prepare

if TYPE_CHECKING:
    from engine.studies.study import Study


def settled(variable: Variable, scene: Scene) -> Variable:
    """The variable with the scene's own value where it scatters about that; raises SceneError."""
    if isinstance(variable, Tolerance) and variable.nominal is None:
        return replace(variable, nominal=number_at(scene, variable.path))
    return variable


def problems_of(study: Study) -> list[Problem]:
    """All of it: the scene first, since nothing can be said about a study of a scene that is unsound."""
    prepared = prepare(study.scene)
    if prepared.problems:
        return list(prepared.problems)
    found = _twice("vary", [variable.path for variable in study.vary])
    found += _twice("objectives", [objective.name for objective in study.objectives])
    if not study.vary:
        found.append(
            Problem("vary", [], "nothing varies", "name at least one value of the scene by its path")
        )
    if not study.objectives:
        remedy = (
            'give at least one, for instance {"name": "top", "expression": "body.rod.pos.y", "reduce": "max"}'
        )
        found.append(Problem("objectives", [], "nothing is asked of the runs", remedy))
    variables = [_of_variable(variable, f"vary[{i}]", study.scene) for i, variable in enumerate(study.vary)]
    for problems, _ in variables:
        found += problems
    if not any(problems for problems, _ in variables):
        kind = DESIGNS[str(study.design.__struct_config__.tag)]
        found += kind.check(study.design, [variable for _, variable in variables])
    try:
        channels = Channels(prepared.mechanism)
    except SceneError as error:
        return [*found, *error.problems]
    for i, objective in enumerate(study.objectives):
        found += _of_objective(objective, f"objectives[{i}]", channels)
    return found


def _twice(where: str, names: Sequence[str]) -> list[Problem]:
    return [
        Problem(where, name, f"{name!r} stands there {count} times", "keep one of them")
        for name, count in Counter(names).items()
        if count > 1
    ]


def _of_variable(variable: Variable, path: str, scene: Scene) -> tuple[list[Problem], Variable]:
    """What is wrong with it, and the variable with its nominal value."""
    kind = kind_of(variable)
    problems = kind.check(variable, path)
    if problems:
        return problems, variable
    try:
        variable = settled(variable, scene)
        for value in kind.ends(variable):
            set_value(scene, variable.path, value)
    except SceneError as error:
        return [replaced(problem, f"{path}.path", variable.path) for problem in error.problems], variable
    return [], variable


def replaced(problem: Problem, path: str, value: str) -> Problem:
    """The same fault, told of the place in the study that leads to it."""
    return Problem(path, value, f"{problem.path}: {problem.message}", problem.remedy)


def _of_objective(objective: Objective, path: str, channels: Channels) -> list[Problem]:
    found = []
    if objective.reduce not in REDUCTIONS:
        hint = did_you_mean(objective.reduce, REDUCTIONS.names)
        text = f"there is no reduction {objective.reduce!r}{hint}"
        remedy = f"use one of: {', '.join(REDUCTIONS.names)}"
        found.append(Problem(f"{path}.reduce", objective.reduce, text, remedy))
    try:
        channels.expression(objective.expression, f"{path}.expression")
    except SceneError as error:
        found += error.problems
    return found
