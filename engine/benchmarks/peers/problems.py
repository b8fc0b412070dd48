"""Problems that every program can be given: bodies, joints, springs and torques as plain data."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from engine.benchmarks.cost_over_size import RawScene, chain, row_of_four_bars
from engine.compiled.columns import body_reals as BODY_REAL
from engine.compiled.columns import coordinate_values as COORDINATE_VALUE
from engine.elements.coordinates.frames import Frame
from engine.model.files.scene_file import load_scene, loads
from engine.model.scene import Scene
from engine.system.assembly.assemble import Start, assemble
from engine.system.compiling.compile import compile_scene
from engine.system.compiling.frames import Frames
from engine.system.compiling.mechanism import Mechanism
from engine.system.equations.evaluator import Evaluator
from engine.system.equations.pose_table import centre, rotation

WORLD = -1
# displacements along and rotations about x, y, z of its frames that a joint holds
HELD = {"revolute": (1, 1, 1, 1, 1, 0), "prismatic": (1, 1, 0, 1, 1, 1)}
IN_PLANE = (1, 1, 0, 0, 0, 0)
Setting = tuple[str, dict[str, float]]  # method and options
USUAL: tuple[Setting, ...] = (
    ("lagrange/rk4/projection", {}),
    ("lagrange/rk4/projection", {"tolerance": 1e-7}),  # a step of 1e-6 m needs no joints closed to 1e-13
    ("lagrange/rk4/none", {}),
    ("lagrange/ab4/none", {}),  # one evaluation per step, where steps are short anyway
)
STIFF: tuple[Setting, ...] = (
    ("radau", {}),
    ("generalized_alpha", {}),
    ("lagrange/sdirk4/projection", {}),
    ("lagrange/rk4/projection", {}),
)
STEPS = (2, 3, 4, 5, 7, 10, 14, 20, 28, 40, 50, 70, 100)
PEER_STEPS = (20, 50, 100, 200, 500, 1000, 2000, 5000, 10000, 20000)


@dataclass(frozen=True)
class PeerProblem:
    """A mechanism, how long it is followed [s], and the settings of this program that are tried."""

    name: str
    title: str
    end: float
    scene: Callable[[], RawScene] | str  # a name is that of a shipped scene
    closing: str = ""  # joints whose name begins so close loops: peers may hold less of them
    closing_holds: tuple[int, ...] = IN_PLANE
    settings: tuple[Setting, ...] = USUAL
    finer: int = 1  # times the usual numbers of steps
    reference: int = 100  # steps of the reference

    def load(self, scenes: Mapping[str, Path]) -> Scene:
        if isinstance(self.scene, str):
            return load_scene(scenes[self.scene])
        return loads(json.dumps(self.scene()))


PROBLEMS = (
    PeerProblem("four_bar", "square four-bar, N = 1", 0.5, lambda: row_of_four_bars(1), "C"),
    PeerProblem("double_four_bar", "double four-bar, N = 2", 0.5, lambda: row_of_four_bars(2), "C"),
    PeerProblem("ten_four_bars", "N = 10", 0.5, lambda: row_of_four_bars(10), "C"),
    PeerProblem("forty_four_bars", "N = 40", 0.5, lambda: row_of_four_bars(40), "C"),
    PeerProblem("bricard", "Bricard's mechanism", 0.5, "bricard", "P5", (1, 1, 1, 1, 0, 0)),
    PeerProblem("andrews", "Andrews' squeezer, in the plane", 0.03, "andrews", finer=5),
    PeerProblem("chain", "chain of 100 bars", 0.2, lambda: chain(100)),
    PeerProblem("governor", "stiff flyball governor", 0.5, "flyball_governor", settings=STIFF, reference=400),
    PeerProblem(
        "stiff_pendulum",
        "stiff double pendulum, in the plane",
        0.5,
        "stiff_double_pendulum",
        settings=STIFF,
        finer=4,
        reference=1000,
    ),
)


def prepared(scene: Scene | RawScene) -> tuple[Mechanism, Start]:
    """The compiled and assembled scene."""
    mechanism = compile_scene(scene if isinstance(scene, Scene) else loads(json.dumps(scene)))
    return mechanism, assemble(mechanism)


def as_data(problem: PeerProblem, mechanism: Mechanism, start: Start) -> dict[str, Any]:
    """What another program needs: poses of centres of mass, inertias in body axes, frames of joints, springs
    between points, coils between bodies in the plane, constant torques."""
    planar = mechanism.scene.space == "planar"
    evaluator = Evaluator(mechanism).at(0.0, start.q, start.v, start.angles)
    pose, moving = evaluator.work.pose, len(mechanism.bodies)
    width = 3 if planar else 6
    bodies = []
    for b in range(moving):
        reals, v = mechanism.system.body_reals[b], start.v[width * b : width * (b + 1)]
        R = rotation(pose, b)
        bodies.append(
            {
                "mass": float(reals[BODY_REAL.MASS]),
                "inertia": reals[BODY_REAL.INERTIA : BODY_REAL.INERTIA + 9].reshape(3, 3).tolist(),
                "position": centre(pose, b).tolist(),
                "rotation": R.tolist(),
                "angle": float(start.q[3 * b + 2]) if planar else 0.0,
                "velocity": [*v[:2], 0.0] if planar else v[:3].tolist(),
                "angular_velocity": [0.0, 0.0, float(v[2])] if planar else (R @ v[3:]).tolist(),
            }
        )

    def end(frame: Frame) -> dict[str, Any]:
        return {
            "body": frame.body if frame.body < moving else WORLD,
            "point": np.asarray(frame.point).tolist(),
            "axes": np.asarray(frame.axes).tolist(),
        }

    def angle(body: int) -> float:
        return 0.0 if body == WORLD else float(bodies[body]["angle"])

    joints = []
    for joint in mechanism.scene.joints:
        closes = bool(problem.closing) and joint.name.startswith(problem.closing)
        joints.append(
            {
                "ends": [end(frame) for frame in mechanism.joint_frames[joint.name]],
                "held": HELD[str(joint.__struct_config__.tag)],
                "closes": closes,
                "reduced": problem.closing_holds,
            }
        )
    frames, springs, coils, torques = Frames(mechanism.scene), [], [], []
    forces: tuple[Any, ...] = mechanism.scene.forces
    for force in forces:
        kind = str(force.__struct_config__.tag)
        if kind == "spring":
            ends = [end(frames.point(anchor.body, anchor.point)) for anchor in (force.a, force.b)]
            springs.append({"ends": ends, **_numbers(force), "length": float(force.free_length)})
        elif kind == "rotational_spring" and planar:
            pair = [end(frame)["body"] for frame in mechanism.joint_frames[force.joint]]
            g = mechanism.coordinates[force.joint, "angle"]
            turned = float(evaluator.work.coordinate[g, COORDINATE_VALUE.VALUE])
            reference = turned - (angle(pair[1]) - angle(pair[0]))
            coils.append({"bodies": pair, **_numbers(force), "free": float(force.free_angle) - reference})
        elif kind == "torque":
            body = frames.point(force.body, None).body
            torques.append({"body": body, "torque": [float(x) for x in force.components]})
        else:
            raise ValueError(f"{problem.name}: force {force.name!r} has no counterpart in other programs")
    gravity = mechanism.system.body_reals[0, BODY_REAL.GRAVITY : BODY_REAL.GRAVITY + 3]
    return {
        "planar": planar,
        "bodies": bodies,
        "joints": joints,
        "springs": springs,
        "coils": coils,
        "torques": torques,
        "gravity": gravity.tolist(),
        "end": problem.end,
    }


def _numbers(force: Any) -> dict[str, float]:
    return {"stiffness": float(force.stiffness), "damping": float(force.damping)}
