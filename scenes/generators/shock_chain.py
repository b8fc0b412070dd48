"""A chain of masses and springs that carries a shock: a bar by discrete elements."""

from engine.model.scene import Scene
from engine.templates.look import BLUE, GREY, ORANGE, RED
from engine.templates.shapes import box
from scenes.generators.vocabulary import (
    anchor,
    body,
    joint,
    length_parameter,
    parameter,
    scene,
    simulation,
    trace,
)

PULSE = 0.04  # s: duration of the push


def shock_chain() -> Scene:
    return shock_chain_of(20)


def shock_chain_of(n: int) -> Scene:
    """`n` equal masses in a row on n - 1 springs; the first is led by half a sine of velocity."""
    if n < 2:
        raise ValueError(f"shock_chain_of: n = {n}; give at least two masses")
    spacing = f"length/{n}"
    side = 0.6 * 1.8 / n
    bodies = [
        body(
            f"m{i}",
            color=RED if i == n else ORANGE if i == 1 else BLUE,
            position=[f"{i - 1}*{spacing}" if i > 1 else 0.0, 0.0],
            mass=f"mass/{n}",
            com=[0.0, 0.0],
            inertia=[f"mass/{n}*{side * side:.6g}"],
            points={"P": [0.0, 0.0]},
            shapes=[box([side, 0.1, 0.1], [0.0, 0.0, 0.0])],
        )
        for i in range(1, n + 1)
    ]
    guides = [
        joint(
            "prismatic",
            f"guide{i}",
            anchor("world", [0.0, 0.0], [1.0, 0.0]),
            anchor(f"m{i}", [0.0, 0.0]),
        )
        for i in range(1, n + 1)
    ]
    springs = [
        {
            "name": f"spring{i}",
            "kind": "spring",
            "color": GREY,
            "a": anchor(f"m{i}", "P"),
            "b": anchor(f"m{i + 1}", "P"),
            "stiffness": f"{n - 1}*stiffness",
            "free_length": spacing,
        }
        for i in range(1, n)
    ]
    push = {
        "name": "push",
        "kind": "body_motion",
        "body": "m1",
        "point": "P",
        "coordinate": "x",
        "level": "position",
        "function": f"{PULSE}/pi*(1 - cos(pi*min(t, {PULSE})/{PULSE}))",
    }
    return scene(
        f"Shock along {n} masses",
        "A pulse of one metre per second runs along a row of masses and springs; at the free end its "
        "velocity doubles, and it comes back.",
        "A bar by discrete elements [UPV Newmark, §9.3].",
        notes="m = 0.04 kg, k = 10 N/m and 1.8 m in all, as in the source; the pulse needs 0.063 s along the "
        "bar. `python -m scenes.make --shock-chain N FILE` makes chains of any length.",
        space="planar",
        gravity=[0.0, 0.0],
        parameters=[
            parameter("mass", 0.04, "kg", "of the whole bar", (0.001, 1.0)),
            parameter("stiffness", 10.0, "N/m", "of the whole bar", (0.1, 1000.0)),
            length_parameter("length", 1.8, "of the whole bar", (0.5, 5.0)),
        ],
        bodies=bodies,
        joints=guides,
        forces=springs,
        motions=[push],
        traces=[trace("path of the free end", f"m{n}", "P", RED)],
        simulation=simulation(2e-4, 0.25, 0.04),
    )
