"""Friction by bristles against an independent integration, and what it must and must not do."""

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from engine.errors import SceneError
from engine.model.scene import Scene
from engine.model.validate import validate
from engine.simulation.simulation import simulate

MASS, STIFFNESS, DAMPING, VISCOUS = 2.0, 2e4, 150.0, 0.4
KINETIC, STATIC, STRIBECK = 4.0, 6.0, 0.05


def scene(push: str, **fields: object) -> Scene:
    made = Scene(space="planar", gravity=(0.0, 0.0)).with_body("mass", mass=MASS, inertia=[0.01])
    along = {"point": [0, 0], "axis": [1, 0]}
    made = made.with_joint("prismatic", "guide", a={"body": "world", **along}, b={"body": "mass", **along})
    made = made.with_force("force", "push", body="mass", point=[0, 0], components=[push, 0])
    given = {
        "kinetic": KINETIC,
        "static": STATIC,
        "stribeck_speed": STRIBECK,
        "viscous": VISCOUS,
        "bristle_stiffness": STIFFNESS,
        "bristle_damping": DAMPING,
        **fields,
    }
    return made.with_force(
        "friction", "friction", joint="guide", coordinate="displacement", model="lugre", **given
    )


def bristles(push: float, omega: float, end: float) -> np.ndarray:
    """x, v and z at the end by a stiff integrator that knows nothing of the engine [Canudas de Wit 1995]."""

    def rate(t: float, state: np.ndarray) -> list[float]:
        _, v, z = state
        level = KINETIC + (STATIC - KINETIC) * math.exp(-((v / STRIBECK) ** 2))
        bending = v - STIFFNESS * abs(v) / level * z
        effort = STIFFNESS * z + DAMPING * bending + VISCOUS * v
        return [v, (push * math.sin(omega * t) - effort) / MASS, bending]

    return solve_ivp(rate, (0.0, end), [0.0, 0.0, 0.0], method="Radau", rtol=1e-11, atol=1e-13).y[:, -1]


@pytest.mark.parametrize("method", ["rk4", "canonical/rk4/none", "lagrange/gauss2/projection"])
def test_stick_and_slip_agree_with_an_independent_integration(method: str) -> None:
    x, v, _ = bristles(9.0, 6.0, 1.5)
    found = simulate(scene("9*sin(6*t)"), method=method, dt=5e-4, duration=1.5)
    assert found.channel("joint.guide.displacement")[-1] == pytest.approx(x, abs=1e-6)
    assert found.channel("body.mass.vel.x")[-1] == pytest.approx(v, abs=1e-6)
    assert np.abs(found.channel("energy.error")).max() < 1e-6
    assert found.channel("energy.loss.friction.friction")[-1] > 0.5


def test_a_small_push_bends_the_bristles_and_leaves_little() -> None:
    """Slowly: dz/dx = 1 ∓ σ0 z/F_s, so that P moves by −(F_s/σ0) ln(1 − P/F_s) and comes back by less."""
    found = simulate(scene("if(t < 0.5, 3*min(t/0.2, 1), 0)", bristle_damping=400.0), dt=5e-4, duration=1.5)
    place = found.channel("joint.guide.displacement")
    there = -STATIC / STIFFNESS * math.log(1.0 - 3.0 / STATIC)
    back = STATIC / STIFFNESS * math.log(1.0 + 3.0 / STATIC)
    assert np.interp(0.5, found.t, place) == pytest.approx(there, rel=0.01)
    assert place[-1] == pytest.approx(there - back, rel=0.02)


def test_methods_without_a_place_for_the_bend_refuse() -> None:
    with pytest.raises(SceneError, match="friction by bristles has a state of its own"):
        simulate(scene("1"), method="generalized_alpha", dt=1e-3, duration=0.1)


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"bristle_stiffness": None}, "needs the stiffness of its bristles"),
        ({"kinetic": 0.0, "static": None}, "needs dry friction above 0"),
        ({"stribeck_speed": 0.0}, "lugre friction cannot fall"),
    ],
)
def test_numbers_that_make_no_sense_are_refused(fields: dict[str, object], words: str) -> None:
    (problem,) = validate(scene("1", **fields))
    assert words in problem.message
    assert problem.remedy
