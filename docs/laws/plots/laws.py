"""Draws the figures of docs/laws, each from a run: `python -m docs.laws.plots.laws [NAME …]`

Contact laws: push over depth of one impact. Friction: a mass that is pulled ever harder. Meshes: a gear pair.
Ways to integrate: a ball that bounces.
"""

import sys
from pathlib import Path

import numpy as np

from docs.methods.plots.svg import Curve, Panel, picture
from engine.elements.contact import CONTACT_LAWS
from engine.model.scene import Scene
from engine.results.trajectory import Trajectory
from engine.simulation.simulation import simulate

HERE = Path(__file__).parent
SPEED, RESTITUTION = 0.5, 0.6  # m/s; of the impact
LINEAR, POWER, DAMPING = 1.7e4, 4e5, 40.0  # N/mⁿ, N·s/m: all go about equally deep
KINETIC, STATIC = 2.0, 3.0  # N
POINTS = 160  # of a curve


def slider(**body: object) -> Scene:
    scene = Scene(space="planar", gravity=(0.0, 0.0)).with_body("mass", mass=1.0, inertia=[0.01], **body)
    world, end = {"body": "world", "point": [0, 0], "axis": [1, 0]}, {"body": "mass", "point": [0, 0]}
    return scene.with_joint("prismatic", "guide", a=world, b=end)


def plain(title: str, x: str, y: str, *curves: Curve) -> Panel:
    """A plot on linear axes."""
    return Panel(title, x, y, curves, log_x=False, log_y=False)


def thinned(*channels: np.ndarray) -> list[list[float]]:
    """As many points as a picture shows."""
    step = max(1, len(channels[0]) // POINTS)
    return [[float(f"{value:.5g}") for value in channel[::step]] for channel in channels]


def of(found: Trajectory, *names: str) -> tuple[np.ndarray, ...]:
    return tuple(found.channel(name) for name in names)


def contact(law: str) -> tuple[Panel, ...]:
    """One impact of a mass of 1 kg, by this law and, in grey, by Hertz alone."""

    def impact(name: str, grey: bool) -> Curve:
        linear = name == "kelvin_voigt"
        fields = {"stiffness": LINEAR if linear else POWER, "damping": DAMPING, "restitution": RESTITUTION}
        scene = slider(position=[0.0005, 0.0], velocity=[-SPEED, 0.0]).with_force(
            "stop",
            "wall",
            joint="guide",
            coordinate="displacement",
            lower=0.0,
            law=name,
            impact_speed=SPEED,
            **fields,
        )
        x, push = of(
            simulate(scene, method="rk4", dt=1e-4, duration=0.04),
            "joint.guide.displacement",
            "force.wall.effort",
        )
        inside = x < 1e-5
        depth, push = thinned(-1e3 * x[inside], push[inside])
        return Curve(CONTACT_LAWS[name].title, depth, push, grey=grey)

    curves = tuple(impact(name, name != law) for name in dict.fromkeys((law, "hertz")))
    return (plain("One impact at 0.5 m/s", "depth [mm]", "push [N]", *curves),)


def friction(model: str) -> tuple[Panel, ...]:
    """A mass of 1 kg, pulled with 3 N/s."""
    scene = slider().with_force("force", "pull", body="mass", components=["3*t", 0])
    scene = scene.with_force(
        "friction",
        "friction",
        joint="guide",
        coordinate="displacement",
        model=model,
        kinetic=KINETIC,
        static=STATIC,
        stribeck_speed=0.05,
        smoothing_speed=5e-3,
        bristle_stiffness=300.0,
        bristle_damping=20.0,
    )
    found = simulate(scene, method="rk4", dt=5e-4, duration=1.3)
    x, effort = of(found, "joint.guide.displacement", "force.friction.effort")
    t, moved, held = thinned(found.t, 1e3 * x, -effort)
    pull = Curve("pull", [0.0, 1.3], [0.0, 3.9], grey=True)
    return (
        Panel(
            "Effort", "time [s]", "effort [N]", (Curve("friction", t, held), pull), log_x=False, log_y=False
        ),
        plain("Way", "time [s]", "way [mm]", Curve(model, t, moved)),
    )


def mesh() -> tuple[Panel, ...]:
    """A gear pair that a torque drives for a second and a half, and a load drives back."""

    def gears(efficiency: float, grey: bool) -> Curve:
        scene = Scene(space="planar", gravity=(0.0, 0.0))
        for name, x in (("a", 0.0), ("b", 1.0)):
            scene = scene.with_body(name, position=[x, 0.0], mass=1.0, inertia=[0.05]).with_joint(
                "revolute", name.upper(), a={"body": "world", "point": [x, 0.0]}, b={"body": name}
            )
        scene = scene.with_joint("gear", "mesh", joint_a="A", joint_b="B", ratio=2.0)
        scene = scene.with_force("torque", "drive", body="a", components=[0, 0, "if(t < 1, 1, 0)"])
        scene = scene.with_force("torque", "load", body="b", components=[0, 0, 0.8])
        scene = scene.with_force("mesh_loss", "loss", joint="mesh", efficiency=efficiency)
        found = simulate(scene, method="lagrange/rk4/projection", dt=1e-2, duration=1.6)
        t, speed = thinned(found.t, np.abs(found.channel("body.b.omega.z")))
        return Curve(f"η = {efficiency:g}", t, speed, grey=grey)

    curves = (gears(0.7, grey=False), gears(1.0, grey=True))
    return (plain("Driven, then braked", "time [s]", "|speed of B| [rad/s]", *curves),)


def ball(law: str, method: str) -> tuple[Panel, ...]:
    """A ball that falls 0.2 m."""
    scene = Scene(space="planar", gravity=(-9.81, 0.0)).with_body(
        "mass", position=[0.2, 0.0], mass=1.0, inertia=[0.01]
    )
    world, end = {"body": "world", "point": [0, 0], "axis": [1, 0]}, {"body": "mass", "point": [0, 0]}
    scene = scene.with_joint("prismatic", "guide", a=world, b=end).with_force(
        "stop",
        "floor",
        joint="guide",
        coordinate="displacement",
        lower=0.0,
        law=law,
        restitution=0.6,
        stiffness=1e5,
        impact_speed=1.5,
    )
    found = simulate(scene, method=method, dt=2e-3 if law == "rigid" else 2e-4, duration=1.0)
    t, height, loss = thinned(
        found.t,
        found.channel("joint.guide.displacement"),
        found.channel("energy.loss.impact" if law == "rigid" else "energy.loss.contact"),
    )
    return (
        plain("Height", "time [s]", "height [m]", Curve("ball", t, height)),
        Panel(
            "Energy that is lost", "time [s]", "loss [J]", (Curve("loss", t, loss),), log_x=False, log_y=False
        ),
    )


FIGURES = {
    **{law.name: (lambda name=law.name: contact(name)) for law in CONTACT_LAWS if law.pressure is not None},
    **{model: (lambda name=model: friction(name)) for model in ("held", "regularised", "lugre")},
    "mesh_loss": mesh,
    "rigid": lambda: ball("rigid", "rk4"),
    "event_driven": lambda: ball("rigid", "generalized_alpha"),
    "smooth": lambda: ball("hunt_crossley", "rk4"),
    "time_stepping": lambda: ball("rigid", "moreau_jean"),
}


if __name__ == "__main__":
    for name in sys.argv[1:] or FIGURES:
        (HERE / f"{name}.svg").write_text(picture(FIGURES[name]()), encoding="utf-8")
