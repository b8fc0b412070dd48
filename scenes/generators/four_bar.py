"""Four-bars of unequal bars: a crank-rocker, its spatial twin, a driven one, and one driven out of reach."""

from engine.model.scene import Scene
from engine.templates.look import BLUE, GREEN, ORANGE, PINK, RED
from engine.templates.shapes import outline
from scenes.generators.bars import bar
from scenes.generators.vocabulary import (
    Element,
    Number,
    Vec,
    length_parameter,
    parameter,
    revolute,
    scene,
    simulation,
    trace,
)

DIAGONAL = "atan2(-L1*sin(phi1), L4 - L1*cos(phi1))"  # direction of BD
CRANK_ROCKER = (0.1, 0.4, 0.3, 0.4)  # m: crank, coupler, rocker, ground
DOUBLE_ROCKER = (0.3, 0.25, 0.25, 0.4)


def four_bar() -> Scene:
    return _released("Four-bar linkage", "planar", "in the plane")


def spatial_four_bar() -> Scene:
    twin = "as a spatial mechanism with three redundant constraints"
    return _released("Spatial four-bar", "spatial", twin)


def _released(title: str, space: str, where: str) -> Scene:
    """Crank-rocker released from rest at phi1 = 90 degrees."""
    return scene(
        title,
        f"A crank-rocker {where}, released just behind the top of its potential, so the crank swings "
        "to and fro for ever.",
        "Own data, uniform bars of 1 kg/m; the potential peak lies 4.04 mJ above the start, so phase "
        "errors show at once.",
        space=space,
        gravity=[0.0, -9.81] if space == "planar" else [0.0, -9.81, 0.0],
        parameters=_dimensions(CRANK_ROCKER, "pi/2"),
        bodies=_bars(space),
        joints=_pins(space),
        traces=TRACES,
        simulation=simulation(1e-3, 10.0, 0.5),
        view={"box": [[-0.11, -0.11, -0.01], [0.42, 0.33, 0.03]]},
    )


def driven_four_bar() -> Scene:
    return scene(
        "Driven four-bar",
        "The crank turns once a second and leads coupler and rocker; all angles, speeds and accelerations "
        "have a closed form.",
        "Four-bar with a driver as in P. Flores and H. M. Lankarani [Flores 2012, eqs. 6-14], which gives no "
        "numbers; own dimensions.",
        notes="All degrees of freedom are driven, so that the motion does not depend on masses or forces: "
        "only the "
        "efforts and reactions do.",
        space="planar",
        gravity=[0.0, -9.81],
        parameters=[*_dimensions(CRANK_ROCKER, 0.0), *_speeds("2*pi")],
        bodies=_bars("planar", moving=True),
        joints=_pins("planar"),
        motions=[_drive()],
        traces=TRACES,
        simulation=simulation(1e-3, 2.0, 0.5),
        view={"box": [[-0.11, -0.11, -0.01], [0.42, 0.33, 0.03]]},
    )


def double_rocker() -> Scene:
    """Neither side turns fully: the driven one meets its dead point at 90 degrees, a 3-4-5 triangle."""
    return scene(
        "Double rocker out of reach",
        "The driven side of a double rocker is asked to pass 90 degrees, where coupler and follower are in "
        "line: no pose beyond it closes the loop, and the run ends with a message that says so.",
        "P. Flores and H. M. Lankarani, failures of Newton-Raphson [Flores 2012, fig. 44]; own dimensions.",
        notes="A failure case on purpose: the input cannot be reached after t = 1.5 s.",
        space="planar",
        gravity=[0.0, -9.81],
        parameters=[*_dimensions(DOUBLE_ROCKER, 0.0, (0.2, 0.6)), *_speeds("pi/3")],
        bodies=_bars("planar", moving=True),
        joints=_pins("planar"),
        motions=[_drive()],
        traces=TRACES,
        simulation=simulation(1e-3, 2.0, 0.5),
        view={"box": [[-0.02, -0.02, -0.01], [0.52, 0.36, 0.03]]},
    )


TRACES = [
    trace("coupler curve", "coupler", "P", RED, 3.0),
    trace("path of C", "rocker", "C", PINK, 3.0),
]


def _dimensions(
    lengths: tuple[float, ...], phi1: Number, span: tuple[float, float] | None = None
) -> list[Element]:
    """Lengths and the angles at the start: coupler and rocker follow from the crank by the cosine rule."""
    spans = [span or own for own in ((0.05, 0.12), (0.3, 0.6), (0.25, 0.6), (0.25, 0.6))]
    notes = ("crank AB", "coupler BC", "rocker DC", "ground AD")
    return [
        *[length_parameter(f"L{i + 1}", lengths[i], notes[i], spans[i]) for i in range(4)],
        parameter("rho", 1.0, "kg/m", "mass per length of the bars", (0.01, 10.0)),
        parameter("phi1", phi1, "rad", "crank angle at the start"),
        length_parameter("r", "sqrt(L1*L1 + L4*L4 - 2*L1*L4*cos(phi1))", "diagonal BD, from the above"),
        parameter("phi2", f"{DIAGONAL} + acos((L2*L2 + r*r - L3*L3)/(2*L2*r))", "rad", "upper branch"),
        parameter("phi3", f"pi + {DIAGONAL} - acos((L3*L3 + r*r - L2*L2)/(2*L3*r))", "rad", "upper branch"),
    ]


def _speeds(crank: str) -> list[Element]:
    """Speeds at the start, from the loop projected across rocker and coupler."""
    return [
        parameter("w1", crank, "rad/s", "crank"),
        parameter("w2", "L1*w1*sin(phi3 - phi1)/(L2*sin(phi2 - phi3))", "rad/s", "coupler at the start"),
        parameter("w3", "L1*w1*sin(phi2 - phi1)/(L3*sin(phi2 - phi3))", "rad/s", "rocker at the start"),
    ]


def _drive() -> Element:
    return {
        "name": "drive",
        "kind": "body_motion",
        "body": "crank",
        "point": "A",
        "coordinate": "angle",
        "level": "position",
        "function": "phi1 + w1*t",
    }


def _bars(space: str, *, moving: bool = False) -> list[Element]:
    """Crank, coupler with a point beside it, and rocker; moving ones with the speeds w1, w2, w3."""

    def link(
        name: str, ends: tuple[str, str], i: int, start: Vec, color: str, layer: int, velocity: Vec
    ) -> Element:
        return bar(
            name,
            ends,
            space=space,
            start=start,
            angle=f"phi{i}",
            length=f"L{i}",
            mass=f"rho*L{i}",
            radius=0.009,
            color=color,
            layer=layer,
            velocity=velocity if moving else None,
            rate=f"w{i}" if moving else 0.0,
        )

    at_b, v_b = ["L1*cos(phi1)", "L1*sin(phi1)"], ["-L1*w1*sin(phi1)", "L1*w1*cos(phi1)"]
    rest: Vec = [0.0, 0.0]
    crank = link("crank", ("A", "B"), 1, [0.0, 0.0], BLUE, 1, rest)
    coupler = link("coupler", ("B", "C"), 2, at_b, ORANGE, 2, v_b)
    rocker = link("rocker", ("D", "C"), 3, ["L4", 0.0], GREEN, 1, rest)
    pad: Vec = [] if space == "planar" else [0.0]
    coupler["points"].append({"name": "P", "position": ["L2/2", "0.35*L2", *pad]})
    triangle: list[Vec] = [[0.0, 0.0], ["L2", 0.0], ["L2/2", "0.35*L2"]]
    coupler["shapes"].append(outline(triangle, 0.006, 0.35))
    return [crank, coupler, rocker]


def _pins(space: str) -> list[Element]:
    pad: Vec = [] if space == "planar" else [0.0]
    return [
        revolute("A", ("world", [0.0, 0.0, *pad]), ("crank", "A")),
        revolute("B", ("crank", "B"), ("coupler", "B")),
        revolute("C", ("coupler", "C"), ("rocker", "C")),
        revolute("D", ("world", ["L4", 0.0, *pad]), ("rocker", "D")),
    ]
