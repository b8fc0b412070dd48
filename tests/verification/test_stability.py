"""Stability limits of schemes: by analysis of one step, and by runs of the compiled schemes.

Limits with the feedback α = β and β = √2 α: recomputed by the criterion of [Flores 2012, eqs. 205–212], which
the source applies to Euler's method only. Frequencies: closed forms, the first four as in
[UPV Newmark, §9.2].
"""

import math

import numpy as np
import pytest
from numpy.polynomial import polynomial

from engine import Scene
from engine.compiled.layout import Array, StepStatus
from engine.maths.amplification import Complex, first_loss
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


def one_pole(pole: float, stages: int, order: int) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """The denominator is (1 − γz)ˢ, the numerator what of its product with eᶻ is of degree p or less."""
    denominator = polynomial.polypow([1.0, -pole], stages)
    taylor = [1.0 / math.factorial(k) for k in range(order + 1)]
    return tuple(polynomial.polymul(denominator, taylor)[order::-1]), tuple(denominator[::-1])


G = 1.0 - np.sqrt(0.5)
G3 = sorted(np.roots([1.0, -3.0, 3 / 2, -1 / 6]))[1]  # no z³ in the numerator [Hairer 1996, table IV.6.4]
RUNGE_KUTTA_4 = ((1 / 24, 1 / 6, 1 / 2, 1.0, 1.0), (1.0,))
CAYLEY = ((1 / 2, 1.0), (-1 / 2, 1.0))
# scheme → numerator and denominator of its stability function, the highest power first: [Hairer 1996, §IV.3]
FUNCTIONS = {
    "euler": ((1.0, 1.0), (1.0,)),
    "rk2": ((1 / 2, 1.0, 1.0), (1.0,)),
    "rk4": RUNGE_KUTTA_4,
    "rkmk4": RUNGE_KUTTA_4,
    "dopri5": ((1 / 600, 1 / 120, 1 / 24, 1 / 6, 1 / 2, 1.0, 1.0), (1.0,)),
    "rkf45": ((1 / 104, 1 / 24, 1 / 6, 1 / 2, 1.0, 1.0), (1.0,)),
    "bs32": ((1 / 6, 1 / 2, 1.0, 1.0), (1.0,)),
    "implicit_euler": ((1.0,), (-1.0, 1.0)),
    "implicit_midpoint": CAYLEY,
    "trapezoidal": CAYLEY,
    "gauss2": ((1 / 12, 1 / 2, 1.0), (1 / 12, -1 / 2, 1.0)),
    "gauss3": ((1 / 120, 1 / 10, 1 / 2, 1.0), (-1 / 120, 1 / 10, -1 / 2, 1.0)),
    "sdirk2": ((1.0 - 2.0 * G, 1.0), (G * G, -2.0 * G, 1.0)),
    "sdirk3": one_pole(G3, stages=3, order=3),
    "sdirk4": one_pole(1 / 4, stages=5, order=4),
    "rodas3": one_pole(1 / 2, stages=4, order=3),
}
# direct methods that are one-step schemes for an oscillation
DIRECT_FUNCTIONS = {
    "radau": ((1 / 20, 2 / 5, 1.0), (-1 / 60, 3 / 20, -3 / 5, 1.0)),
    "canonical_trapezoidal": CAYLEY,
    "energy_momentum": CAYLEY,
    "augmented_index3": CAYLEY,
    "newmark_index3": CAYLEY,
    "newmark_minimal": CAYLEY,
    "newmark_nullspace": CAYLEY,
}


@pytest.mark.parametrize("scheme", [*FUNCTIONS, *DIRECT_FUNCTIONS])
@pytest.mark.parametrize("size", [0.3, 1.1, 4.0])
def test_stability_functions_in_closed_form(scheme: str, size: float) -> None:
    """On the imaginary axis (no feedback of the rate) and on the real one (two equal roots)."""
    function = (FUNCTIONS | DIRECT_FUNCTIONS)[scheme]
    undamped = stability_map(scheme, np.array([0.0]), np.array([size**2]))
    assert undamped[0, 0] == pytest.approx(real_and_imaginary(*function, 1j * size), rel=1e-12)
    decaying = stability_map(scheme, np.array([size]), np.array([size**2]))
    assert decaying[0, 0] == pytest.approx(real_and_imaginary(*function, -size), rel=1e-6)


BASHFORTH = {2: (3 / 2, -1 / 2), 3: (23 / 12, -4 / 3, 5 / 12), 4: (55 / 24, -59 / 24, 37 / 24, -3 / 8)}
MOULTON = {2: (1 / 2, 1 / 2), 3: (5 / 12, 2 / 3, -1 / 12), 4: (3 / 8, 19 / 24, -5 / 24, 1 / 24)}
GEAR = {2: (3 / 2, -2.0, 1 / 2), 3: (11 / 6, -3.0, 3 / 2, -1 / 3), 4: (25 / 12, -4.0, 3.0, -4 / 3, 1 / 4)}


def bashforth(order: int, z: complex) -> Complex:
    """Characteristic polynomial, the highest power first: [Hairer 1993, §III.1]."""
    own = np.array([1.0, -1.0] + [0.0] * (order - 1), dtype=complex)
    own[1:] -= z * np.array(BASHFORTH[order])
    return own


def moulton(order: int, z: complex) -> Complex:
    """Predicted by Bashforth, evaluated, corrected, evaluated."""
    predicted = np.array([1.0] + [0.0] * (order - 1), dtype=complex) + z * np.array(BASHFORTH[order])
    known = np.array([*MOULTON[order][1:], 0.0])
    own = np.array([1.0, -1.0] + [0.0] * (order - 1), dtype=complex)
    own[1:] -= z * (MOULTON[order][0] * predicted + known)
    return own


def gear(order: int, z: complex) -> Complex:
    return np.array(GEAR[order]) - z * np.eye(order + 1)[0]


MULTISTEP = {
    **{f"ab{order}": (bashforth, order) for order in BASHFORTH},
    **{f"abm{order}": (moulton, order) for order in MOULTON},
    **{f"bdf{order}": (gear, order) for order in GEAR},
}


@pytest.mark.parametrize("scheme", MULTISTEP)
@pytest.mark.parametrize("size", [0.1, 0.7, 3.0])
def test_growth_of_multistep_schemes_in_closed_form(scheme: str, size: float) -> None:
    characteristic, order = MULTISTEP[scheme]
    undamped = stability_map(scheme, np.array([0.0]), np.array([size**2]))
    assert undamped[0, 0] == pytest.approx(np.abs(np.roots(characteristic(order, 1j * size))).max(), rel=1e-9)
    decaying = stability_map(scheme, np.array([size]), np.array([size**2]))
    assert decaying[0, 0] == pytest.approx(np.abs(np.roots(characteristic(order, -size))).max(), rel=1e-6)


@pytest.mark.parametrize("order", GEAR)
@pytest.mark.parametrize("size", [0.1, 0.7, 3.0])
def test_growth_of_bdf_on_the_equations_themselves(order: int, size: float) -> None:
    undamped = stability_map("bdf_dae", np.array([0.0]), np.array([size**2]), options={"order": float(order)})
    assert undamped[0, 0] == pytest.approx(np.abs(np.roots(gear(order, 1j * size))).max(), rel=1e-9)


@pytest.mark.parametrize("scheme", MULTISTEP)
def test_compiled_multistep_schemes_follow_their_recurrence(scheme: str) -> None:
    """x + i x′ is multiplied by a root of the polynomial at z = −ih, in all steps but those of the start."""
    characteristic, order = MULTISTEP[scheme]
    run = finished(oscillator(), f"lagrange/{scheme}/none", 0.3, 6.0)
    turned = run.channel("joint.axle.angle") - 1.0 + 1j * run.channel("joint.axle.speed")
    left = np.convolve(turned, characteristic(order, -0.3j), mode="valid")[order:]
    assert np.abs(left).max() < 1e-11


SECOND_ORDER = {"semi_implicit_euler", "velocity_verlet", "d2"}


@pytest.mark.parametrize("scheme", [*sorted(SECOND_ORDER), "central_differences"])
@pytest.mark.parametrize("size", [0.3, 1.9, 2.1, 4.0])
def test_growth_of_central_differences_in_closed_form(scheme: str, size: float) -> None:
    """ζ² − (2 − ω²h²) ζ + 1 = 0, whatever the rates are called."""
    undamped = stability_map(scheme, np.array([0.0]), np.array([size**2]))
    roots = np.roots([1.0, size**2 - 2.0, 1.0])
    assert undamped[0, 0] == pytest.approx(np.abs(roots).max(), rel=1e-9)


def test_every_scheme_with_a_growth_has_its_closed_form_here() -> None:
    known = {scheme.name for scheme in SCHEMES if scheme.growth is not None}
    assert known == {*FUNCTIONS, *MULTISTEP, *SECOND_ORDER, "d3", "d4"}  # of these two the limits, above


@pytest.mark.parametrize(("scheme", "limit"), [("ab2", 1.0), ("ab3", 6 / 11), ("ab4", 3 / 10)])
def test_limits_of_bashforth_in_closed_form(scheme: str, limit: float) -> None:
    assert gain_limit(scheme) == pytest.approx(limit, abs=1e-6)


@pytest.mark.parametrize("scheme", ["sdirk2", "sdirk3", "sdirk4", "rodas3"])
def test_infinitely_stiff_is_forgotten_in_one_step(scheme: str) -> None:
    assert gain_limit(scheme) == np.inf
    assert frequency_limit(scheme) == np.inf
    far = stability_map(scheme, np.array([1e7]), np.array([1e14]))
    assert far[0, 0] < 1e-5


@pytest.mark.parametrize("scheme", FUNCTIONS)
@pytest.mark.parametrize("h", [0.5, 2.0, 5.0])
def test_compiled_steps_have_the_growth_of_the_closed_form(scheme: str, h: float) -> None:
    """x″ = −x turns (x, x′) by the stability function at ih, which shrinks it by its size."""
    options = {"rtol": 1e12, "atol": 1e12} if SCHEMES[scheme].adaptive else {}
    run = finished(oscillator(), f"lagrange/{scheme}/none", h, 4.0 * h, **options)
    size = np.hypot(run.channel("joint.axle.angle") - 1.0, run.channel("joint.axle.speed"))
    # steps that are chosen begin with a small one, within the first
    assert size[2:] / size[1:-1] == pytest.approx(real_and_imaginary(*FUNCTIONS[scheme], 1j * h), rel=1e-9)
