"""A crank-rocker, in the plane and as a spatial twin."""

from scenes.generators.bars import bar
from scenes.generators.shapes import BLUE, GREEN, ORANGE, PINK, RED, outline
from scenes.generators.vocabulary import (
    Scene,
    Vec,
    length_parameter,
    parameter,
    revolute,
    scene,
    simulation,
    trace,
)

DIAGONAL = "atan2(-L1*sin(phi1), L4 - L1*cos(phi1))"  # direction of BD in the four-bar


def four_bar() -> Scene:
    return _four_bar("planar")


def spatial_four_bar() -> Scene:
    return _four_bar("spatial")


def _four_bar(space: str) -> Scene:
    """Crank-rocker released from rest at phi1 = 90 degrees; the other angles follow by the cosine rule."""
    planar = space == "planar"
    pad: Vec = [] if planar else [0.0]
    crank = bar(
        "crank",
        ("A", "B"),
        space=space,
        start=[0.0, 0.0],
        angle="phi1",
        length="L1",
        mass="rho*L1",
        radius=0.009,
        color=BLUE,
        layer=1,
    )
    coupler = bar(
        "coupler",
        ("B", "C"),
        space=space,
        start=["L1*cos(phi1)", "L1*sin(phi1)"],
        angle="phi2",
        length="L2",
        mass="rho*L2",
        radius=0.009,
        color=ORANGE,
        layer=2,
    )
    coupler["points"].append({"name": "P", "position": ["L2/2", "0.35*L2", *pad]})
    triangle: list[Vec] = [[0.0, 0.0], ["L2", 0.0], ["L2/2", "0.35*L2"]]
    coupler["shapes"].append(outline(triangle, 0.006, 0.35))
    rocker = bar(
        "rocker",
        ("D", "C"),
        space=space,
        start=["L4", 0.0],
        angle="phi3",
        length="L3",
        mass="rho*L3",
        radius=0.009,
        color=GREEN,
        layer=1,
    )
    twin = "in the plane" if planar else "as a spatial mechanism with three redundant constraints"
    return scene(
        "Four-bar linkage" if planar else "Spatial four-bar",
        f"A crank-rocker {twin}, released just behind the top of its potential, so the crank swings "
        "to and fro for ever.",
        "Own data, uniform bars of 1 kg/m; the potential peak lies 4.04 mJ above the start, so phase "
        "errors show at once.",
        space=space,
        gravity=[0.0, -9.81, *pad],
        parameters=[
            length_parameter("L1", 0.1, "crank AB", (0.05, 0.12)),
            length_parameter("L2", 0.4, "coupler BC", (0.3, 0.6)),
            length_parameter("L3", 0.3, "rocker DC", (0.25, 0.6)),
            length_parameter("L4", 0.4, "ground AD", (0.25, 0.6)),
            parameter("rho", 1.0, "kg/m", "mass per length of the bars", (0.01, 10.0)),
            parameter("phi1", "pi/2", "rad", "crank angle at the start"),
            length_parameter("r", "sqrt(L1*L1 + L4*L4 - 2*L1*L4*cos(phi1))", "diagonal BD, from the above"),
            parameter("phi2", f"{DIAGONAL} + acos((L2*L2 + r*r - L3*L3)/(2*L2*r))", "rad", "upper branch"),
            parameter(
                "phi3", f"pi + {DIAGONAL} - acos((L3*L3 + r*r - L2*L2)/(2*L3*r))", "rad", "upper branch"
            ),
        ],
        bodies=[crank, coupler, rocker],
        joints=[
            revolute("A", ("world", [0.0, 0.0, *pad]), ("crank", "A")),
            revolute("B", ("crank", "B"), ("coupler", "B")),
            revolute("C", ("coupler", "C"), ("rocker", "C")),
            revolute("D", ("world", ["L4", 0.0, *pad]), ("rocker", "D")),
        ],
        traces=[
            trace("coupler curve", "coupler", "P", RED, 3.0),
            trace("path of C", "rocker", "C", PINK, 3.0),
        ],
        simulation=simulation(1e-3, 10.0, 0.5),
    )
