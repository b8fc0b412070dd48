"""The bicycle of Carvallo and Whipple, below, inside and above its range of self-stability."""

from msgspec.structs import replace

from engine.model.scene import Scene
from engine.model.set_value import set_value
from engine.templates.look import BLUE, DARK, GREEN, GREY, ORANGE, RED, SKY
from engine.templates.shapes import box, disc, rod, sphere
from scenes.generators.vocabulary import (
    Element,
    Number,
    Vec,
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
        "Benchmark bicycle [Meijaard 2007], [IFToMM 2015, bicycle, manoeuvre 2]: energy within 1e-3 percent.",
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
            trace("rear hub path", "frame", "hub", RED),
            trace("saddle", "frame", "saddle", DARK),
        ],
        simulation=simulation(1e-3, 20.0, 2.0, 2),
        view={"follow": "frame"},
    )


def bicycle_weave() -> Scene:
    return _manoeuvre(
        "Bicycle, too slow",
        4.0,
        "Below 4.29 m/s the free bicycle weaves: it steers to and fro with growing swings.",
        "manoeuvre 1",
    )


def bicycle_capsize() -> Scene:
    return _manoeuvre(
        "Bicycle, too fast",
        8.0,
        "Above 6.02 m/s the free bicycle no longer weaves, but leans over slowly into an ever tighter curve.",
        "manoeuvre 3",
    )


def _manoeuvre(title: str, speed: float, description: str, name: str) -> Scene:
    made = set_value(set_value(bicycle(), "parameters.v0", speed), "parameters.roll_rate", 0.05)
    return replace(
        made,
        title=title,
        description=description,
        source=f"Benchmark bicycle [Meijaard 2007], [IFToMM 2015, bicycle, {name}].",
    )


def _rolling(name: str, wheel: str, radius: str) -> Element:
    ground = anchor("world", [0.0, 0.0, 0.0], [0.0, 0.0, 1.0])
    return joint("rolling", name, ground, anchor(wheel, "hub", [0.0, 1.0, 0.0]), radius=radius)
