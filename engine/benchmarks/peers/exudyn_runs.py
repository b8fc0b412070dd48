"""Runs of Exudyn, for an interpreter that has it: `python exudyn_runs.py < problem.json`, one JSON answer.

The problem is that of `problems.py` with "steps": numbers of steps to be tried, and "longest": seconds after
which finer steps are not. Generalised-α with a spectral radius of 0.9, one thread, nothing written; the
fastest of some settings that give the right motion counts at each step. Nothing of this program is imported.
"""

import contextlib
import importlib
import io
import json
import sys
import time
from typing import Any

import numpy as np

# node, reduced loops, linear solver
DENSE = ("RotationEulerParameters", False, "EigenDense")
SPARSE = ("RotationRxyz", True, "EigenSparse")


def model(exu: Any, problem: dict[str, Any], node: str, reduced: bool) -> tuple[Any, Any, list[Any]]:
    """The system, the container that owns it, and its bodies."""
    items = importlib.import_module("exudyn.itemInterface")
    inertia = importlib.import_module("exudyn.utilities").RigidBodyInertia
    container = exu.SystemContainer()
    system = container.AddSystem()
    bodies = []
    for body in problem["bodies"]:
        number = system.CreateRigidBody(
            referencePosition=body["position"],
            referenceRotationMatrix=np.array(body["rotation"]),
            initialVelocity=body["velocity"],
            initialAngularVelocity=body["angular_velocity"],
            inertia=inertia(mass=body["mass"], inertiaTensor=np.array(body["inertia"])),
            nodeType=getattr(exu.NodeType, node),
        )
        mass = system.AddMarker(items.MarkerBodyMass(bodyNumber=number))
        system.AddLoad(items.LoadMassProportional(markerNumber=mass, loadVector=problem["gravity"]))
        bodies.append(number)
    ground = system.AddObject(items.ObjectGround())
    for hinge in problem["hinges"]:
        markers = [
            system.AddMarker(
                items.MarkerBodyRigid(
                    bodyNumber=ground if end["body"] < 0 else bodies[end["body"]], localPosition=end["point"]
                )
            )
            for end in hinge["ends"]
        ]
        axes = [np.array(end["axes"]) for end in hinge["ends"]]
        held = [1, 1, 0, 0, 0, 0] if reduced and hinge["closes"] else [1, 1, 1, 1, 1, 0]
        system.AddObject(
            items.GenericJoint(
                markerNumbers=markers, constrainedAxes=held, rotationMarker0=axes[0], rotationMarker1=axes[1]
            )
        )
    system.Assemble()
    return system, container, bodies


def settings_of(exu: Any, solver: str, steps: int, end: float) -> Any:
    options = exu.SimulationSettings()
    options.parallel.numberOfThreads = 1
    options.solution.file.write = False
    options.solution.sensors.active = False
    options.timeIntegration.verboseMode = 0
    options.timeIntegration.numberOfSteps = steps
    options.timeIntegration.endTime = end
    options.timeIntegration.adaptiveStep = False
    options.timeIntegration.newton.useModifiedNewton = True
    options.timeIntegration.newton.modifiedNewtonContractivity = 0.2
    options.timeIntegration.generalizedAlpha.spectralRadius = 0.9
    options.linearSolver.solverType = getattr(exu.LinearSolverType, solver)
    options.linearSolver.ignoreSingularJacobian = solver == "EigenDense"
    options.linearSolver.reuseAnalyzedPattern = solver == "EigenSparse"
    return options


def run(
    exu: Any, problem: dict[str, Any], choice: tuple[str, bool, str], steps: int
) -> dict[str, Any] | None:
    """Seconds of all steps and places at the end; None where Exudyn fails."""
    node, reduced, solver_name = choice
    system, container, bodies = model(exu, problem, node, reduced)
    options = settings_of(exu, solver_name, steps, problem["end"])
    solver = exu.MainSolverImplicitSecondOrder()
    if not solver.InitializeSolver(system, options):
        return None
    clock = time.process_time()
    fine = solver.SolveSteps(system, options)
    seconds = time.process_time() - clock
    solver.FinalizeSolver(system, options)
    if not fine:
        return None
    kind = exu.OutputVariableType.Position
    places = [list(map(float, system.GetObjectOutputBody(body, kind))) for body in bodies]
    del container
    return {"steps": steps, "seconds": seconds, "places": places, "settings": " ".join(map(str, choice))}


def answer(problem: dict[str, Any]) -> dict[str, Any]:
    sys.exudynFast = True  # type: ignore[attr-defined]
    with contextlib.redirect_stdout(io.StringIO()):
        exu = importlib.import_module("exudyn")
        importlib.import_module("exudyn.utilities")
        runs = []
        open_tree = not any(hinge["closes"] for hinge in problem["hinges"])
        choices = [DENSE, SPARSE] if len(problem["bodies"]) < 30 else [SPARSE]
        for choice in choices if not open_tree else [(SPARSE[0], False, SPARSE[2])]:
            for steps in problem["steps"]:
                with contextlib.suppress(Exception):
                    found = [run(exu, problem, choice, steps) for _ in range(problem["repeats"])]
                    good = [item for item in found if item is not None]
                    if good:
                        runs.append(min(good, key=lambda item: item["seconds"]))
                        if runs[-1]["seconds"] > problem["longest"]:
                            break
    return {"program": f"Exudyn {exu.__version__}", "runs": runs}


if __name__ == "__main__":
    json.dump(answer(json.load(sys.stdin)), sys.stdout)
