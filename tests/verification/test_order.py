"""Observed order of every scheme on mechanisms with closed loops, in q, v and λ.

error(h) = C h^p (1 + c h + …), so the slope of one halving is p up to c h, less than 0.15 at these steps. The
error is the root mean square over instants of the run: at a single one C may pass through zero. The exact
states are an adaptive run near rounding.

Dormand and Prince chose their coefficients to make C small: in a fast motion the next terms are felt down to
where rounding begins. So order 5 is looked for in a gentle one, the four-bar under a tenth of gravity, and at
small steps of the slider-crank, with the constraints closed after each step. A tolerance that accepts every
step holds the scheme at the sampling interval, but for the first, which grows from a thousandth of it.
"""

from functools import cache
from typing import NamedTuple

import numpy as np
import pytest

from engine import Scene, Trajectory, set_value
from engine.compiled.layout import Array
from engine.solvers.integrators import SCHEMES
from engine.solvers.integrators.base import SchemeKind
from engine.solvers.stabilisation import STABILISATIONS
from tests.verification.runs import finished, shipped, tight

MECHANISMS = ("four_bar", "spatial_slider_crank")


class Plan(NamedTuple):
    duration: float
    instants: int  # that are compared
    rates: tuple[int, int]  # steps per second
    gravity: float = 1.0  # of that of the scene


PLAN = {
    1: Plan(0.4, 20, (16000, 32000)),
    2: Plan(0.4, 20, (2000, 4000)),
    3: Plan(0.4, 20, (2000, 4000)),
    4: Plan(0.4, 20, (800, 1600)),
}
PLAN_MULTISTEP = Plan(0.4, 20, (6400, 12800))  # their error constants are hundreds of times larger
MULTISTEP = ("ab4", "abm4", "adams", "bdf", "bdf4")
VARIABLE_ORDER = ("adams", "bdf")
CHOSEN_ORDER = 4  # of the schemes with variable order
PLAN_ORDER_5 = {
    "four_bar": Plan(1.0, 10, (40, 80), gravity=0.1),
    "spatial_slider_crank": Plan(1.0, 20, (800, 1600)),
}
PLAN_ORDER_6 = {
    "four_bar": Plan(1.0, 10, (20, 40), gravity=0.1),
    "spatial_slider_crank": Plan(0.4, 20, (200, 400)),
}
# Fehlberg made the error of the order he goes on with small, too
PLAN_FEHLBERG = {
    "four_bar": Plan(1.0, 10, (80, 160), gravity=0.1),
    "spatial_slider_crank": Plan(0.4, 20, (800, 1600), gravity=0.1),
}
# without masses the leading term of the error is small, and the next one is felt for longer
PLAN_UNWEIGHTED = Plan(0.4, 20, (3200, 6400))
ALLOWED = 0.15
ACCEPT_ALL = 1e12


@cache
def mechanism(name: str, gravity: float) -> Scene:
    scene = shipped(name)
    for axis, value in enumerate(scene.gravity):
        scene = set_value(scene, f"gravity.{axis}", float(value) * gravity)
    return scene


def states(run: Trajectory, instants: int) -> tuple[Array, Array, Array]:
    """q, v and λ at equal distances, without the start."""
    layout = run.segments[-1].channels.layout
    rows = run.samples[np.rint(np.linspace(0, len(run) - 1, instants + 1)).astype(int)[1:]]
    return rows[:, layout.q], rows[:, layout.v], rows[:, layout.multipliers]


@cache
def exact(name: str, plan: Plan) -> tuple[Array, Array, Array]:
    scene, dt = mechanism(name, plan.gravity), plan.duration / plan.instants
    return states(tight(scene, plan.duration, dt=dt, tolerance=2e-14), plan.instants)


def fitting(scheme: SchemeKind) -> tuple[str, ...]:
    """Every stabilisation with the work horse, projection with the others.

    Gains of the Taylor rule grow as the step shrinks, and re-imposition acts at instants of its own: neither
    leaves an error that is a power of the step.
    """
    if scheme.name != "rk4":
        return ("projection",)
    return tuple(name for name in STABILISATIONS.names if name not in ("baumgarte_taylor", "reimposition"))


CASES = [
    pytest.param(scheme, stabilisation, id=f"{scheme.name}-{stabilisation}")
    for scheme in SCHEMES
    for stabilisation in fitting(scheme)
]


def plan_for(scheme: SchemeKind, stabilisation: str, name: str) -> Plan:
    if stabilisation == "projection_unweighted":
        return PLAN_UNWEIGHTED
    if scheme.name in MULTISTEP:
        return PLAN_MULTISTEP
    if scheme.name == "rkf45":
        return PLAN_FEHLBERG[name]
    if scheme.order == 5:
        return PLAN_ORDER_5[name]
    return PLAN_ORDER_6[name] if scheme.order == 6 else PLAN[scheme.order]


def observed(name: str, method: str, plan: Plan, options: dict[str, float]) -> Array:
    """Errors of q, v and λ, one line per step."""
    scene = mechanism(name, plan.gravity)
    runs = [finished(scene, method, 1 / rate, plan.duration, **options) for rate in plan.rates]
    wanted = exact(name, plan)
    return np.array(
        [
            [np.sqrt(np.mean((f - w) ** 2)) for f, w in zip(states(run, plan.instants), wanted, strict=True)]
            for run in runs
        ]
    )


@pytest.mark.parametrize("name", MECHANISMS)
@pytest.mark.parametrize(("scheme", "stabilisation"), CASES)
def test_observed_order_is_the_stated_one(scheme, stabilisation, name):
    plan, order = plan_for(scheme, stabilisation, name), scheme.order
    options = {"rtol": ACCEPT_ALL, "atol": ACCEPT_ALL} if scheme.adaptive else {}
    if scheme.name in VARIABLE_ORDER:
        order = options["order"] = CHOSEN_ORDER
    errors = observed(name, f"lagrange/{scheme.name}/{stabilisation}", plan, options)
    assert np.log2(errors[0] / errors[1]) == pytest.approx(order, abs=ALLOWED), errors


# steps per second at which the order shows before rounding does, on an open chain; bdf has a test of its own
CHAIN_RATES = {
    1: (8000, 16000),
    2: (1000, 2000),
    3: (1000, 2000),
    4: (400, 800),
    6: (50, 100),
}
CHAIN = [scheme.name for scheme in SCHEMES if scheme.name != "bdf"]


def plan_for_chain(name: str, order: int) -> tuple[str, Plan]:
    """The open chain, and how it is run."""
    if order == 5:
        return "spatial_pendulum", Plan(2.0, 20, (40, 80), gravity=0.2)
    return "double_pendulum", Plan(0.4, 20, (1600, 3200) if name in MULTISTEP else CHAIN_RATES[order])


@pytest.mark.parametrize("name", CHAIN)
def test_observed_order_on_an_open_chain(name: str) -> None:
    scheme = SCHEMES[name]
    order = CHOSEN_ORDER if name in VARIABLE_ORDER else scheme.order
    mechanism, plan = plan_for_chain(name, order)
    options = {"rtol": ACCEPT_ALL, "atol": ACCEPT_ALL} if scheme.adaptive else {}
    if name in VARIABLE_ORDER:
        options["order"] = order
    errors = observed(mechanism, f"lagrange/{name}/projection", plan, options)
    assert np.log2(errors[0] / errors[1]) == pytest.approx(order, abs=ALLOWED), errors


# steps per second at which an order shows before rounding; beyond five the small steps of the start err more
BDF_RATES = {
    "double_pendulum": {1: 1600, 2: 1600, 3: 1600, 4: 400, 5: 300},
    "four_bar": {1: 1600, 2: 1600, 3: 1600, 4: 6400, 5: 2600},
    "spatial_slider_crank": {1: 1600, 2: 1600, 3: 1600, 4: 1600, 5: 1600},
}


@pytest.mark.parametrize("order", range(1, 6))
@pytest.mark.parametrize("name", BDF_RATES)
def test_bdf_keeps_to_the_order_that_it_is_held_at(name: str, order: int) -> None:
    rate = BDF_RATES[name][order]
    plan = Plan(0.4, 20, (rate, 2 * rate))
    options = {"rtol": ACCEPT_ALL, "atol": ACCEPT_ALL, "order": order}
    errors = observed(name, "lagrange/bdf/projection", plan, options)
    assert np.log2(errors[0] / errors[1]) == pytest.approx(order, abs=ALLOWED), errors
