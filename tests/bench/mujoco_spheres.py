"""The pile of `spheres.py` in MuJoCo, for an interpreter that has it: `python mujoco_spheres.py < question`.

The question has "places" of the spheres, "radius", "half" (of the box), "tall", "friction", "dt", "settle",
"steps", "looks" and "cone", as JSON. The answer has the time per step [s] after settling, the number of
contacts and the deepest overlap.
"""

import importlib
import json
import sys
import time
from typing import Any

WALL = 0.1  # m


def model_file(question: dict[str, Any]) -> str:
    """Spheres between five boxes, with contacts as stiff as the step allows (time constant of two steps)."""
    half, tall, dt = question["half"], question["tall"], question["dt"]
    wide = half + WALL
    boxes = [((wide, wide, 0.5 * WALL), (0.0, 0.0, -0.5 * WALL))]
    for axis in (0, 1):
        for side in (-1.0, 1.0):
            size, place = [wide, wide, 0.5 * tall], [0.0, 0.0, 0.5 * tall]
            size[axis], place[axis] = 0.5 * WALL, side * (half + 0.5 * WALL)
            boxes.append((tuple(size), tuple(place)))
    geoms = "".join(
        f'<geom type="box" size="{a} {b} {c}" pos="{x} {y} {z}"/>' for (a, b, c), (x, y, z) in boxes
    )
    ball = f'<freejoint/><geom type="sphere" size="{question["radius"]}" mass="1"/>'
    spheres = "".join(f'<body pos="{x} {y} {z}">{ball}</body>' for x, y, z in question["places"])
    friction = f'friction="{question["friction"]} 0 0" condim="3"'
    return (
        f'<mujoco><option timestep="{dt}" cone="{question["cone"]}"/>'
        f'<default><geom {friction} solref="{2.0 * dt} 1"/></default>'
        f"<worldbody>{geoms}{spheres}</worldbody></mujoco>"
    )


def answer(question: dict[str, Any]) -> dict[str, Any]:
    mujoco = importlib.import_module("mujoco")
    model = mujoco.MjModel.from_xml_string(model_file(question))
    data = mujoco.MjData(model)
    mujoco.mj_step(model, data, nstep=question["settle"])
    steps, contacts, deepest = question["steps"], 0, 0.0
    clock = time.process_time()
    mujoco.mj_step(model, data, nstep=steps)
    seconds = (time.process_time() - clock) / steps
    for _ in range(question["looks"]):
        mujoco.mj_step(model, data, nstep=10)
        touching = [contact.dist for contact in data.contact if contact.dist <= 0.0]
        contacts += len(touching)
        deepest = max(deepest, -min(touching, default=0.0))
    return {
        "program": f"MuJoCo {mujoco.__version__}, {question['cone']} cones",
        "seconds": seconds,
        "contacts": contacts / question["looks"],
        "deepest": deepest,
    }


if __name__ == "__main__":
    json.dump(answer(json.load(sys.stdin)), sys.stdout)
