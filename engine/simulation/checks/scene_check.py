"""Is a scene sound, and would it run? What `trammel check` shows; it passes nothing that a run refuses."""

from __future__ import annotations

from engine.analyses.check import Report
from engine.analyses.check import check_scene as check_mechanism
from engine.errors import Problem, SceneError
from engine.model.scene import Scene
from engine.results.channels import Channels
from engine.simulation.stops.conditions import conditions_of
from engine.solvers.catalogue import find_method
from engine.system.compiling.mechanism import Mechanism


def check_scene(scene: Scene) -> Report:
    """Compile, assemble, count, and look at the settings of a run; raises SceneError or CompileError."""
    report = check_mechanism(scene)
    problems: list[Problem] = []
    for look in (_method, _channels):
        try:
            look(report.mechanism)
        except SceneError as error:
            problems += error.problems
    if problems:
        raise SceneError(problems)
    return report


def _method(mechanism: Mechanism) -> None:
    """Name, options and whether the method takes this mechanism."""
    settings = mechanism.scene.simulation
    method = find_method(settings.method)
    method.numbers({name: float(value) for name, value in settings.options.items()}, float(settings.dt))
    reason = method.refuses(mechanism.system)
    if reason:
        remedy = "choose another method; `trammel list methods` names them"
        raise SceneError([Problem("simulation.method", method.name, reason, remedy)])


def _channels(mechanism: Mechanism) -> None:
    """Measures and stop conditions name channels that there are."""
    conditions_of(Channels(mechanism))
