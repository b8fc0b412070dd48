"""Haug's slider-crank with a ball and a universal joint."""

import math

import numpy as np

from engine.maths.rotations import quaternion_of
from engine.model.scene import Scene
from engine.templates.look import BLUE, GREEN, GREY, ORANGE, PINK, RED
from engine.templates.shapes import box, rod, sphere
from engine.templates.spatial import listed
from scenes.generators.vocabulary import (
    anchor,
    body,
    joint,
    parameter,
    revolute,
    scene,
    simulation,
    trace,
)


def spatial_slider_crank() -> Scene:
    # rod frame: x from B to C, y the arm of the cross, z completes; columns of R_WB
    x_axis, y_axis = np.array([2.0, -1.0, -2.0]) / 3.0, np.array([0.0, 2.0, -1.0]) / math.sqrt(5.0)
    orientation = listed(quaternion_of(np.column_stack([x_axis, y_axis, np.cross(x_axis, y_axis)])))
    crank = body(
        "crank",
        color=BLUE,
        position=[0.0, 0.1, 0.12],
        angular_velocity=["omega", 0.0, 0.0],
        mass=0.12,
        com=[0.0, 0.0, 0.04],
        inertia=[1e-4, 1e-4, 1e-5],
        points={"A": [0.0, 0.0, 0.0], "B": [0.0, 0.0, 0.08]},
        shapes=[
            rod([0.0, 0.0, 0.0], [0.0, 0.0, 0.08], 0.008),
            rod([-0.03, 0.0, 0.0], [0.01, 0.0, 0.0], 0.006, GREY),
        ],
    )
    conrod = body(
        "rod",
        color=ORANGE,
        position=[0.0, 0.1, 0.2],
        orientation=orientation,
        velocity=[0.0, "-0.08*omega", 0.0],
        angular_velocity=["0.32*omega", "-0.16*omega", "0.08*omega"],
        mass=0.5,
        com=[0.15, 0.0, 0.0],
        inertia=[4e-4, 4e-3, 4e-3],
        points={"B": [0.0, 0.0, 0.0], "C": [0.3, 0.0, 0.0]},
        shapes=[rod([0.0, 0.0, 0.0], [0.3, 0.0, 0.0], 0.007), sphere(0.012, [0.0, 0.0, 0.0])],
    )
    slider = body(
        "slider",
        color=GREEN,
        position=[0.2, 0.0, 0.0],
        velocity=["0.04*omega", 0.0, 0.0],
        mass=2.0,
        com=[0.0, 0.0, 0.0],
        inertia=[1e-4, 1e-4, 1e-4],
        points={"C": [0.0, 0.0, 0.0]},
        shapes=[box([0.05, 0.03, 0.03], [0.0, 0.0, 0.0])],
    )
    guide = body("rail", color=GREY, fixed=True, mass=0.0, shapes=[rod([0.1, 0, 0], [0.36, 0, 0], 0.004)])
    return scene(
        "Spatial slider-crank",
        "A crank, a rod with a ball at one end and a universal joint at the other, and a slider on a "
        "line askew to the crank.",
        "Spatial rigid slider-crank [IFToMM 2015], after [Haug 1989].",
        notes="Rod inertia with x along the rod; the published curves disagree with each other by a "
        "choice of that axis.",
        space="spatial",
        gravity=[0.0, 0.0, -9.81],
        parameters=[parameter("omega", 6.0, "rad/s", "crank speed at the start", (0.0, 60.0))],
        bodies=[crank, conrod, slider, guide],
        joints=[
            revolute("A", ("world", [0.0, 0.1, 0.12]), ("crank", "A"), [1.0, 0.0, 0.0]),
            joint("spherical", "B", anchor("crank", "B"), anchor("rod", "B")),
            joint(
                "universal", "C", anchor("slider", "C", [1.0, 0.0, 0.0]), anchor("rod", "C", [0.0, 1.0, 0.0])
            ),
            joint(
                "prismatic", "guide", anchor("world", [0.0, 0.0, 0.0], [1.0, 0.0, 0.0]), anchor("slider", "C")
            ),
        ],
        traces=[
            trace("path of B", "crank", "B", PINK),
            trace("middle of the rod", "rod", [0.15, 0.0, 0.0], RED, 3.0),
        ],
        simulation=simulation(1e-3, 5.0, 0.5),
        view={"box": [[-0.03, -0.02, -0.02], [0.36, 0.2, 0.22]]},
    )
