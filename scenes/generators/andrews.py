"""Andrews' squeezer."""

from engine.model.scene import Scene
from engine.templates.look import BLUE, DARK, GREEN, GREY, ORANGE, PINK, RED, SKY, YELLOW
from engine.templates.shapes import outline, rod
from scenes.generators.vocabulary import (
    Element,
    Vec,
    anchor,
    body,
    length_parameter,
    parameter,
    revolute,
    scene,
    simulation,
    trace,
)


def andrews() -> Scene:
    """Andrews' squeezer with the names of [Mazzia 2006]; links meet in O, F, E, D, G, H."""

    def link(name: str, color: str, layer: int, start: Vec, angle: str, data: Element) -> Element:
        return body(name, color=color, layer=layer, position=start, angle=angle, **data)

    def data(mass: float, inertia: float, com: Vec, points: Element, shape: Element) -> Element:
        return {"mass": mass, "inertia": [inertia], "com": com, "points": points, "shapes": [shape]}

    radius = 0.0012
    point_g: Vec = ["xa + zt*cos(delta)", "ya + zt*sin(delta)"]
    point_h: Vec = ["xa + zt*sin(epsilon)", "ya - zt*cos(epsilon)"]
    point_e: Vec = ["rr*cos(beta) - d*cos(beta + theta)", "rr*sin(beta) - d*sin(beta + theta)"]
    zero: Vec = [0.0, 0.0]
    # fmt: off
    bodies = [
        link("K1", BLUE, 3, zero, "beta", data(
            0.04325, 2.194e-6, [0.00092, 0.0], {"O": zero, "F": ["rr", 0.0]},
            rod(zero, ["rr", 0.0], 0.0018))),
        link("K2", ORANGE, 4, point_e, "beta + theta", data(
            0.00365, 4.410e-7, ["d - 0.0115", 0.0], {"E": zero, "F": ["d", 0.0]},
            rod(zero, ["d", 0.0], radius))),
        link("K3", GREEN, 2, ["xb", "yb"], "gamma", data(
            0.02373, 5.255e-6, [0.01043, -0.01874], {"B": zero, "E": [0.0, "-ss"], "D": ["sd", "-sc"]},
            outline([zero, [0.0, "-ss"], ["sd", "-sc"]], 0.0016))),
        link("K4", SKY, 1, point_g, "phi + delta - pi/2", data(
            0.00706, 5.667e-7, ["eg - 0.01421", 0.0], {"G": zero, "E": ["eg", 0.0]},
            rod(zero, ["eg", 0.0], radius))),
        link("K5", RED, 0, ["xa", "ya"], "delta", data(
            0.0705, 1.169e-5, [0.02308, 0.00916], {"A": zero, "G": ["zt", 0.0]},
            outline([zero, ["zt", 0.0], [0.02924, 0.02748]], 0.0016))),
        link("K6", PINK, 1, point_h, "Omega + epsilon", data(
            0.00706, 5.667e-7, ["zf - 0.01421", 0.0], {"H": zero, "E": ["zf", 0.0]},
            rod(zero, ["zf", 0.0], radius))),
        link("K7", YELLOW, 0, ["xa", "ya"], "epsilon - pi/2", data(
            0.05498, 1.912e-5, [0.01228, -0.00449], {"A": zero, "H": ["zt", 0.0]},
            outline([zero, ["zt", 0.0], [0.012, -0.0135]], 0.0016))),
    ]
    # fmt: on
    joints = [
        revolute("O", ("world", zero), ("K1", "O")),
        revolute("F", ("K1", "F"), ("K2", "F")),
        revolute("E3", ("K2", "E"), ("K3", "E")),
        revolute("E4", ("K2", "E"), ("K4", "E")),
        revolute("E6", ("K2", "E"), ("K6", "E")),
        revolute("B", ("world", ["xb", "yb"]), ("K3", "B")),
        revolute("G", ("K4", "G"), ("K5", "G")),
        revolute("H", ("K6", "H"), ("K7", "H")),
        revolute("A5", ("world", ["xa", "ya"]), ("K5", "A")),
        revolute("A7", ("world", ["xa", "ya"]), ("K7", "A")),
    ]
    return scene(
        "Andrews' squeezer",
        "Seven links and a spring, driven by a constant torque at O: the small crank whirls at a "
        "thousand radians per second.",
        "Andrews' squeezing mechanism [Mazzia 2006], [IFToMM 2015, A03]: energy balance within 1e-5 J over "
        "0.05 s.",
        notes="Start angles of [Mazzia 2006], which close the loops to the last digit; B lies "
        "left of O (x = -0.03635).",
        space="planar",
        gravity=[0.0, 0.0],
        parameters=[
            parameter("torque", 0.033, "N*m", "driving torque on K1"),
            parameter("c0", 4530.0, "N/m", "spring stiffness"),
            length_parameter("l0", 0.07785, "free length of the spring"),
            length_parameter("xa", -0.06934, "pivot A"),
            length_parameter("ya", -0.00227, "pivot A"),
            length_parameter("xb", -0.03635, "pivot B"),
            length_parameter("yb", 0.03273, "pivot B"),
            length_parameter("xc", 0.014, "spring end C"),
            length_parameter("yc", 0.072, "spring end C"),
            length_parameter("rr", 0.007, "OF"),
            length_parameter("d", 0.028, "FE"),
            length_parameter("ss", 0.035, "BE"),
            length_parameter("sc", 0.018, "D along BE"),
            length_parameter("sd", 0.02, "D across BE"),
            length_parameter("eg", 0.02, "GE"),
            length_parameter("zf", 0.02, "HE"),
            length_parameter("zt", 0.04, "AG and AH"),
            parameter("beta", -0.0617138900142764496, "rad", "crank angle at the start"),
            parameter("theta", 0.0, "rad"),
            parameter("gamma", 0.455279819163070380, "rad"),
            parameter("phi", 0.222668390165885885, "rad"),
            parameter("delta", 0.487364979543842550, "rad"),
            parameter("Omega", -0.222668390165885885, "rad"),
            parameter("epsilon", 1.23054744454982119, "rad"),
        ],
        bodies=bodies,
        joints=joints,
        forces=[
            {
                "name": "spring",
                "kind": "spring",
                "color": GREY,
                "a": anchor("world", ["xc", "yc"]),
                "b": anchor("K3", "D"),
                "stiffness": "c0",
                "free_length": "l0",
            },
            {
                "name": "drive",
                "kind": "torque",
                "body": "K1",
                "frame": "world",
                "components": [0.0, 0.0, "torque"],
            },
        ],
        traces=[trace("path of E", "K2", "E", RED), trace("path of F", "K1", "F", DARK)],
        simulation=simulation(1e-5, 0.05, 0.01),
        view={"box": [[-0.07, -0.024, 0], [0.008, 0.037, 0.018]]},
    )
