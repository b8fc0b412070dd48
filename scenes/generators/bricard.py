"""Bricard's mechanism, and the same chain left open."""

from msgspec.structs import replace

from engine.model.scene import Scene
from engine.templates.look import BLUE, DARK, GREEN, GREY, ORANGE, PINK, RED, SKY
from engine.templates.shapes import box
from scenes.generators.vocabulary import (
    Vec,
    body,
    length_parameter,
    parameter,
    revolute,
    scene,
    simulation,
    trace,
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
        "Bricard mechanism [IFToMM 2015, A04]; energy must stay within 1e-3 J over 10 s.",
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
        view={"box": [[-1.06, -1.77, -1.06], [1.06, 0.06, 1.06]]},
    )


def five_bar_pendulum() -> Scene:
    """Bricard's chain without its last hinge: the first axis is vertical, all others cross."""
    made = bricard()
    chain = replace(
        made,
        title="Five-bar pendulum",
        description="Five bars hang one from the other on hinges whose axes cross: an open chain that "
        "tumbles with five degrees of freedom.",
        source="J. A. Antón, pendulum of five bars [Antón 2015, §5.2].",
        notes="Unit lengths and masses as in the source; its axes, pose and sections were not at hand. These "
        "are the corners of a cube with a first axis upright, and slender square bars, released from rest.",
        bodies=made.bodies[:5],
        joints=made.joints[:5],
        traces=(),
        view={"box": [[-2.6, -3.93, -3.6], [2.9, 0.06, 2.17]]},
    )
    return chain.with_trace(**trace("path of the end", "rod5", "P5", RED, 2.0))
