"""Problems that every program can be given: bodies on hinges in space, as plain data."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from engine.benchmarks.cost_over_size import RawScene, chain, row_of_four_bars
from engine.compiled.columns import body_reals as BODY_REAL
from engine.model.files.scene_file import loads
from engine.system.assembly.assemble import Start, assemble
from engine.system.compiling.compile import compile_scene
from engine.system.compiling.mechanism import Mechanism
from engine.system.equations.evaluator import Evaluator
from engine.system.equations.pose_table import centre, rotation

WORLD = -1


@dataclass(frozen=True)
class PeerProblem:
    """A mechanism and how long it is followed [s]."""

    name: str
    title: str
    end: float
    scene: Callable[[], RawScene]
    closing: str = ""  # joints whose name begins so close loops in the plane: peers may hold x and y only


PROBLEMS = (
    PeerProblem("four_bar", "square four-bar, N = 1", 0.5, lambda: row_of_four_bars(1), "C"),
    PeerProblem("double_four_bar", "double four-bar, N = 2", 0.5, lambda: row_of_four_bars(2), "C"),
    PeerProblem("ten_four_bars", "N = 10", 0.5, lambda: row_of_four_bars(10), "C"),
    PeerProblem("forty_four_bars", "N = 40", 0.5, lambda: row_of_four_bars(40), "C"),
    PeerProblem("chain", "chain of 100 bars", 0.2, lambda: chain(100)),
)


def prepared(raw: RawScene) -> tuple[Mechanism, Start]:
    """The compiled and assembled scene."""
    mechanism = compile_scene(loads(json.dumps(raw)))
    return mechanism, assemble(mechanism)


def as_data(problem: PeerProblem, mechanism: Mechanism, start: Start) -> dict[str, Any]:
    """What another program needs: poses of centres of mass, inertias in body axes, frames of hinges."""
    evaluator = Evaluator(mechanism).at(0.0, start.q, start.v, start.angles)
    pose, bodies, hinges = evaluator.work.pose, [], []
    for b in range(len(mechanism.bodies)):
        reals = mechanism.system.body_reals[b]
        R = rotation(pose, b)
        bodies.append(
            {
                "mass": float(reals[BODY_REAL.MASS]),
                "inertia": reals[BODY_REAL.INERTIA : BODY_REAL.INERTIA + 9].reshape(3, 3).tolist(),
                "position": centre(pose, b).tolist(),
                "rotation": R.tolist(),
                "velocity": start.v[6 * b : 6 * b + 3].tolist(),
                "angular_velocity": (R @ start.v[6 * b + 3 : 6 * b + 6]).tolist(),
            }
        )
    moving = len(mechanism.bodies)
    for name, frames in mechanism.joint_frames.items():
        ends = [
            {
                "body": frame.body if frame.body < moving else WORLD,
                "point": np.asarray(frame.point).tolist(),
                "axes": np.asarray(frame.axes).tolist(),
            }
            for frame in frames
        ]
        closes = bool(problem.closing) and name.startswith(problem.closing)
        hinges.append({"ends": ends, "closes": closes})
    gravity = mechanism.system.body_reals[0, BODY_REAL.GRAVITY : BODY_REAL.GRAVITY + 3]
    return {"bodies": bodies, "hinges": hinges, "gravity": gravity.tolist(), "end": problem.end}
