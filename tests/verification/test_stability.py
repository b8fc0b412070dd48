"""Stability limits of schemes: by analysis of one step, and by runs of the compiled schemes.

Limits with the feedback α = β and β = √2 α: recomputed by the criterion of [Flores 2012, eqs. 205–212], which
the source applies to Euler's method only. Frequencies: closed forms, the first four as in
[UPV Newmark, §9.2].
"""

import numpy as np
import pytest

from engine import Scene
from engine.compiled.layout import Array, StepStatus
from engine.maths.amplification import first_loss
from engine.simulation.stepping.method_driver import Driver
from engine.solvers.catalogue import METHODS
from engine.solvers.integrators import SCHEMES
from engine.solvers.stability_map import gain_limit, stability_map
from engine.system.compiling.compile import compile_scene
from tests.verification.runs import finished

# scheme → largest αh for β = α, and for β = √2 α; growth per step at the Taylor rule
RECOMPUTED = {
    "euler": (2.000, 1.000, 1.000),
    "rk2": (2.000, 1.544, 0.000),
    "rk4": (2.785, 1.912, 0.373),
    "ab4": (0.300, 0.229, 3.333),
    "abm4": (1.285, 0.658, 1.741),
    "bdf4": (np.inf, np.inf, 0.786),
}
# family, parameters → largest ωh
FREQUENCIES = [
    ("d2", {}, 2.0),
    ("d2", {"alpha": 4 / 3}, np.sqrt(12 / 5)),
    ("d2", {"alpha": 2.0}, np.sqrt(4 / 3)),
    ("d3", {"alpha": 0.25}, np.sqrt(8 / 5)),
    ("d3", {}, np.sqrt(3.0)),
    ("d4", {}, np.sqrt(2.0)),
    ("velocity_verlet", {}, 2.0),
    ("semi_implicit_euler", {}, 2.0),
    ("rk4", {}, np.sqrt(8.0)),
]
MARGIN = 0.02  # of a limit: a run this far below decays, this far above grows


def gap() -> Scene:
    """A body on a slide that it is not quite on: Φ is linear in its coordinates, as in the analysis."""
    return (
        Scene(space="planar", gravity=(0.0, 0.0))
        .with_body("block", mass=2.0, inertia=[0.1])
        .with_joint("prismatic", "slide", a={"body": "world"}, b={"body": "block", "point": [0.0, 0.0]})
    )


def violations(scheme: str, alpha: float, beta: float, steps: int, h: float = 1e-3) -> np.ndarray:
    """Violation after every step of a run that begins with 1 µm and no rate of it."""
    mechanism = compile_scene(gap())
    method = METHODS[f"lagrange/{scheme}/baumgarte"]
    driver = Driver(mechanism, method, dt=h, options={"alpha": alpha, "beta": beta})
    off = np.array([0.0, 1e-6, 0.0])
    assert driver.start(0.0, mechanism.q + off, mechanism.v) is StepStatus.OK
    samples = np.zeros((steps + 2, driver.width))
    driver.advance(steps * h, samples)
    return samples[:steps, driver.layout.q][:, 1]


def growth_of_violation(scheme: str, alpha_h: float, beta_h: float, steps: int = 400) -> float:
    """Size of a violation at the end of a run over the size at its beginning."""
    tail = violations(scheme, alpha_h / 1e-3, beta_h / 1e-3, steps)[-20:]
    return float(np.abs(tail).max()) / 1e-6


@pytest.mark.parametrize("scheme", RECOMPUTED)
def test_limits_by_analysis(scheme: str) -> None:
    alone, taylor, growth = RECOMPUTED[scheme]
    assert gain_limit(scheme) == pytest.approx(alone, abs=6e-4)
    assert gain_limit(scheme, ratio=np.sqrt(2.0)) == pytest.approx(taylor, abs=6e-4)
    assert stability_map(scheme, np.array([1.0]), np.array([2.0])) == pytest.approx(growth, abs=6e-4)


@pytest.mark.parametrize("scheme", [name for name in RECOMPUTED if name != "bdf4"])
def test_limits_by_run(scheme: str) -> None:
    limit = RECOMPUTED[scheme][0]
    below, above = ((1.0 + sign * MARGIN) * limit for sign in (-1, 1))
    assert growth_of_violation(scheme, below, below) < 1.0
    assert growth_of_violation(scheme, above, above) > 1.0


@pytest.mark.parametrize("scheme", ["bdf2", "bdf4", "trapezoidal", "implicit_midpoint", "implicit_euler"])
def test_no_limit_by_run(scheme: str) -> None:
    assert gain_limit(scheme) == np.inf
    assert growth_of_violation(scheme, 30.0, 30.0) < 1.0


# α, β [1/s] → |z| and ∠z [degrees] of Euler's steps of 1 ms: [Flores 2012, table 1], recomputed by eq. 212
POLES = [
    (-5.0, -5.0, 1.005000, 0.000),
    (5.0, 5.0, 0.995000, 0.000),
    (20.0, 20.0, 0.980000, 0.000),
    (10.0, 14.0, 0.990048, 0.567),
    (1000.0, 1414.0, 0.999698, 90.000),
    (0.8, 2100.0, 2.325597, 64.554),
]


@pytest.mark.parametrize(("alpha", "beta", "modulus", "angle"), POLES)
def test_poles_of_euler_with_feedback(alpha: float, beta: float, modulus: float, angle: float) -> None:
    """By analysis, and from a run: two poles make x(k + 2) = p x(k + 1) + r x(k), z² = p z + r."""
    grid = stability_map("euler", np.array([alpha * 1e-3]), np.array([(beta * 1e-3) ** 2]))
    assert float(grid[0, 0]) == pytest.approx(modulus, abs=1e-6)
    if alpha < 0.0:
        return  # gains that let violations grow are refused
    x = violations("euler", alpha, beta, 12)
    (p, r), *_ = np.linalg.lstsq(np.stack([x[1:-1], x[:-2]], axis=1), x[2:], rcond=None)
    z = np.roots([1.0, -p, -r])[0]
    assert abs(z) == pytest.approx(modulus, abs=1e-5)
    assert abs(np.degrees(np.angle(z))) == pytest.approx(angle, abs=1e-2)


def test_euler_is_stable_in_a_triangle() -> None:
    # Jury's conditions of z² + (2ᾱ − 2) z + (β̄ − 2ᾱ + 1): 0 < β̄ < 2ᾱ, β̄ > 4ᾱ − 4
    a, b = np.linspace(0.013, 2.4, 61), np.linspace(0.017, 4.6, 67)
    columns, rows = np.meshgrid(a, b)
    inside = (rows < 2 * columns) & (rows > 4 * columns - 4)
    assert np.array_equal(stability_map("euler", a, b) < 1.0, inside)


def frequency_limit(scheme: str, options: dict[str, float] | None = None) -> float:
    """Largest ωh up to which an undamped oscillation does not grow; inf where there is none."""

    def growth(w: Array) -> Array:
        return stability_map(scheme, np.zeros(1), w * w, options=options)[:, 0]

    return first_loss(growth, furthest=8.0)


@pytest.mark.parametrize(("family", "numbers", "limit"), FREQUENCIES)
def test_frequencies_by_analysis(family: str, numbers: dict[str, float], limit: float) -> None:
    assert frequency_limit(family, numbers) == pytest.approx(limit, abs=1e-4)


def oscillator() -> Scene:
    """ω = 1: a wheel on a torsional spring, turned by 1 rad."""
    return (
        Scene(space="planar", gravity=(0.0, 0.0))
        .with_body("wheel", mass=1.0, inertia=[1.0])
        .with_joint("revolute", "axle", a={"body": "world"}, b={"body": "wheel", "point": [0.0, 0.0]})
        .with_force("rotational_spring", "twist", joint="axle", stiffness=1.0, free_angle=1.0)
    )


@pytest.mark.parametrize(("family", "numbers", "limit"), FREQUENCIES[:6])
def test_frequencies_by_run(family: str, numbers: dict[str, float], limit: float) -> None:
    """Below the limit the amplitude stays what it is, above it the oscillation grows out of all bounds."""
    sizes = []
    for share in (1.0 - MARGIN, 1.0 + MARGIN):
        run = finished(oscillator(), f"lagrange/{family}/none", share * limit, 300.0, **numbers)
        sizes.append(float(np.abs(run.channel("joint.axle.angle") - 1.0).max()))
    assert sizes[0] < 10.0  # a start that does not fit the scheme may be enlarged, once
    assert sizes[1] > 1e3


def test_which_schemes_bear_damping() -> None:
    """A little damping makes nothing grow, except in the families that carry a jerk."""
    for scheme in SCHEMES:
        if scheme.growth is not None:
            growth = float(stability_map(scheme.name, np.array([0.01]), np.array([0.01**2]))[0, 0])
            assert (growth < 1.0) == scheme.bears_damping, scheme.name


def real_and_imaginary(numerator: tuple[float, ...], denominator: tuple[float, ...], z: complex) -> float:
    return float(abs(np.polyval(numerator, z) / np.polyval(denominator, z)))


G = 1.0 - np.sqrt(0.5)
# scheme → numerator and denominator of its stability function, the highest power first: [Hairer 1996, §IV.3]
FUNCTIONS = {
    "rkf45": ((1 / 104, 1 / 24, 1 / 6, 1 / 2, 1.0, 1.0), (1.0,)),
    "bs32": ((1 / 6, 1 / 2, 1.0, 1.0), (1.0,)),
    "gauss2": ((1 / 12, 1 / 2, 1.0), (1 / 12, -1 / 2, 1.0)),
    "gauss3": ((1 / 120, 1 / 10, 1 / 2, 1.0), (-1 / 120, 1 / 10, -1 / 2, 1.0)),
    "sdirk2": ((1.0 - 2.0 * G, 1.0), (G * G, -2.0 * G, 1.0)),
}


@pytest.mark.parametrize("scheme", FUNCTIONS)
@pytest.mark.parametrize("size", [0.3, 1.1, 4.0])
def test_stability_functions_in_closed_form(scheme: str, size: float) -> None:
    """On the imaginary axis (no feedback of the rate) and on the real one (two equal roots)."""
    undamped = stability_map(scheme, np.array([0.0]), np.array([size**2]))
    assert undamped[0, 0] == pytest.approx(real_and_imaginary(*FUNCTIONS[scheme], 1j * size), rel=1e-12)
    decaying = stability_map(scheme, np.array([size]), np.array([size**2]))
    assert decaying[0, 0] == pytest.approx(real_and_imaginary(*FUNCTIONS[scheme], -size), rel=1e-6)


@pytest.mark.parametrize(("scheme", "limit"), [("ab2", 1.0), ("ab3", 6 / 11), ("ab4", 3 / 10)])
def test_limits_of_bashforth_in_closed_form(scheme: str, limit: float) -> None:
    assert gain_limit(scheme) == pytest.approx(limit, abs=1e-6)


@pytest.mark.parametrize("scheme", ["sdirk2", "sdirk3", "sdirk4", "rodas3"])
def test_infinitely_stiff_is_forgotten_in_one_step(scheme: str) -> None:
    assert gain_limit(scheme) == np.inf
    assert frequency_limit(scheme) == np.inf
    far = stability_map(scheme, np.array([1e7]), np.array([1e14]))
    assert far[0, 0] < 1e-5


@pytest.mark.parametrize("scheme", ["gauss2", "gauss3", "sdirk2", "sdirk3", "sdirk4"])
@pytest.mark.parametrize("h", [0.5, 5.0])
def test_compiled_steps_have_the_growth_of_the_analysis(scheme: str, h: float) -> None:
    """x″ = −x turns (x, v) by the stability function at ih, which shrinks it by the growth."""
    run = finished(oscillator(), f"lagrange/{scheme}/none", h, 3.0 * h)
    size = np.hypot(run.channel("joint.axle.angle") - 1.0, run.channel("joint.axle.speed"))
    growth = stability_map(scheme, np.array([0.0]), np.array([h * h]))[0, 0]
    assert size / size[0] == pytest.approx(growth ** np.arange(4), rel=1e-9)
