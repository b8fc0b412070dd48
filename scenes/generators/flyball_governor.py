"""Watt's governor with stiff couplers."""

from engine.model.scene import Scene
from engine.templates.look import BLUE, GREEN, GREY, ORANGE, PINK, RED
from engine.templates.shapes import box, rod, sphere
from scenes.generators.vocabulary import (
    about,
    anchor,
    body,
    joint,
    length_parameter,
    parameter,
    revolute,
    scene,
    simulation,
    trace,
)


def flyball_governor() -> Scene:
    arms = []
    for name, side, angle, color in (("right", "", "alpha", ORANGE), ("left", "-", "pi - alpha", PINK)):
        # rod and ball are one body: frame at the hinge, x along the rod, `cg` its centre of mass
        transverse = "m_rod*(L*L + b*b)/12 + m_rod*(cg - L/2)*(cg - L/2) + m_ball*(L - cg)*(L - cg)"
        arms.append(
            body(
                f"{name} arm",
                color=color,
                position=[f"{side}x_hinge", 0.0, "L"],
                orientation=about([0, 1, 0], angle),
                velocity=[0.0, f"{side}omega*x_hinge", 0.0],
                angular_velocity=[0.0, 0.0, "omega"],
                mass="m_rod + m_ball",
                com=["cg", 0.0, 0.0],
                inertia=["m_rod*b*b/6", transverse, transverse],
                points={"hinge": [0.0, 0.0, 0.0], "middle": ["L/2", 0.0, 0.0], "ball": ["L", 0.0, 0.0]},
                shapes=[rod([0.0, 0.0, 0.0], ["L", 0.0, 0.0], 0.008), sphere(0.06, ["L", 0.0, 0.0])],
            )
        )
    shaft = body(
        "shaft",
        color=GREY,
        position=[0.0, 0.0, 0.0],
        angular_velocity=[0.0, 0.0, "omega"],
        mass="m_rod",
        com=[0.0, 0.0, "L/2"],
        inertia=["m_rod*(L*L + b*b)/12", "m_rod*(L*L + b*b)/12", "m_rod*b*b/6"],
        points={
            "foot": [0.0, 0.0, 0.0],
            "right hinge": ["x_hinge", 0.0, "L"],
            "left hinge": ["-x_hinge", 0.0, "L"],
        },
        shapes=[
            rod([0.0, 0.0, 0.0], [0.0, 0.0, "L"], 0.01),
            rod(["-x_hinge", 0.0, "L"], ["x_hinge", 0.0, "L"], 0.01),
        ],
    )
    sleeve = body(
        "slider",
        color=BLUE,
        position=[0.0, 0.0, "s0"],
        angular_velocity=[0.0, 0.0, "omega"],
        mass="m_slider",
        com=[0.0, 0.0, 0.0],
        inertia=["m_slider*0.02/12", "m_slider*0.02/12", "m_slider*0.02/12"],
        points={
            "centre": [0.0, 0.0, 0.0],
            "right eye": ["x_hinge", 0.0, 0.0],
            "left eye": ["-x_hinge", 0.0, 0.0],
        },
        shapes=[box([0.1, 0.1, 0.1], [0.0, 0.0, 0.0])],
    )
    return scene(
        "Stiff flyball governor",
        "Watt's governor runs up as its arms open; the two couplers are very stiff springs with dampers.",
        "Stiff flyball governor [IFToMM 2015, A05]; slider position against a reference within 1e-5.",
        notes="Hinges 0.1 m apart (x = -0.05 and 0.05), arms 30 degrees below the horizontal. The "
        "damped springs decay at about "
        "8000 1/s, so an explicit scheme of order four needs a step below 0.3 ms.",
        space="spatial",
        gravity=[0.0, 0.0, -9.81],
        parameters=[
            length_parameter("L", 1.0, "shaft and arms"),
            length_parameter("b", 0.01, "side of their square section"),
            length_parameter("x_hinge", 0.05, "hinges from the shaft axis"),
            parameter("m_rod", 0.3, "kg", "shaft and each arm (3000 kg/m3)"),
            parameter("m_ball", 5.0, "kg", "point mass at the end of each arm", (0.5, 20.0)),
            parameter("m_slider", 3.0, "kg", "cube of 0.1 m (3000 kg/m3)", (0.5, 20.0)),
            length_parameter(
                "cg", "(m_rod*L/2 + m_ball*L)/(m_rod + m_ball)", "centre of mass of arm and ball"
            ),
            parameter("alpha", "pi/6", "rad", "arms below the horizontal at the start"),
            length_parameter("s0", 0.5, "height of the slider at the start"),
            parameter("omega", "2*pi", "rad/s", "shaft speed at the start"),
            parameter("k", 8e5, "N/m", "coupler stiffness"),
            parameter("c", 4e4, "N*s/m", "coupler damping"),
        ],
        bodies=[shaft, sleeve, *arms],
        joints=[
            revolute("bearing", ("world", [0.0, 0.0, 0.0]), ("shaft", "foot")),
            joint(
                "prismatic", "sleeve", anchor("shaft", "foot", [0.0, 0.0, 1.0]), anchor("slider", "centre")
            ),
            revolute("right hinge", ("shaft", "right hinge"), ("right arm", "hinge"), [0.0, 1.0, 0.0]),
            revolute("left hinge", ("shaft", "left hinge"), ("left arm", "hinge"), [0.0, 1.0, 0.0]),
        ],
        forces=[
            {
                "name": f"{side} coupler",
                "kind": "spring",
                "color": GREEN,
                "a": anchor(f"{side} arm", "middle"),
                "b": anchor("slider", f"{side} eye"),
                "stiffness": "k",
                "damping": "c",
                "free_length": 0.5,
            }
            for side in ("right", "left")
        ],
        traces=[trace("path of the ball", "right arm", "ball", RED, 2.0)],
        simulation=simulation(2e-4, 10.0, 1.0, 5),
        view={"box": [[-1.08, -1.08, -0.02], [1.08, 1.08, 1.02]]},
    )
