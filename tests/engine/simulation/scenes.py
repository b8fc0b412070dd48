"""Small scenes for the tests of runs, and the shipped ones by name."""

from engine import Scene, load_scene
from tests.paths import SCENES

G = 9.81


def shipped(name: str) -> Scene:
    return load_scene(SCENES / f"{name}.json")


def ball(**fields: object) -> Scene:
    """One free body in space, 2 kg, without gravity unless told."""
    return Scene(gravity=fields.pop("gravity", (0.0, 0.0, 0.0))).with_body(
        "ball", **{"mass": 2.0, "inertia": [0.3, 0.4, 0.5], **fields}
    )


def rod_pendulum(**fields: object) -> Scene:
    """A slender rod, 1.2 m and 3 kg, hinged at its end (its origin) and released from the horizontal."""
    return (
        Scene(space="planar")
        .with_body("rod", mass=3.0, com=[0.6, 0.0], inertia=[3.0 * 1.2**2 / 12.0], **fields)
        .with_joint("revolute", "hinge", a={"body": "world"}, b={"body": "rod", "point": [0.0, 0.0]})
    )


def damped_arm() -> Scene:
    """A spatial double pendulum with a damped spring, a rotational damper and a bushing."""
    return (
        Scene()
        .with_body(
            "upper arm", position=[0.0, 0.0, 0.0], com=[0.5, 0.1, 0.0], mass=2.0, inertia=[0.2, 0.3, 0.4]
        )
        .with_body(
            "lower",
            position=[1.0, 0.0, 0.0],
            com=[0.3, 0.0, -0.1],
            mass=1.0,
            inertia=[0.05, 0.1, 0.12],
            points=[{"name": "tip", "position": [0.7, 0.1, 0.2]}],
        )
        .with_joint(
            "revolute",
            "J1",
            a={"body": "world", "axis": [0.0, 1.0, 0.2]},
            b={"body": "upper arm", "point": [0.0, 0.0, 0.0]},
        )
        .with_joint("spherical", "J2", a={"body": "upper arm", "point": [1.0, 0.0, 0.0]}, b={"body": "lower"})
        .with_force(
            "spring",
            "coil",
            a={"body": "world", "point": [0.5, 0.5, 1.0]},
            b={"body": "lower", "point": "tip"},
            stiffness=30.0,
            damping=1.5,
            free_length=0.8,
            preload=2.0,
        )
        .with_force("rotational_spring", "drag", joint="J1", damping=0.7, stiffness=3.0, free_angle=0.2)
        .with_force(
            "bushing",
            "mount",
            a={"body": "world", "point": [1.0, 0.0, 0.0]},
            b={"body": "lower", "point": [0.0, 0.0, 0.0]},
            stiffness=[5.0, 6.0, 7.0],
            damping=[0.5, 0.4, 0.3],
            rotational_stiffness=[0.5, 0.4, 0.3],
            rotational_damping=[0.05, 0.04, 0.03],
        )
        .with_simulation(method="dopri5", options={"rtol": 1e-10, "atol": 1e-12}, dt=0.005, duration=1.0)
    )


def driven_crank() -> Scene:
    """A planar slider-crank: the crank follows a function of time, a motor and a load act on the slider."""
    return (
        Scene(space="planar")
        .with_body("crank", mass=1.0, com=[0.1, 0.02], inertia=[0.01])
        .with_body("link", position=[0.2, 0.0], mass=0.7, com=[0.25, 0.0], inertia=[0.02])
        .with_body("slider", position=[0.7, 0.0], mass=0.5, com=[0.0, 0.0], inertia=[0.01])
        .with_joint("revolute", "A", a={"body": "world"}, b={"body": "crank", "point": [0.0, 0.0]})
        .with_joint(
            "revolute", "B", a={"body": "crank", "point": [0.2, 0.0]}, b={"body": "link", "point": [0.0, 0.0]}
        )
        .with_joint(
            "revolute",
            "C",
            a={"body": "link", "point": [0.5, 0.0]},
            b={"body": "slider", "point": [0.0, 0.0]},
        )
        .with_joint("prismatic", "D", a={"body": "world"}, b={"body": "slider"})
        .with_motion("joint_motion", "turn", joint="A", function="3*t + 0.2*sin(4*t)")
        .with_force(
            "motor", "motor", joint="D", coordinate="displacement", effort="2*cos(t) - 0.5*v", limit=50.0
        )
        .with_force(
            "force", "load", body="link", point=[0.3, 0.1], frame="body", components=["3*sin(2*t)", -1.0]
        )
        .with_simulation(method="dopri5", options={"rtol": 1e-10, "atol": 1e-12}, dt=0.005, duration=1.0)
    )
