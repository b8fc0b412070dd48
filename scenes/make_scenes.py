"""Write the example scenes of this folder.

    python scenes/make_scenes.py                              all scenes, beside this file
    python scenes/make_scenes.py --check                      compare the files with what would be written
    python scenes/make_scenes.py --n-four-bar 40 out.json     a row of 40 four-bars [--space planar]

One function per scene; each returns the plain dictionary of the file (see docs/scene-format.md). Poses and
velocities are given in closed form, as expressions of the scene's parameters where a user would change them,
so every joint is closed to rounding error. `check_consistency` evaluates both sides of every joint in the
world, in position and in velocity, before anything is written.
"""

from __future__ import annotations

import argparse
import ast
import json
import math
import operator
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

Scene = dict[str, Any]
Element = dict[str, Any]
Number = float | str
Vec = list[Any]  # of Numbers: three, or two in planar scenes

HERE = Path(__file__).parent
LINE = 110  # characters; what fits in one line is written in one line
CLOSURE_TOLERANCE = 1e-14  # m, m/s: joints of the shipped scenes are closed to rounding error
SPEED_TOLERANCE = 1e-12  # the fast ones (top, bicycle) carry speeds of hundreds

# Okabe and Ito's palette: told apart with every kind of colour vision
BLUE, ORANGE, GREEN, RED = "#0072B2", "#E69F00", "#009E73", "#D55E00"
SKY, PINK, YELLOW, GREY, DARK = "#56B4E9", "#CC79A7", "#F0E442", "#9AA0A6", "#3C4043"


# --- vocabulary --------------------------------------------------------------------------------------------


def scene(
    title: str,
    description: str,
    source: str,
    *,
    space: str,
    gravity: Vec,
    bodies: list[Element],
    joints: list[Element],
    simulation: Element,
    parameters: list[Element] | None = None,
    forces: list[Element] | None = None,
    motions: list[Element] | None = None,
    traces: list[Element] | None = None,
    measures: list[Element] | None = None,
    notes: str = "",
    up: str = "",
) -> Scene:
    """The whole file, fields in the documented order; what is empty is left out."""
    whole = {
        "format": "trammel-scene",
        "version": 1,
        "title": title,
        "description": description,
        "source": source,
        "notes": notes,
        "space": space,
        "gravity": gravity,
        "up": up,
        "parameters": parameters,
        "bodies": bodies,
        "joints": joints,
        "forces": forces,
        "motions": motions,
        "traces": traces,
        "measures": measures,
        "simulation": simulation,
    }
    return {field: value for field, value in whole.items() if value not in (None, "", [])}


def simulation(dt: float, duration: float, speed: float = 1.0, sample_every: int = 1) -> Element:
    settings = {"method": "lagrange/rk4/projection", "dt": dt, "duration": duration, "speed": speed}
    return settings if sample_every == 1 else settings | {"sample_every": sample_every}


def parameter(
    name: str, value: Number, unit: str = "", note: str = "", span: tuple[float, float] | None = None
) -> Element:
    entry: Element = {"name": name, "value": value, "unit": unit}
    if span:
        entry |= {"min": span[0], "max": span[1]}
    return (entry | {"note": note}) if note else entry


def body(
    name: str, *, color: str, layer: int = 0, points: dict[str, Vec] | None = None, **fields: Any
) -> Element:
    """A body, fields in the documented order; `points` maps names to positions in the body frame."""
    order = (
        "position",
        "angle",
        "orientation",
        "velocity",
        "angular_velocity",
        "mass",
        "com",
        "inertia",
        "fixed",
        "shapes",
    )
    entry: Element = {"name": name, "color": color}
    if layer:
        entry["layer"] = layer
    entry |= {field: fields[field] for field in order[:-1] if field in fields}
    if points:
        entry["points"] = [{"name": point, "position": position} for point, position in points.items()]
    return entry | {field: fields[field] for field in order[-1:] if field in fields}


def about(axis: Vec, angle: Number) -> Element:
    """Orientation: a turn about one axis."""
    return {"axis": axis, "angle": angle}


def shape(kind: str, color: str, opacity: float, place: Element, **size: Any) -> Element:
    """A shape, fields in the documented order; an empty colour is the body's."""
    paint = {"color": color} if color else {}
    return {"kind": kind} | place | paint | ({"opacity": opacity} if opacity < 1.0 else {}) | size


def rod(start: Vec, end: Vec, radius: Number, color: str = "") -> Element:
    return shape("rod", color, 1.0, {}, start=start, end=end, radius=radius)


def box(size: Vec, position: Vec, color: str = "") -> Element:
    return shape("box", color, 1.0, {"position": position}, size=size)


def sphere(radius: Number, position: Vec, color: str = "") -> Element:
    return shape("sphere", color, 1.0, {"position": position}, radius=radius)


def outline(points: list[Vec], thickness: Number, opacity: float = 1.0) -> Element:
    return shape("outline", "", opacity, {}, points=points, thickness=thickness)


def disc(
    radius: Number,
    thickness: Number,
    *,
    position: Vec | None = None,
    orientation: Element | None = None,
    color: str = "",
    opacity: float = 1.0,
) -> Element:
    """A cylinder along z unless turned."""
    place = ({"position": position} if position else {}) | (
        {"orientation": orientation} if orientation else {}
    )
    return shape("cylinder", color, opacity, place, radius=radius, length=thickness)


def bar(
    name: str,
    ends: tuple[str, str],
    *,
    space: str,
    start: Vec,
    angle: Number,
    length: Number,
    mass: Number,
    radius: float,
    color: str,
    layer: int = 0,
    velocity: Vec | None = None,
    rate: Number = 0.0,
) -> Element:
    """A uniform slender bar that moves in the x-y plane: frame at its first end, x along the bar.

    In a spatial scene it also has the inertia of its thickness about its own axis, which plays no part.
    """
    planar = space == "planar"
    pad: Vec = [] if planar else [0.0]
    transverse = f"{mass}*{length}*{length}/12"
    motion: Element = {}
    if velocity is not None or rate != 0.0:
        motion = {"velocity": (velocity or [0.0, 0.0]) + pad, "angular_velocity": [0.0, 0.0, rate]}
    pose = {"angle": angle} if planar else {"orientation": about([0, 0, 1], angle)}
    return body(
        name,
        color=color,
        layer=layer,
        position=[*start, *pad],
        **pose,
        **motion,
        mass=mass,
        com=[f"{length}/2", 0.0, *pad],
        inertia=[transverse] if planar else [f"{mass}*{radius}*{radius}/2", transverse, transverse],
        points={ends[0]: [0.0, 0.0, *pad], ends[1]: [length, 0.0, *pad]},
        shapes=[rod([0.0, 0.0, *pad], [length, 0.0, *pad], radius)],
    )


def anchor(name: str, point: Any, axis: Vec | None = None) -> Element:
    """One side of a joint; `point` is a position or the name of a point of the body."""
    side = {"body": name, "point": point}
    return side | {"axis": axis} if axis else side


def joint(kind: str, name: str, a: Element, b: Element, **fields: Any) -> Element:
    return {"name": name, "kind": kind, "a": a, "b": b, **fields}


def revolute(name: str, a: tuple[str, Any], b: tuple[str, Any], axis: Vec | None = None) -> Element:
    """A hinge between (body, point) and (body, point); its axis is z, or `axis` in the axes of body A."""
    return joint("revolute", name, anchor(*a, axis), anchor(*b))


def trace(name: str, of: str, point: Any, color: str, length: float = 0.0) -> Element:
    entry = {"name": name, "color": color, "body": of, "point": point}
    return entry | {"length": length} if length else entry


def length_parameter(name: str, value: Number, note: str, span: tuple[float, float] | None = None) -> Element:
    return parameter(name, value, "m", note, span)


# --- scenes in the plane -----------------------------------------------------------------------------------


def pendulum() -> Scene:
    bob = body(
        "bob",
        color=BLUE,
        position=["-L", 0.0],
        mass="m",
        com=[0.0, 0.0],
        inertia=[0.0],
        points={"O": ["L", 0.0], "P": [0.0, 0.0]},
        shapes=[rod(["L", 0.0], [0.0, 0.0], 0.012, GREY), sphere(0.06, [0.0, 0.0])],
    )
    return scene(
        "Simple pendulum",
        "A point mass on a massless rod is released at rest from the horizontal and swings for ten seconds.",
        "IFToMM library of benchmark problems, A01; energy must stay within 5e-5 J.",
        space="planar",
        gravity=[0.0, -9.81],
        parameters=[
            length_parameter("L", 1.0, "length of the rod", (0.1, 3.0)),
            parameter("m", 1.0, "kg", "the point mass", (0.01, 10.0)),
        ],
        bodies=[bob],
        joints=[revolute("O", ("world", [0.0, 0.0]), ("bob", "O"))],
        traces=[trace("path of the mass", "bob", "P", RED, 1.0)],
        simulation=simulation(1e-3, 10.0),
    )


def double_pendulum() -> Scene:
    upper = bar(
        "upper",
        ("A", "B"),
        space="planar",
        start=[0.0, 0.0],
        angle="theta1",
        length="L1",
        mass="m1",
        radius=0.035,
        color=BLUE,
    )
    lower = bar(
        "lower",
        ("B", "C"),
        space="planar",
        start=["L1*cos(theta1)", "L1*sin(theta1)"],
        angle="theta2",
        length="L2",
        mass="m2",
        radius=0.03,
        color=ORANGE,
        layer=1,
    )
    return scene(
        "Double pendulum",
        "Two uniform bars, released from rest, tumble chaotically: the smallest change of the start "
        "ends elsewhere.",
        "Textbook problem; reference by integration in two angles.",
        space="planar",
        gravity=[0.0, -9.81],
        parameters=[
            length_parameter("L1", 1.0, "upper bar", (0.1, 3.0)),
            length_parameter("L2", 0.8, "lower bar", (0.1, 3.0)),
            parameter("m1", 1.0, "kg", "upper bar", (0.01, 10.0)),
            parameter("m2", 0.8, "kg", "lower bar", (0.01, 10.0)),
            parameter("theta1", 0.0, "rad", "angle of the upper bar from the x axis at the start"),
            parameter("theta2", "pi/3", "rad", "angle of the lower bar from the x axis at the start"),
        ],
        bodies=[upper, lower],
        joints=[
            revolute("A", ("world", [0.0, 0.0]), ("upper", "A")),
            revolute("B", ("upper", "B"), ("lower", "B")),
        ],
        traces=[trace("path of C", "lower", "C", RED, 4.0)],
        simulation=simulation(1e-3, 10.0),
    )


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


DIAGONAL = "atan2(-L1*sin(phi1), L4 - L1*cos(phi1))"  # direction of BD in the four-bar


def parallelogram() -> Scene:
    made = n_four_bar(1, "planar")
    made["title"] = "Parallelogram four-bar"
    made["description"] = (
        "Three equal bars on a base of the same length turn over and over; twice per turn all bars "
        "lie in one line "
        "and the linkage could change its branch."
    )
    made["source"] = "N-four-bar of the IFToMM library (A02) with N = 1 and the start velocity to the left."
    made["parameters"][-1]["value"] = -1.0
    return made


def n_four_bar(n: int, space: str) -> Scene:
    """A row of `n` square four-bars: n + 1 upright cranks, n couplers; point B0 starts with v0 along x."""
    if n < 1:
        raise ValueError(f"n_four_bar: n = {n}; give at least one four-bar")
    pad: Vec = [] if space == "planar" else [0.0]
    cranks = [
        bar(
            f"crank{i}",
            (f"A{i}", f"B{i}"),
            space=space,
            start=[_times(i, "L"), 0.0],
            angle="pi/2",
            length="L",
            mass="m",
            radius=0.03,
            color=BLUE,
            rate="-v0/L",
        )
        for i in range(n + 1)
    ]
    couplers = [
        bar(
            f"coupler{i}",
            (f"B{i - 1}", f"B{i}"),
            space=space,
            start=[_times(i - 1, "L"), "L"],
            angle=0.0,
            length="L",
            mass="m",
            radius=0.03,
            color=ORANGE if i % 2 else GREEN,
            layer=1 + i % 2,
            velocity=["v0", 0.0],
        )
        for i in range(1, n + 1)
    ]
    # a pin that joins crank, left and right coupler is two hinges: Bi (left coupler) and Bi_right
    joints = [
        revolute(f"A{i}", ("world", [_times(i, "L"), 0.0, *pad]), (f"crank{i}", f"A{i}"))
        for i in range(n + 1)
    ]
    joints.append(revolute("B0", ("crank0", "B0"), ("coupler1", "B0")))
    for i in range(1, n + 1):
        joints.append(revolute(f"B{i}", (f"coupler{i}", f"B{i}"), (f"crank{i}", f"B{i}")))
        if i < n:
            joints.append(revolute(f"B{i}_right", (f"crank{i}", f"B{i}"), (f"coupler{i + 1}", f"B{i}")))
    return scene(
        f"Row of {n} four-bars",
        f"{n + 1} equal cranks joined by {n} couplers fall over from the upright; where all bars lie "
        "in one line the "
        f"degrees of freedom jump from 1 to {n + 1}.",
        "IFToMM library of benchmark problems, A02; energy must stay within 0.1 J over 10 s.",
        space=space,
        gravity=[0.0, -9.81, *pad],
        parameters=[
            length_parameter("L", 1.0, "every bar and the distance of the pivots", (0.2, 3.0)),
            parameter("m", 1.0, "kg", "every bar", (0.01, 10.0)),
            parameter("v0", 1.0, "m/s", "velocity of B0 along x at the start"),
        ],
        bodies=cranks + couplers,
        joints=joints,
        traces=[trace("path of B0", "crank0", "B0", RED, 1.0)],
        simulation=simulation(1e-3, 10.0),
    )


def _times(i: int, name: str) -> Number:
    return 0.0 if i == 0 else name if i == 1 else f"{i}*{name}"


def double_four_bar() -> Scene:
    made = n_four_bar(2, "spatial")
    made["title"] = "Double four-bar"
    return made


def slider_crank() -> Scene:
    crank = bar(
        "crank",
        ("P1", "P2"),
        space="planar",
        start=[0.0, 0.0],
        angle="theta",
        length="L",
        mass="m",
        radius=0.035,
        color=BLUE,
        layer=1,
        rate="omega",
    )
    conrod = bar(
        "rod",
        ("P2", "P3"),
        space="planar",
        start=["L*cos(theta)", "L*sin(theta)"],
        angle="-theta",
        length="L",
        mass="m",
        radius=0.035,
        color=ORANGE,
        layer=2,
        rate="-omega",
        velocity=["-L*omega*sin(theta)", "L*omega*cos(theta)"],
    )
    slider = body(
        "slider",
        color=GREEN,
        layer=0,
        position=["2*L*cos(theta)", 0.0],
        velocity=["-2*L*omega*sin(theta)", 0.0],
        mass=0.0,
        inertia=[0.0],
        points={"P3": [0.0, 0.0]},
        shapes=[box([0.24, 0.14, 0.08], [0.0, 0.0, 0.0])],
    )
    return scene(
        "Slider-crank",
        "Crank and rod of equal length with a massless slider: it passes through the pose where both "
        "bars stand upright "
        "on top of each other and a second motion opens.",
        "IFToMM library of benchmark problems, slider-crank with singular poses; energy within 1e-3 J.",
        notes="The bars are slender (m L^2/12); the slider carries no mass, as the benchmark says.",
        space="planar",
        gravity=[0.0, -9.81],
        parameters=[
            length_parameter("L", 1.0, "crank and rod", (0.2, 3.0)),
            parameter("m", 1.0, "kg", "crank and rod, each", (0.01, 10.0)),
            parameter("theta", "pi/4", "rad", "crank angle at the start"),
            parameter("v0", 4.0, "m/s", "speed of the slider towards the crank pivot at the start"),
            parameter("omega", "v0/(2*L*sin(theta))", "rad/s", "crank speed that belongs to v0"),
        ],
        bodies=[crank, conrod, slider],
        joints=[
            revolute("P1", ("world", [0.0, 0.0]), ("crank", "P1")),
            revolute("P2", ("crank", "P2"), ("rod", "P2")),
            revolute("P3", ("rod", "P3"), ("slider", "P3")),
            joint(
                "prismatic", "guide", anchor("world", [0.0, 0.0], [1.0, 0.0]), anchor("slider", [0.0, 0.0])
            ),
        ],
        traces=[trace("path of P2", "crank", "P2", PINK, 2.0)],
        simulation=simulation(1e-3, 10.0),
    )


def andrews() -> Scene:
    """Andrews' squeezer mechanism with the names of the IVP test set; links meet in O, F, E, D, G, H."""

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
        "Andrews' squeezer mechanism",
        "Seven links and a spring, driven by a constant torque at O: the small crank whirls at a "
        "thousand radians per second.",
        "IVP test set (Andrews' squeezing mechanism); IFToMM library, A03: energy balance within "
        "1e-5 J over 0.05 s.",
        notes="Start angles of the IVP test set, which close the loops to the last digit; B lies "
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
    )


def pantograph() -> Scene:
    """O is fixed, P is led along a figure, Q draws it k times larger: OQ = L (u + w) = k OP."""

    def pantograph_bar(
        name: str,
        ends: tuple[str, str],
        start: Vec,
        angle: str,
        length: str,
        color: str,
        layer: int,
        velocity: Vec,
        rate: str,
    ) -> Element:
        return bar(
            name,
            ends,
            space="planar",
            start=start,
            angle=angle,
            length=length,
            mass=f"rho*{length}",
            radius=0.011,
            color=color,
            layer=layer,
            velocity=velocity,
            rate=rate,
        )

    def along(reach: str) -> tuple[Vec, Vec]:
        """Point at a distance from O on the first bar, and its velocity."""
        return (
            [f"{reach}*cos(psi + eta)", f"{reach}*sin(psi + eta)"],
            [f"-{reach}*rate1*sin(psi + eta)", f"{reach}*rate1*cos(psi + eta)"],
        )

    at_e, v_e = along("L")
    at_c, v_c = along("L/k")
    at_p: Vec = ["xc + 1.35*R", "yc"]
    v_p: Vec = [0.0, "-0.4*R*w"]
    long_arm = pantograph_bar("OE", ("O", "E"), [0.0, 0.0], "psi + eta", "L", BLUE, 1, [0.0, 0.0], "rate1")
    pen_arm = pantograph_bar("EQ", ("E", "Q"), at_e, "psi - eta", "L", ORANGE, 2, v_e, "rate2")
    tracer_arm = pantograph_bar("CP", ("C", "P"), at_c, "psi - eta", "(L/k)", GREEN, 2, v_c, "rate2")
    short_arm = pantograph_bar("PF", ("P", "F"), at_p, "psi + eta", "(L - L/k)", SKY, 3, v_p, "rate1")
    long_arm["points"].append({"name": "C", "position": ["L/k", 0.0]})
    pen_arm["points"].append({"name": "F", "position": ["L/k", 0.0]})
    return scene(
        "Pantograph",
        "The tracer P is led along a five-pointed figure and the pen Q draws it larger, in the ratio k.",
        "The drawing instrument of Christoph Scheiner, 1603; own dimensions.",
        notes="The board lies flat, so gravity is off. Both coordinates of P are prescribed: no "
        "freedom is left.",
        space="planar",
        gravity=[0.0, 0.0],
        parameters=[
            length_parameter("L", 0.6, "the two long bars OE and EQ", (0.55, 1.0)),
            parameter("k", 2.0, "", "scale of the drawing", (1.3, 2.3)),
            parameter("rho", 0.5, "kg/m", "mass per length of the bars", (0.01, 5.0)),
            length_parameter("xc", 0.26, "centre of the figure"),
            length_parameter("yc", 0.2, "centre of the figure"),
            length_parameter("R", 0.08, "size of the figure", (0.0, 0.12)),
            parameter("w", "2*pi/5", "rad/s", "one figure in five seconds"),
            length_parameter("reach", "sqrt((xc + 1.35*R)*(xc + 1.35*R) + yc*yc)", "OP at the start"),
            parameter("psi", "atan2(yc, xc + 1.35*R)", "rad", "direction of OP at the start"),
            parameter("eta", "acos(k*reach/(2*L))", "rad", "half the angle at E, at the start"),
            parameter("psi_rate", "-0.4*R*w*cos(psi)/reach", "rad/s"),
            parameter("eta_rate", "0.4*R*w*sin(psi)*k/(2*L*sin(eta))", "rad/s"),
            parameter("rate1", "psi_rate + eta_rate", "rad/s", "OE and PF at the start"),
            parameter("rate2", "psi_rate - eta_rate", "rad/s", "EQ and CP at the start"),
        ],
        bodies=[long_arm, pen_arm, tracer_arm, short_arm],
        joints=[
            revolute("O", ("world", [0.0, 0.0]), ("OE", "O")),
            revolute("E", ("OE", "E"), ("EQ", "E")),
            revolute("C", ("OE", "C"), ("CP", "C")),
            revolute("P", ("CP", "P"), ("PF", "P")),
            revolute("F", ("PF", "F"), ("EQ", "F")),
        ],
        motions=[
            _lead("tracer x", "CP", "P", "x", "xc + R*(cos(w*t) + 0.35*cos(4*w*t))"),
            _lead("tracer y", "CP", "P", "y", "yc + R*(sin(w*t) - 0.35*sin(4*w*t))"),
        ],
        traces=[trace("figure", "CP", "P", DARK), trace("drawing", "EQ", "Q", RED)],
        simulation=simulation(1e-3, 5.0),
    )


def _lead(name: str, of: str, point: str, coordinate: str, function: str) -> Element:
    return {
        "name": name,
        "kind": "body_motion",
        "body": of,
        "point": point,
        "coordinate": coordinate,
        "level": "position",
        "function": function,
    }


# --- scenes in space ---------------------------------------------------------------------------------------


def spinning_top() -> Scene:
    top = body(
        "top",
        color=BLUE,
        position=[0.0, 0.0, 0.0],
        angular_velocity=[0.0, 0.0, "spin"],
        mass=1.7355017e-2,
        com=[0.0, 0.0, "h"],
        inertia=[3.256544e-6, 3.256544e-6, 1.99486e-6],
        points={"tip": [0.0, 0.0, 0.0], "G": [0.0, 0.0, "h"], "head": [0.0, 0.0, 0.06]},
        shapes=[
            rod([0.0, 0.0, 0.0], [0.0, 0.0, 0.06], 0.0012, GREY),
            disc(0.018, 0.008, position=[0.0, 0.0, "h"]),
            box([0.034, 0.003, 0.0085], [0.0, 0.0, "h"], ORANGE),
            sphere(0.0025, [0.0, 0.0, 0.06], RED),
        ],
    )
    return scene(
        "Spinning top",
        "A fast top stands upright on its tip until a soft sideways push at 0.6 s sets it into "
        "precession and nutation.",
        "Spinning-top problem of the literature on direct integration with quaternions (5000 rpm, "
        "Gaussian push).",
        notes="The inertia is about the centre of mass, which stands 39.93 mm above the tip.",
        space="spatial",
        gravity=[0.0, 0.0, -9.81],
        parameters=[
            parameter("spin", 523.6, "rad/s", "spin at the start (5000 rpm)", (0.0, 1000.0)),
            length_parameter("h", 0.03993, "centre of mass above the tip", (0.01, 0.06)),
            parameter("push", 0.01, "N", "largest value of the sideways force", (0.0, 0.05)),
        ],
        bodies=[top],
        joints=[joint("spherical", "tip", anchor("world", [0.0, 0.0, 0.0]), anchor("top", "tip"))],
        forces=[
            {
                "name": "push",
                "kind": "force",
                "color": RED,
                "body": "top",
                "point": "G",
                "frame": "world",
                "components": ["push*exp(-(t - 0.6)*(t - 0.6)/(2*0.1*0.1))", 0.0, 0.0],
            }
        ],
        traces=[trace("path of the head", "top", "head", RED, 1.0)],
        simulation=simulation(1e-4, 2.0, 0.2, 5),
    )


def spatial_slider_crank() -> Scene:
    # rod frame: x from B to C, y the arm of the cross, z completes; columns of R_WB
    x_axis, y_axis = np.array([2.0, -1.0, -2.0]) / 3.0, np.array([0.0, 2.0, -1.0]) / math.sqrt(5.0)
    orientation = quaternion(np.column_stack([x_axis, y_axis, np.cross(x_axis, y_axis)]))
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
        "IFToMM library of benchmark problems, spatial rigid slider-crank (after Haug, 1989).",
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
    )


def bricard() -> Scene:
    corners: list[Vec] = [
        [0, 0, 0],
        ["l", 0, 0],
        ["l", "-l", 0],
        ["l", "-l", "l"],
        [0, "-l", "l"],
        [0, 0, "l"],
    ]
    axes = [[0, 1, 0], [0, 0, 1], [1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 0, 0]]
    directions = [0, 1, 2, 0, 1]  # rod i lies along this coordinate axis ...
    signs = ["", "-", "", "-", ""]  # ... this way round; all bodies start with the axes of the world
    bodies = []
    for i, (along, sign) in enumerate(zip(directions, signs, strict=True)):
        inertia = ["m*(l*l + a*a)/12"] * 3
        inertia[along] = "m*a*a/6"
        end: Vec = [0.0, 0.0, 0.0]
        end[along] = f"{sign}l"
        middle, size = list(end), ["a", "a", "a"]
        middle[along], size[along] = f"{sign}l/2", "l"
        bodies.append(
            body(
                f"rod{i + 1}",
                color=[BLUE, ORANGE, GREEN, SKY, PINK][i],
                position=corners[i],
                mass="m",
                com=middle,
                inertia=inertia,
                points={f"P{i}": [0.0, 0.0, 0.0], f"P{i + 1}": end},
                shapes=[box(size, middle)],
            )
        )
    base = body(
        "base",
        color=GREY,
        position=[0.0, 0.0, 0.0],
        fixed=True,
        mass=0.0,
        shapes=[box(["a", "a", "l"], [0, 0, "l/2"])],
    )
    joints = [revolute("P0", ("world", corners[0]), ("rod1", "P0"), axes[0])]
    joints += [
        revolute(f"P{i}", (f"rod{i}", f"P{i}"), (f"rod{i + 1}", f"P{i}"), axes[i]) for i in range(1, 5)
    ]
    joints.append(revolute("P5", ("world", corners[5]), ("rod5", "P5"), axes[5]))
    return scene(
        "Bricard mechanism",
        "Six rods and six hinges that by counting should be rigid, and yet move with one degree of freedom.",
        "IFToMM library of benchmark problems, A04; energy must stay within 1e-3 J over 10 s.",
        notes="Starts at rest, as the open ports of the problem do.",
        space="spatial",
        gravity=[0.0, -9.81, 0.0],
        parameters=[
            length_parameter("l", 1.0, "length of every rod", (0.2, 3.0)),
            length_parameter("a", 0.1, "side of the square section", (0.01, 0.2)),
            parameter("m", 1.0, "kg", "every rod", (0.01, 10.0)),
        ],
        bodies=[*bodies, base],
        joints=joints,
        traces=[trace("path of P2", "rod2", "P2", RED, 4.0), trace("path of P3", "rod3", "P3", DARK, 4.0)],
        simulation=simulation(1e-3, 10.0),
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
        "IFToMM library of benchmark problems, A05; slider position against a reference within 1e-5.",
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
    )


def cardan_shaft() -> Scene:
    def shaft(
        name: str, color: str, start: Vec, length: str, marks: tuple[str, str], **fields: Any
    ) -> Element:
        """A round shaft along its own x; a flag shows the turning."""
        spin, transverse = f"rho*{length}*R*R/2", f"rho*{length}*({length}*{length}/12 + R*R/4)"
        return body(
            name,
            color=color,
            position=start,
            **fields,
            mass=f"rho*{length}",
            com=[f"{length}/2", 0.0, 0.0],
            inertia=[spin, transverse, transverse],
            points={marks[0]: [0.0, 0.0, 0.0], marks[1]: [length, 0.0, 0.0]},
            shapes=[
                rod([0.04, 0.0, 0.0], [f"{length} - 0.04", 0.0, 0.0], "R"),
                box([0.12, 0.01, 0.09], [f"{length}/2", 0.0, "R"], DARK),
            ],
        )

    def yoke(at: Number, root: Number, axis: int) -> list[Element]:
        """The fork at a shaft's end, its root further in, and the arm of the cross it carries."""
        tips: list[Vec] = [[at, 0.0, 0.0], [at, 0.0, 0.0]]
        tips[0][axis], tips[1][axis] = -0.05, 0.05
        return [*[rod([root, 0.0, 0.0], tip, 0.008) for tip in tips], rod(tips[0], tips[1], 0.006, GREY)]

    driver = shaft("input", BLUE, ["-L1", 0.0, 0.0], "L1", ("S", "P"))
    middle = shaft("middle", ORANGE, [0.0, 0.0, 0.0], "L2", ("P", "Q"), orientation=about([0, 1, 0], "bend"))
    output = shaft("output", GREEN, ["L2*cos(bend)", 0.0, "-L2*sin(bend)"], "L1", ("Q", "T"))
    driver["shapes"] += yoke("L1", "L1 - 0.06", 1)
    middle["shapes"] += yoke(0.0, 0.06, 2) + yoke("L2", "L2 - 0.06", 2)
    output["shapes"] += yoke(0.0, 0.06, 1)
    across, up_middle = [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]
    return scene(
        "Cardan shaft",
        "A motor turns a shaft with two universal joints and a bend: the middle shaft speeds up and "
        "slows down twice a "
        "turn, the output runs evenly again because the forks of the middle shaft are in line.",
        "Own data; theory of Hooke's joint: tan(output) = tan(input) cos(bend).",
        space="spatial",
        gravity=[0.0, 0.0, -9.81],
        parameters=[
            length_parameter("L1", 0.5, "input and output shaft", (0.3, 1.0)),
            length_parameter("L2", 0.6, "middle shaft", (0.3, 1.0)),
            length_parameter("R", 0.03, "radius of the shafts", (0.01, 0.05)),
            parameter("rho", 5.0, "kg/m", "mass per length of the shafts", (0.5, 30.0)),
            parameter("bend", "pi/6", "rad", "angle at each joint", (0.0, 1.2)),
            parameter("target", "2*pi", "rad/s", "speed the motor holds", (-30.0, 30.0)),
            parameter("load", 0.005, "N*m*s", "viscous load at the output", (0.0, 0.05)),
        ],
        bodies=[driver, middle, output],
        joints=[
            revolute("input bearing", ("world", ["-L1", 0.0, 0.0]), ("input", "S"), [1.0, 0.0, 0.0]),
            joint("universal", "P", anchor("input", "P", across), anchor("middle", "P", up_middle)),
            joint("universal", "Q", anchor("output", "Q", across), anchor("middle", "Q", up_middle)),
            joint(
                "cylindrical",
                "output bearing",
                anchor("world", ["L2*cos(bend) + L1", 0.0, "-L2*sin(bend)"], [1.0, 0.0, 0.0]),
                anchor("output", "T"),
            ),
        ],
        forces=[
            {
                "name": "motor",
                "kind": "motor",
                "joint": "input bearing",
                "coordinate": "angle",
                "speed": "target",
                "gain": 0.2,
                "limit": 0.1,
            },
            {"name": "load", "kind": "rotational_spring", "joint": "output bearing", "damping": "load"},
        ],
        measures=[
            {
                "name": "unevenness of the middle shaft",
                "kind": "expression",
                "expression": "body.middle.omega.x - body.input.omega.x",
                "unit": "rad/s",
            }
        ],
        simulation=simulation(1e-3, 10.0),
    )


def bicycle() -> Scene:
    """Carvallo-Whipple bicycle. The published data have z down, here z is up: y, z and Ixz change sign."""

    def wheel(
        name: str, color: str, x: Number, radius: str, mass: float, inertia: tuple[float, float]
    ) -> Element:
        across, spoke = about([1, 0, 0], "pi/2"), f"0.9*{radius}"
        return body(
            name,
            color=color,
            position=[x, 0.0, radius],
            velocity=["v0", f"-roll_rate*{radius}", 0.0],
            angular_velocity=["roll_rate", f"v0/{radius}", 0.0],
            mass=mass,
            com=[0.0, 0.0, 0.0],
            inertia=[inertia[0], inertia[1], inertia[0]],
            points={"hub": [0.0, 0.0, 0.0]},
            shapes=[
                disc(radius, 0.02, orientation=across, opacity=0.45),
                disc(0.03, 0.08, orientation=across, color=GREY),
                rod([f"-{spoke}", 0.0, 0.0], [spoke, 0.0, 0.0], 0.012, DARK),
                rod([0.0, 0.0, f"-{spoke}"], [0.0, 0.0, spoke], 0.012, DARK),
            ],
        )

    head_x = "w + trail - h_head*sin(tilt)/cos(tilt)"
    frame = body(
        "frame",
        color=BLUE,
        position=[0.0, 0.0, "r_rear"],
        velocity=["v0", "-roll_rate*r_rear", 0.0],
        angular_velocity=["roll_rate", 0.0, 0.0],
        mass=85.0,
        com=[0.3, 0.0, "0.9 - r_rear"],
        inertia=[9.2, 11.0, 2.8, 0.0, -2.4, 0.0],
        points={"hub": [0.0, 0.0, 0.0], "head": [head_x, 0.0, "h_head - r_rear"], "saddle": [0.2, 0.0, 0.65]},
        shapes=[
            rod([0.0, 0.0, 0.0], [0.4, 0.0, 0.0], 0.015),
            rod([0.0, 0.0, 0.0], [0.24, 0.0, 0.5], 0.012),
            rod([0.4, 0.0, 0.0], [0.2, 0.0, 0.65], 0.018),
            rod([0.4, 0.0, 0.0], [head_x, 0.0, "h_head - r_rear"], 0.02),
            rod([0.24, 0.0, 0.5], [head_x, 0.0, "h_head - r_rear"], 0.018),
            box([0.24, 0.1, 0.04], [0.18, 0.0, 0.67], DARK),
            rod([0.2, 0.0, 0.72], [0.42, 0.0, 1.15], 0.11, ORANGE),
            sphere(0.11, [0.48, 0.0, 1.35], ORANGE),
        ],
    )
    fork = body(
        "fork",
        color=GREEN,
        position=["w", 0.0, "r_front"],
        velocity=["v0", "-roll_rate*r_front", 0.0],
        angular_velocity=["roll_rate", 0.0, 0.0],
        mass=4.0,
        com=["0.9 - w", 0.0, "0.7 - r_front"],
        inertia=[0.05892, 0.06, 0.00708, 0.0, 0.00756, 0.0],
        points={"hub": [0.0, 0.0, 0.0], "head": [f"{head_x} - w", 0.0, "h_head - r_front"]},
        shapes=[
            rod([0.0, 0.05, 0.0], [f"{head_x} - w", 0.03, "h_head - r_front"], 0.014),
            rod([0.0, -0.05, 0.0], [f"{head_x} - w", -0.03, "h_head - r_front"], 0.014),
            rod([f"{head_x} - w", 0.0, "h_head - r_front"], [-0.27, 0.0, 0.68], 0.018),
            rod([-0.27, -0.28, 0.68], [-0.27, 0.28, 0.68], 0.014, DARK),
        ],
    )
    steer_axis: Vec = ["-sin(tilt)", 0.0, "cos(tilt)"]
    return scene(
        "Uncontrolled bicycle",
        "A bicycle with a rigid rider and free handlebars gets a sideways kick at 4.6 m/s, steers into the "
        "fall by itself and comes upright again.",
        "Meijaard, Papadopoulos, Ruina and Schwab (2007); IFToMM library, bicycle, manoeuvre 2: "
        "energy within 1e-3 percent.",
        notes="Both wheels roll without slip on the plane z = 0. Self-stable between 4.29238 and "
        "6.02426 m/s. The published "
        "data have z downwards; here z is up, so the products of inertia Ixz have the other sign.",
        space="spatial",
        gravity=[0.0, 0.0, -9.81],
        parameters=[
            parameter("v0", 4.6, "m/s", "speed at the start", (0.5, 12.0)),
            parameter("roll_rate", 0.5, "rad/s", "leaning speed at the start", (-1.0, 1.0)),
            length_parameter("w", 1.02, "wheel base"),
            length_parameter("trail", 0.08, "trail"),
            parameter("tilt", "pi/10", "rad", "steering axis from the vertical"),
            length_parameter("r_rear", 0.3, "rear wheel"),
            length_parameter("r_front", 0.35, "front wheel"),
            length_parameter("h_head", 0.9, "height of the steering joint"),
        ],
        bodies=[
            wheel("rear wheel", RED, 0.0, "r_rear", 2.0, (0.0603, 0.12)),
            frame,
            fork,
            wheel("front wheel", SKY, "w", "r_front", 3.0, (0.1405, 0.28)),
        ],
        joints=[
            revolute("rear hub", ("frame", "hub"), ("rear wheel", "hub"), [0.0, 1.0, 0.0]),
            revolute("head", ("frame", "head"), ("fork", "head"), steer_axis),
            revolute("front hub", ("fork", "hub"), ("front wheel", "hub"), [0.0, 1.0, 0.0]),
            _rolling("rear contact", "rear wheel", "r_rear"),
            _rolling("front contact", "front wheel", "r_front"),
        ],
        traces=[
            trace("path of the rear hub", "frame", "hub", RED),
            trace("path of the saddle", "frame", "saddle", DARK),
        ],
        simulation=simulation(1e-3, 20.0, 2.0, 2),
    )


def _rolling(name: str, wheel: str, radius: str) -> Element:
    ground = anchor("world", [0.0, 0.0, 0.0], [0.0, 0.0, 1.0])
    return joint("rolling", name, ground, anchor(wheel, "hub", [0.0, 1.0, 0.0]), radius=radius)


def stewart_platform() -> Scene:
    """Six legs between base and platform; each is a cylinder on a universal joint, a piston and a ball."""
    base_radius, top_radius, height, reach = 1.0, 0.6, 1.1, 0.85
    base_angles = np.radians([10.0, 110.0, 130.0, 230.0, 250.0, 350.0])
    top_angles = np.radians([50.0, 70.0, 170.0, 190.0, 290.0, 310.0])
    colors = [ORANGE, SKY, ORANGE, SKY, ORANGE, SKY]
    bodies: list[Element] = []
    joints: list[Element] = []
    motions: list[Element] = []
    top_points = {}
    for i, (at_base, at_top) in enumerate(zip(base_angles, top_angles, strict=True), start=1):
        p_foot = np.array([base_radius * math.cos(at_base), base_radius * math.sin(at_base), 0.0])
        p_head = np.array([top_radius * math.cos(at_top), top_radius * math.sin(at_top), height])
        length = float(np.linalg.norm(p_head - p_foot))
        # leg frame: z along the leg, x horizontal: the arm of the cross that is fixed to the base
        z_axis = (p_head - p_foot) / length
        x_axis = np.cross([0.0, 0.0, 1.0], z_axis)
        x_axis /= np.linalg.norm(x_axis)
        turned = quaternion(np.column_stack([x_axis, np.cross(z_axis, x_axis), z_axis]))
        top_points[f"head{i}"] = [*p_head[:2].tolist(), 0.0]
        foot, head, joined = p_foot.tolist(), p_head.tolist(), length
        bodies.append(
            body(
                f"cylinder{i}",
                color=GREY,
                position=foot,
                orientation=turned,
                mass="m_cylinder",
                com=[0.0, 0.0, reach / 2],
                inertia=[
                    f"m_cylinder*{reach}*{reach}/12",
                    f"m_cylinder*{reach}*{reach}/12",
                    "m_cylinder*0.001",
                ],
                points={"foot": [0.0, 0.0, 0.0]},
                shapes=[rod([0.0, 0.0, 0.03], [0.0, 0.0, reach], 0.045), sphere(0.05, [0.0, 0.0, 0.0], DARK)],
            )
        )
        bodies.append(
            body(
                f"piston{i}",
                color=colors[i - 1],
                position=head,
                orientation=turned,
                mass="m_piston",
                com=[0.0, 0.0, -reach / 2],
                inertia=[f"m_piston*{reach}*{reach}/12", f"m_piston*{reach}*{reach}/12", "m_piston*0.0003"],
                points={"head": [0.0, 0.0, 0.0]},
                shapes=[rod([0.0, 0.0, -reach], [0.0, 0.0, 0.0], 0.025), sphere(0.04, [0.0, 0.0, 0.0], DARK)],
            )
        )
        joints += [
            joint(
                "universal",
                f"U{i}",
                anchor("world", foot, x_axis.tolist()),
                anchor(f"cylinder{i}", "foot", [0, 1, 0]),
            ),
            joint(
                "prismatic",
                f"leg{i}",
                anchor(f"cylinder{i}", [0.0, 0.0, joined], [0, 0, 1]),
                anchor(f"piston{i}", "head"),
            ),
            joint("spherical", f"S{i}", anchor(f"piston{i}", "head"), anchor("platform", f"head{i}")),
        ]
        phase = f"{i // 2 % 3}*2*pi/3"
        motions.append(
            {
                "name": f"drive{i}",
                "kind": "joint_motion",
                "joint": f"leg{i}",
                "coordinate": "displacement",
                "level": "position",
                "function": f"(heave + tilt*sin(w*t + {phase}))*(1 - cos(w*t))/2",
            }
        )
    platform = body(
        "platform",
        color=BLUE,
        position=[0.0, 0.0, height],
        mass="m_top",
        com=[0.0, 0.0, 0.0],
        inertia=[f"m_top*{top_radius}*{top_radius}/4"] * 2 + [f"m_top*{top_radius}*{top_radius}/2"],
        points={"centre": [0.0, 0.0, 0.0], **top_points},
        shapes=[
            disc(top_radius, 0.04, position=[0.0, 0.0, 0.03], opacity=0.8),
            box([0.3, 0.04, 0.02], [0.15, 0.0, 0.06], YELLOW),
        ],
    )
    base = body(
        "base", color=DARK, fixed=True, mass=0.0, shapes=[disc(1.1, 0.04, position=[0.0, 0.0, -0.07])]
    )
    return scene(
        "Stewart platform",
        "Six driven legs heave and tilt the platform; the efforts of the motions are the forces the "
        "actuators must give.",
        "Gough (1956) and Stewart (1965); own dimensions.",
        notes="The motions prescribe the extension of each leg from its length at the start: six "
        "freedoms, six motions.",
        space="spatial",
        gravity=[0.0, 0.0, -9.81],
        parameters=[
            length_parameter("heave", 0.16, "common stroke of the legs", (0.0, 0.3)),
            length_parameter("tilt", 0.1, "stroke that differs between the legs", (0.0, 0.15)),
            parameter("w", "2*pi/5", "rad/s", "one cycle in five seconds", (0.1, 10.0)),
            parameter("m_top", 40.0, "kg", "platform and load", (1.0, 500.0)),
            parameter("m_cylinder", 3.0, "kg", "each", (0.1, 20.0)),
            parameter("m_piston", 1.5, "kg", "each", (0.1, 20.0)),
        ],
        bodies=[platform, *bodies, base],
        joints=joints,
        motions=motions,
        traces=[
            trace("path of the centre", "platform", "centre", RED),
            trace("path of head 1", "platform", "head1", DARK),
        ],
        simulation=simulation(1e-3, 10.0),
    )


SCENES: dict[str, Callable[[], Scene]] = {
    made.__name__: made
    for made in (
        pendulum,
        double_pendulum,
        spinning_top,
        four_bar,
        spatial_four_bar,
        parallelogram,
        slider_crank,
        spatial_slider_crank,
        double_four_bar,
        bricard,
        andrews,
        flyball_governor,
        cardan_shaft,
        bicycle,
        pantograph,
        stewart_platform,
    )
}


# --- rotations and expressions -----------------------------------------------------------------------------


def quaternion(R_WB: np.ndarray) -> list[float]:
    """Unit quaternion [w, x, y, z] of a rotation matrix, by its largest component."""
    w = 1.0 + np.trace(R_WB)
    x, y, z = 1.0 - np.trace(R_WB) + 2.0 * np.diag(R_WB)
    largest = int(np.argmax([w, x, y, z]))
    a, b, c = R_WB[2, 1] - R_WB[1, 2], R_WB[0, 2] - R_WB[2, 0], R_WB[1, 0] - R_WB[0, 1]
    d, e, f = R_WB[1, 0] + R_WB[0, 1], R_WB[0, 2] + R_WB[2, 0], R_WB[2, 1] + R_WB[1, 2]
    rows = [[w, a, b, c], [a, x, d, e], [b, d, y, f], [c, e, f, z]]
    found = np.array(rows[largest])
    return [float(component) for component in found / np.linalg.norm(found)]


def rotation(orientation: Any) -> np.ndarray:
    """R_WB of a resolved orientation, shape (3, 3)."""
    if isinstance(orientation, dict):
        axis = np.array(orientation["axis"]) / np.linalg.norm(orientation["axis"])
        half = orientation["angle"] / 2.0
        w, v = math.cos(half), math.sin(half) * axis
    else:
        unit = np.array(orientation) / np.linalg.norm(orientation)
        w, v = unit[0], unit[1:]
    cross = np.array([[0.0, -v[2], v[1]], [v[2], 0.0, -v[0]], [-v[1], v[0], 0.0]])
    return np.eye(3) + 2.0 * w * cross + 2.0 * cross @ cross


FUNCTIONS: dict[str, Any] = {
    name: getattr(np, target)
    for name, target in {
        "sin": "sin",
        "cos": "cos",
        "exp": "exp",
        "sqrt": "sqrt",
        "acos": "arccos",
        "atan2": "arctan2",
    }.items()
}
OPERATORS: dict[type, Any] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.USub: operator.neg,
}


def evaluate(text: str, names: dict[str, Any]) -> Any:
    """Value of an arithmetic expression; only what the scenes of this folder use."""

    def walk(node: ast.expr) -> Any:
        match node:
            case ast.Constant(value=value):
                return value
            case ast.Name(id=name):
                return names[name]
            case ast.UnaryOp(op=op, operand=operand):
                return OPERATORS[type(op)](walk(operand))
            case ast.BinOp(left=left, op=op, right=right):
                return OPERATORS[type(op)](walk(left), walk(right))
            case ast.Call(func=ast.Name(id=name), args=args):
                return FUNCTIONS[name](*[walk(arg) for arg in args])
        raise ValueError(f"expression {text!r}: {ast.dump(node)} is not arithmetic")

    return walk(ast.parse(text, mode="eval").body)


def parameter_values(made: Scene) -> dict[str, Any]:
    """Numbers of all parameters; one may use those above it."""
    names: dict[str, Any] = {"pi": math.pi}
    for entry in made.get("parameters", []):
        value = entry["value"]
        names[entry["name"]] = float(evaluate(value, names)) if isinstance(value, str) else value
    return names


# --- self-check --------------------------------------------------------------------------------------------


class Frame:
    """Pose and velocity of one body in the world, from the numbers of its entry."""

    def __init__(self, entry: Element | None, number: Callable[[Any], Any]) -> None:
        entry = entry or {}

        def vector(field: str) -> np.ndarray:
            values = [number(value) for value in entry.get(field, [0.0, 0.0, 0.0])]
            return np.array([*values, 0.0][:3], dtype=float)

        self.p_WB, self.v_WB, self.w_WB = vector("position"), vector("velocity"), vector("angular_velocity")
        self.points = {point["name"]: point["position"] for point in entry.get("points", [])}
        if "angle" in entry:
            self.R_WB = rotation({"axis": [0.0, 0.0, 1.0], "angle": number(entry["angle"])})
        elif isinstance(entry.get("orientation"), dict):
            turn = entry["orientation"]
            self.R_WB = rotation({"axis": [number(x) for x in turn["axis"]], "angle": number(turn["angle"])})
        else:
            self.R_WB = rotation(entry.get("orientation", [1.0, 0.0, 0.0, 0.0]))
        self._number = number

    def point(self, given: Any) -> tuple[np.ndarray, np.ndarray]:
        """Position and velocity in the world of a point given by name or coordinates."""
        values = [self._number(value) for value in (self.points[given] if isinstance(given, str) else given)]
        arm = self.R_WB @ np.array([*values, 0.0][:3], dtype=float)
        return self.p_WB + arm, self.v_WB + np.cross(self.w_WB, arm)

    def direction(self, given: list[Any]) -> np.ndarray:
        values = [self._number(value) for value in given]
        unit = self.R_WB @ np.array([*values, 0.0][:3], dtype=float)
        return unit / np.linalg.norm(unit)


def check_consistency(name: str, made: Scene) -> tuple[float, float]:
    """Largest gap [m] and speed [m/s] that joints and motions leave at the start; raises if too large."""
    names = parameter_values(made)

    def number(value: Any) -> Any:
        return evaluate(value, names) if isinstance(value, str) else value

    frames = {entry["name"]: Frame(entry, number) for entry in made["bodies"]}
    frames["world"] = Frame(None, number)
    gaps: dict[str, tuple[float, float]] = {}
    for entry in made["joints"]:
        gaps[f"joints.{entry['name']}"] = _joint_gap(entry, frames, number)
    for entry in made.get("motions", []):
        gaps[f"motions.{entry['name']}"] = _motion_gap(entry, made, frames, names)
    for path, (gap, speed) in gaps.items():
        if not (gap <= CLOSURE_TOLERANCE and speed <= SPEED_TOLERANCE):
            raise ValueError(
                f"scene {name}, {path}: open by {gap:.3g} m and {speed:.3g} m/s; correct its poses"
            )
    return max(gap for gap, _ in gaps.values()), max(speed for _, speed in gaps.values())


def _joint_gap(entry: Element, frames: dict[str, Frame], number: Callable[[Any], Any]) -> tuple[float, float]:
    a, b = entry["a"], entry["b"]
    A, B = frames[a["body"]], frames[b["body"]]
    (p_a, v_a), (p_b, v_b) = A.point(a["point"]), B.point(b["point"])
    axis_a = A.direction(a.get("axis", [0.0, 0.0, 1.0]))
    w_AB = B.w_WB - A.w_WB
    gap = p_b - p_a
    slip = v_b - v_a - np.cross(A.w_WB, gap)  # rate of the gap, as seen from A
    match entry["kind"]:
        case "spherical":
            return _size(gap), _size(slip)
        case "revolute":
            return _size(gap), max(_size(slip), _size(np.cross(axis_a, w_AB)))
        case "prismatic":
            return _size(np.cross(axis_a, gap)), max(_size(np.cross(axis_a, slip)), _size(w_AB))
        case "cylindrical":
            across = max(_size(np.cross(axis_a, slip)), _size(np.cross(axis_a, w_AB)))
            return _size(np.cross(axis_a, gap)), across
        case "universal":
            axis_b = B.direction(b["axis"])
            cross = np.cross(axis_a, axis_b)  # w_AB has no component along the normal of the cross
            return max(_size(gap), abs(axis_a @ axis_b)), max(_size(slip), abs(w_AB @ cross))
        case "rolling":
            axle, radius = B.direction(b["axis"]), number(entry["radius"])
            down = -(axis_a - (axis_a @ axle) * axle)
            down *= radius / np.linalg.norm(down)  # from the centre to the contact
            return abs((gap + down) @ axis_a), _size(v_b + np.cross(B.w_WB, down))
    raise ValueError(f"joint {entry['name']!r}: no check for kind {entry['kind']!r}; write one")


def _motion_gap(
    entry: Element, made: Scene, frames: dict[str, Frame], names: dict[str, Any]
) -> tuple[float, float]:
    step = 1e-30  # complex step: value and exact rate of the prescribed function
    wanted = complex(evaluate(entry["function"], names | {"t": complex(0.0, step)}))
    if entry["kind"] == "body_motion":
        p, v = frames[entry["body"]].point(entry["point"])
        i = "xyz".index(entry["coordinate"])
        return abs(p[i] - wanted.real), abs(v[i] - wanted.imag / step)
    driven = next(joint for joint in made["joints"] if joint["name"] == entry["joint"])
    a, b = driven["a"], driven["b"]
    A = frames[a["body"]]
    (p_a, v_a), (p_b, v_b) = A.point(a["point"]), frames[b["body"]].point(b["point"])
    axis = A.direction(a["axis"])
    slip = v_b - v_a - np.cross(A.w_WB, p_b - p_a)
    return abs(axis @ (p_b - p_a) - wanted.real), abs(axis @ slip - wanted.imag / step)


def _size(vector: np.ndarray) -> float:
    return float(np.max(np.abs(vector)))


# --- writing -----------------------------------------------------------------------------------------------


def to_text(made: Scene) -> str:
    """JSON laid out as the program saves it: what fits stays on one line, elements get their own lines."""
    return _layout(made, 0, 0) + "\n"


def _layout(value: Any, indent: int, lead: int) -> str:
    line = _one_line(value)
    elements = isinstance(value, list) and any(isinstance(item, dict) for item in value)
    fits = 0 < indent + lead <= LINE - len(line) and not elements
    if fits or not value or not isinstance(value, dict | list):
        return line
    inner = " " * (indent + 2)
    if isinstance(value, dict):
        heads = [f'"{key}": ' for key in value]
        opening, closing, items = "{", "}", list(value.values())
    else:
        heads = [""] * len(value)
        opening, closing, items = "[", "]", value
    lines = [
        inner + head + _layout(item, indent + 2, len(head)) for head, item in zip(heads, items, strict=True)
    ]
    return opening + "\n" + ",\n".join(lines) + "\n" + " " * indent + closing


def _one_line(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f'"{key}": {_one_line(item)}' for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(_one_line(item) for item in value) + "]"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return json.dumps(value, ensure_ascii=False)


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Write the example scenes.")
    parser.add_argument("--check", action="store_true", help="write nothing; fail if a file differs")
    parser.add_argument(
        "--n-four-bar", nargs=2, metavar=("N", "FILE"), help="write a row of N four-bars to FILE"
    )
    parser.add_argument("--space", choices=["planar", "spatial"], default="spatial", help="for --n-four-bar")
    options = parser.parse_args(arguments)
    if options.n_four_bar:
        count, target = options.n_four_bar
        made = n_four_bar(int(count), options.space)
        check_consistency(f"n_four_bar({count})", made)
        Path(target).write_text(to_text(made), encoding="utf-8")
        return 0
    stale = []
    for name, make in SCENES.items():
        made = make()
        gap, speed = check_consistency(name, made)
        file, text = HERE / f"{name}.json", to_text(made)
        if not options.check:
            file.write_text(text, encoding="utf-8")
        elif not file.exists() or file.read_text(encoding="utf-8") != text:
            stale.append(name)
        sys.stdout.write(f"{name:22s} closed to {gap:.1e} m, {speed:.1e} m/s\n")
    if stale:
        sys.stderr.write(f"stale: {', '.join(stale)}; run this script without --check\n")
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
