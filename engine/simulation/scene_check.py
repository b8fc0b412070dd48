"""Is a scene sound, and would it run? What `trammel check` shows; it passes nothing that a run refuses."""

from __future__ import annotations

from dataclasses import replace

from engine.analyses.check import Report
from engine.analyses.check import check_scene as check_mechanism
from engine.errors import Problem, SceneError
from engine.model.scene import Scene, refuse_other
from engine.results.channels import Channels
from engine.simulation.simulation import Simulation
from engine.simulation.stepping.method_driver import refuse_unfit
from engine.simulation.stops.conditions import conditions_of
from engine.solvers.catalogue import find_method
from engine.system.compiling.mechanism import Mechanism


def check_scene(scene: Scene) -> Report:
    """Compile, assemble, count, and begin a run without a step; raises SceneError or CompileError."""
    report = check_mechanism(refuse_other("check_scene", scene))
    problems: list[Problem] = []
    for look in (_method, _channels):  # those that a beginning would tell one after the other
        try:
            look(report.mechanism)
        except SceneError as error:
            problems += error.problems
    if problems:
        raise SceneError(problems)
    begun = Simulation(scene)
    if begun.problem is not None:
        raise SceneError([begun.problem])
    told = {note.removesuffix(".") for note in (*report.start.notes, *report.mobility.notes)}
    own = [note for note in dict.fromkeys(begun.warnings) if note.removesuffix(".") not in told]
    return replace(report, of_method=tuple(own))


def _method(mechanism: Mechanism) -> None:
    """Name, options and whether the method takes this mechanism."""
    settings = mechanism.scene.simulation
    method = find_method(settings.method)
    method.numbers({name: float(value) for name, value in settings.options.items()}, float(settings.dt))
    refuse_unfit(mechanism, method)


def _channels(mechanism: Mechanism) -> None:
    """Measures and stop conditions name channels that there are."""
    conditions_of(Channels(mechanism))
