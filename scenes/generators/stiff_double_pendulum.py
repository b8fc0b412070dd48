"""Two bars with torsional springs and dampers, one pair of them very stiff."""

from engine.model.scene import Scene
from engine.templates.look import RED
from scenes.generators.bars import two_bars
from scenes.generators.vocabulary import (
    Element,
    length_parameter,
    parameter,
    scene,
    simulation,
    trace,
)


def _coil(name: str, joint: str, number: int) -> Element:
    return {
        "name": name,
        "kind": "rotational_spring",
        "joint": joint,
        "stiffness": f"k{number}",
        "damping": f"c{number}",
        "free_angle": f"rest{number}",
    }


def stiff_double_pendulum() -> Scene:
    bodies, joints = two_bars((0.06, 0.045), rate="omega2")
    for one in joints:
        # both sides count from their own x axis: the joint angle is the difference of the bars' angles
        one["a"]["reference"] = [1.0, 0.0]
        one["b"]["reference"] = [1.0, 0.0]
    return scene(
        "Stiff double pendulum",
        "A heavy bar on a soft coil carries a light one on a coil so stiff and so damped that it creeps to "
        "its rest angle and drags the heavy bar along.",
        "D. Negrut's stiff double pendulum, as given in [UPV Newmark, §6.2 and fig. 6.10].",
        notes="The labels of the figure can be read in several ways; this is the stiff double pendulum "
        "as commonly quoted: start at 3 pi/2 and 23 pi/12 with 10 rad/s, coils at rest at 3 pi/2 "
        "and, between the bars, at 0. The damper of the light bar acts at about 6e4 1/s, so an explicit "
        "scheme of order four needs steps below 40 microseconds; an implicit one does not.",
        space="planar",
        gravity=[0.0, -9.81],
        parameters=[
            length_parameter("L1", 2.0, "upper bar"),
            length_parameter("L2", 3.0, "lower bar"),
            parameter("m1", 3.0, "kg", "upper bar", (0.1, 30.0)),
            parameter("m2", 0.3, "kg", "lower bar", (0.01, 30.0)),
            parameter("k1", 400.0, "N*m/rad", "upper coil", (0.0, 1e4)),
            parameter("c1", 15.0, "N*m*s/rad", "upper damper", (0.0, 1e3)),
            parameter("k2", 3e5, "N*m/rad", "coil between the bars", (0.0, 1e6)),
            parameter("c2", 5e4, "N*m*s/rad", "damper between the bars", (0.0, 1e5)),
            parameter("rest1", "3*pi/2", "rad", "upper coil at rest"),
            parameter("rest2", 0.0, "rad", "coil between the bars at rest"),
            parameter("theta1", "3*pi/2", "rad", "upper bar at the start"),
            parameter("theta2", "23*pi/12", "rad", "lower bar at the start"),
            parameter("omega2", 10.0, "rad/s", "lower bar at the start"),
        ],
        bodies=bodies,
        joints=joints,
        forces=[_coil("upper coil", "A", 1), _coil("lower coil", "B", 2)],
        traces=[trace("path of C", "lower", "C", RED, 3.0)],
        simulation=simulation(1e-3, 5.0, method="lagrange/dopri5/projection"),
        view={"box": [[-1.0, -5.0, 0.0], [2.97, 0.02, 0.2]]},
    )
