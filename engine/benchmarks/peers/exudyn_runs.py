"""Runs of Exudyn, for an interpreter that has it: `python exudyn_runs.py < problem.json`, one JSON answer.

The problem is that of `problems.py` with "steps": numbers of steps to be tried, and "longest": seconds after
which finer steps are not; each is repeated "repeats" times, or until that took "enough" seconds.
Generalised-α, one thread, nothing written; the fastest of some settings that give the right motion counts at
each step. Nothing of this program is imported.
"""

import contextlib
import importlib
import io
import json
import sys
import time
from typing import Any

import numpy as np

# node, reduced loops, linear solver; bodies in the plane have one kind of node
DENSE = ("RotationEulerParameters", False, "EigenDense")
SPARSE = ("RotationRxyz", True, "EigenSparse")
OPEN = ("RotationRxyz", False, "EigenSparse")
MAX_DENSE_BODIES = 30  # bodies up to which the dense solver is tried
RADII = (0.9, 1.0)  # spectral radius at infinity: the usual one, and no damping, which is more accurate


def model(exu: Any, problem: dict[str, Any], node: str, reduced: bool) -> tuple[Any, Any, list[Any]]:
    """The system, the container that owns it, and its bodies."""
    items = importlib.import_module("exudyn.itemInterface")
    container = exu.SystemContainer()
    system = container.AddSystem()
    planar, nodes = problem["planar"], list[Any]()
    bodies = []
    for body in problem["bodies"]:
        number = planar_body(items, system, body, nodes) if planar else spatial_body(exu, system, body, node)
        if any(problem["gravity"]):
            mass = system.AddMarker(items.MarkerBodyMass(bodyNumber=number))
            system.AddLoad(items.LoadMassProportional(markerNumber=mass, loadVector=problem["gravity"]))
        bodies.append(number)
    ground = system.AddObject(items.ObjectGround())

    def marker(end: dict[str, Any], kind: Any) -> Any:
        number = ground if end["body"] < 0 else bodies[end["body"]]
        return system.AddMarker(kind(bodyNumber=number, localPosition=end["point"]))

    for joint in problem["joints"]:
        if planar:
            markers = [marker(end, items.MarkerBodyPosition) for end in joint["ends"]]
            system.AddObject(items.ObjectJointRevolute2D(markerNumbers=markers))
            continue
        markers = [marker(end, items.MarkerBodyRigid) for end in joint["ends"]]
        axes = [np.array(end["axes"]) for end in joint["ends"]]
        held = joint["reduced"] if reduced and joint["closes"] else joint["held"]
        system.AddObject(
            items.GenericJoint(
                markerNumbers=markers, constrainedAxes=held, rotationMarker0=axes[0], rotationMarker1=axes[1]
            )
        )
    for spring in problem["springs"]:
        system.AddObject(
            items.ObjectConnectorSpringDamper(
                markerNumbers=[marker(end, items.MarkerBodyPosition) for end in spring["ends"]],
                stiffness=spring["stiffness"],
                damping=spring["damping"],
                referenceLength=spring["length"],
            )
        )
    if problem["coils"]:
        nodes.append(system.AddNode(items.NodePointGround()))
    for coil in problem["coils"]:
        # the angle is the third coordinate of a body in the plane, whose start is the reference
        angles = [0.0 if body < 0 else problem["bodies"][body]["angle"] for body in coil["bodies"]]
        ends = [
            system.AddMarker(
                items.MarkerNodeCoordinate(nodeNumber=nodes[body], coordinate=0 if body < 0 else 2)
            )
            for body in coil["bodies"]
        ]
        system.AddObject(
            items.CoordinateSpringDamper(
                markerNumbers=ends,
                stiffness=coil["stiffness"],
                damping=coil["damping"],
                offset=coil["free"] - (angles[1] - angles[0]),
            )
        )
    for torque in problem["torques"]:
        frame = system.AddMarker(items.MarkerBodyRigid(bodyNumber=bodies[torque["body"]]))
        system.AddLoad(items.LoadTorqueVector(markerNumber=frame, loadVector=torque["torque"]))
    system.Assemble()
    return system, container, bodies


def spatial_body(exu: Any, system: Any, body: dict[str, Any], node: str) -> Any:
    inertia = importlib.import_module("exudyn.utilities").RigidBodyInertia
    return system.CreateRigidBody(
        referencePosition=body["position"],
        referenceRotationMatrix=np.array(body["rotation"]),
        initialVelocity=body["velocity"],
        initialAngularVelocity=body["angular_velocity"],
        inertia=inertia(mass=body["mass"], inertiaTensor=np.array(body["inertia"])),
        nodeType=getattr(exu.NodeType, node),
    )


def planar_body(items: Any, system: Any, body: dict[str, Any], nodes: list[Any]) -> Any:
    node = system.AddNode(
        items.NodeRigidBody2D(
            referenceCoordinates=[*body["position"][:2], body["angle"]],
            initialVelocities=[*body["velocity"][:2], body["angular_velocity"][2]],
        )
    )
    nodes.append(node)
    return system.AddObject(
        items.ObjectRigidBody2D(mass=body["mass"], inertia=body["inertia"][2][2], nodeNumber=node)
    )


def settings_of(exu: Any, solver: str, radius: float, steps: int, end: float) -> Any:
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
    options.timeIntegration.generalizedAlpha.spectralRadius = radius
    options.linearSolver.solverType = getattr(exu.LinearSolverType, solver)
    options.linearSolver.ignoreSingularJacobian = solver == "EigenDense"
    options.linearSolver.reuseAnalyzedPattern = solver == "EigenSparse"
    return options


def run(
    exu: Any, problem: dict[str, Any], choice: tuple[str, bool, str, float], steps: int
) -> dict[str, Any] | None:
    """Seconds of all steps and places at the end; None where Exudyn fails."""
    node, reduced, solver_name, radius = choice
    system, container, bodies = model(exu, problem, node, reduced)
    options = settings_of(exu, solver_name, radius, steps, problem["end"])
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


def spent(runs: list[dict[str, Any]]) -> float:
    return float(sum(item["seconds"] for item in runs))


def answer(problem: dict[str, Any]) -> dict[str, Any]:
    sys.exudynFast = True  # type: ignore[attr-defined]
    with contextlib.redirect_stdout(io.StringIO()):
        exu = importlib.import_module("exudyn")
        importlib.import_module("exudyn.utilities")
        runs = []
        closed = any(joint["closes"] for joint in problem["joints"])
        choices = [SPARSE if closed else OPEN]
        if len(problem["bodies"]) < MAX_DENSE_BODIES:
            choices.append(DENSE)
        for choice in [(*choice, radius) for choice in choices for radius in RADII]:
            for steps in problem["steps"]:
                with contextlib.suppress(Exception):
                    good: list[dict[str, Any]] = []
                    while len(good) < problem["repeats"] and spent(good) < problem["enough"]:
                        found = run(exu, problem, choice, steps)
                        if found is None:
                            break
                        good.append(found)
                    if good:
                        runs.append(min(good, key=lambda item: item["seconds"]))
                        if runs[-1]["seconds"] > problem["longest"]:
                            break
    return {"program": f"Exudyn {exu.__version__}", "runs": runs}


if __name__ == "__main__":
    json.dump(answer(json.load(sys.stdin)), sys.stdout)
