"""A hanging pendulum under a slow torque: the stability test of the null-space Newmark method."""

from engine.model.scene import Scene
from engine.templates.look import BLUE, RED
from engine.templates.shapes import rod, sphere
from scenes.generators.vocabulary import (
    body,
    length_parameter,
    parameter,
    revolute,
    scene,
    simulation,
    trace,
)


def stiff_pendulum() -> Scene:
    bob = body(
        "bob",
        color=BLUE,
        position=[0.0, "-L"],
        mass="m",
        com=[0.0, 0.0],
        inertia=[0.0],
        points={"O": [0.0, "L"], "P": [0.0, 0.0]},
        shapes=[rod([0.0, "L"], [0.0, 0.0], 0.005), sphere(0.014, [0.0, 0.0])],
    )
    return scene(
        "Pendulum, slow torque",
        "A hanging pendulum follows a torque thirty times slower than its own swing, so a stable method may "
        "take steps far longer than the swing. It turns by half a degree, so the picture shows its end only.",
        "Stability of Newmark's rules, first example [UPV Newmark, §6.2 and eqs. 6.10-6.14].",
        notes="Gravity is 9.8, as the printed frequency 3.1304951 rad/s shows. Step limits: central "
        "differences 0.6389 s, Fox-Goodwin 0.7825 s; the trapezoidal rule has none. Raise tau0 to 5 … 9 to "
        "see the multipliers of the plain index-3 scheme grow. The duration is not printed; it is two "
        "periods of the torque.",
        space="planar",
        gravity=[0.0, -9.8],
        parameters=[
            length_parameter("L", 1.0, "length of the rod", (0.1, 3.0)),
            parameter("m", 1.0, "kg", "the point mass", (0.01, 10.0)),
            parameter("tau0", 0.1, "N*m", "largest torque", (0.0, 9.0)),
            parameter("w", 0.1, "rad/s", "angular frequency of the torque", (0.01, 3.0)),
        ],
        bodies=[bob],
        joints=[revolute("O", ("world", [0.0, 0.0]), ("bob", "O"))],
        forces=[
            {
                "name": "drive",
                "kind": "torque",
                "body": "bob",
                "frame": "world",
                "components": [0.0, 0.0, "tau0*sin(w*t)"],
            }
        ],
        traces=[trace("path of the mass", "bob", "P", RED)],
        simulation=simulation(0.02, 125.6, 10.0),
        view={
            "box": [[-0.1, -1.06, -0.06], [0.1, 0.04, 0.06]],
            "camera": {
                "focus": [0.0, -0.99, 0.0],
                "position": [0.0, -0.99, 5.0],
                "up": [0.0, 1.0, 0.0],
                "scale": 0.03,  # half of the height [m]: the whole rod would hardly be seen to move
                "orthographic": True,
            },
            "plots": {
                "plots": [
                    {"kind": "time", "title": "", "log": False, "channels": ["body.bob.angle"]},
                    {"kind": "time", "title": "", "log": False, "channels": ["energy.kinetic"]},
                ]
            },
        },
    )
