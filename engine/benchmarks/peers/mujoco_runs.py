"""Steps of MuJoCo on open chains, for an interpreter that has it: `python mujoco_runs.py < question.json`.

The question has "sizes", "steps", "repeats" and "dt". Bars of 1 m and 1 kg on hinges, level at the start, no
contact; RK4. The answer has the best time per step [s] and the place of the last bar's end after the steps.
"""

import importlib
import json
import sys
import time
from typing import Any


def chain_file(n: int, dt: float) -> str:
    """The chain as MuJoCo's XML: bars along x, gravity along −y, hinges about z."""
    bar = (
        '<joint type="hinge" axis="0 0 1" pos="0 0 0"/>'
        '<inertial pos="0.5 0 0" mass="1" diaginertia="0.00045 0.08333333333333333 0.08333333333333333"/>'
    )
    bodies = "".join(f'<body pos="{1.0 if i else 0.0} 0 0">{bar}' for i in range(n)) + "</body>" * n
    return (
        f'<mujoco><option timestep="{dt}" integrator="RK4" gravity="0 -9.81 0">'
        '<flag contact="disable" constraint="disable"/></option>'
        f"<worldbody>{bodies}</worldbody></mujoco>"
    )


def answer(question: dict[str, Any]) -> dict[str, Any]:
    mujoco = importlib.import_module("mujoco")
    runs = []
    for n in question["sizes"]:
        model = mujoco.MjModel.from_xml_string(chain_file(n, question["dt"]))
        data, best = mujoco.MjData(model), float("inf")
        for _ in range(question["repeats"]):
            mujoco.mj_resetData(model, data)
            clock = time.process_time()
            mujoco.mj_step(model, data, nstep=question["steps"])
            best = min(best, (time.process_time() - clock) / question["steps"])
        mujoco.mj_kinematics(model, data)
        runs.append({"size": n, "seconds": best, "place": [float(x) for x in data.xipos[-1]]})
    return {"program": f"MuJoCo {mujoco.__version__}", "runs": runs}


if __name__ == "__main__":
    json.dump(answer(json.load(sys.stdin)), sys.stdout)
