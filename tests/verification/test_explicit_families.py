"""The explicit families D2, D3, D4 on the pendulum: [UPV Newmark, tables 9.5, 9.6, 9.8 and 9.10].

θ″ = g/L cos θ from the horizontal, m = L = 1, 10 s: the largest error of the energy. The body turns about its
centre under a torque, so nothing depends on velocities, as in the source.
"""

import numpy as np
import pytest

from engine import Scene
from tests.verification.runs import G, finished

# family, α, step, max |ΔE| [J]
TABLE = [
    ("d2", 1.0, 1e-3, 2.00492e-5),
    ("d2", 1.0, 1e-4, 2.00492e-7),
    ("d2", 4 / 3, 1e-3, 1.27955e-5),
    ("d2", 4 / 3, 1e-4, 1.21061e-7),
    ("d2", 2.0, 1e-3, 3.85689e-6),
    ("d2", 2.0, 1e-4, 3.99453e-8),
    ("d3", 0.25, 1e-3, 8.67265e-7),
    ("d3", 0.25, 1e-4, 8.67649e-10),
    ("d3", 0.75, 1e-3, 4.33641e-7),
    ("d3", 0.75, 1e-4, 4.33944e-10),
    ("d3", 1.25, 1e-3, 5.54996e-11),
]


def swing() -> Scene:
    return (
        Scene(space="planar", gravity=(0.0, 0.0))
        .with_body("bob", mass=1.0, inertia=[1.0])
        .with_joint("revolute", "axle", a={"body": "world"}, b={"body": "bob", "point": [0.0, 0.0]})
        .with_force("rotational_spring", "weight", joint="axle", torque=f"{G}*cos(x)")
    )


@pytest.mark.parametrize(("family", "alpha", "dt", "error"), TABLE)
def test_energy_error_of_the_table(family: str, alpha: float, dt: float, error: float) -> None:
    run = finished(swing(), f"lagrange/{family}/none", dt, 10.0, alpha=alpha)
    angle, rate = run.channel("joint.axle.angle"), run.channel("body.bob.omega.z")
    energy = 0.5 * rate**2 - G * np.sin(angle)
    assert np.abs(energy).max() == pytest.approx(error, rel=0.01)
