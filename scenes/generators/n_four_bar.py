"""Rows of square four-bars: the parallelogram, the double four-bar and longer ones."""

from msgspec.structs import replace

from engine.model.scene import Scene
from engine.model.set_value import set_value
from engine.templates.look import BLUE, GREEN, GREY, ORANGE, RED
from scenes.generators.bars import bar
from scenes.generators.vocabulary import (
    Number,
    Vec,
    anchor,
    length_parameter,
    parameter,
    revolute,
    scene,
    simulation,
    trace,
)


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
        "N-four-bar [IFToMM 2015, A02]; energy must stay within 0.1 J over 10 s.",
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


def parallelogram() -> Scene:
    return replace(
        set_value(n_four_bar(1, "planar"), "parameters.v0", -1.0),
        title="Parallelogram four-bar",
        description="Three equal bars on a base of the same length turn over and over; twice per turn all "
        "bars lie in one line and the linkage could change its branch.",
        source="N-four-bar [IFToMM 2015, A02] with N = 1 and the start velocity to the left.",
    )


def double_four_bar() -> Scene:
    return replace(n_four_bar(2, "spatial"), title="Double four-bar")


def four_bar_torque() -> Scene:
    """The same in space from rest, driven by a constant torque."""
    made = (
        set_value(n_four_bar(1, "spatial"), "parameters.v0", 0.0)
        .with_parameter(**parameter("tau0", 5.0, "N*m", "torque on the input bar", (0.0, 50.0)))
        .with_force("torque", "motor", body="crank0", components=[0.0, 0.0, "-tau0"])
        .with_simulation(duration=5.0)
    )
    return replace(
        made,
        title="Four-bar with a torque",
        description="A constant torque turns three equal bars over and over, ever faster: in space three of "
        "its constraints are redundant, and twice per turn all bars lie in one line.",
        source="G. Urkullu, four-bar linkage with a constant torque [Urkullu 2019, §8.4]; own numbers.",
        notes="Torque and start stand in a drawing that was not at hand. Its work is tau0 times "
        "the turn of the input bar, and all of it is found in the energy.",
    )


def four_bar_spring_damper() -> Scene:
    """The parallelogram in space, held upright along its diagonal."""
    made = (
        n_four_bar(1, "spatial")
        .with_parameter(**parameter("k", 100.0, "N/m", "spring along the diagonal", (0.0, 1000.0)))
        .with_parameter(**parameter("c", 5.0, "N*s/m", "damper along the diagonal", (0.0, 100.0)))
        .with_force(
            "spring",
            "diagonal",
            color=GREY,
            a=anchor("world", [0.0, 0.0, 0.0]),
            b=anchor("crank1", "B1"),
            stiffness="k",
            damping="c",
            free_length="sqrt(2)*L",
        )
        .with_simulation(duration=5.0)
    )
    return replace(
        made,
        title="Four-bar with a damper",
        description="Three equal bars stand upright, held by a spring and a damper along the diagonal; a "
        "push sets them swinging about the upright pose, to which they come back.",
        source="G. Urkullu, four-bar with spring and damper [Urkullu 2019, §8.5].",
        notes="Stiffness, rest length and start velocity stand in a drawing that was not at hand; these "
        "values give the printed frequency of 4.18 rad/s. Set c to 0 for the undamped run.",
        view={"box": [[-0.14, -0.01, -0.03], [1.24, 1.03, 0.03]]},
    )


def _times(i: int, name: str) -> Number:
    return 0.0 if i == 0 else name if i == 1 else f"{i}*{name}"
