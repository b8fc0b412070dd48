"""Observed order of every scheme on mechanisms with closed loops, in q, v and λ.

error(h) = C h^p (1 + c h + …). The error is the root mean square over instants of the run: at a single one C
may pass through zero. The exact states are an adaptive run near rounding.

For the classical schemes the slope of the last halving is p up to c h, 0.15 at these steps. Dormand and
Prince chose their coefficients to make C small, so that the next term is felt down to where rounding begins;
a fit over all steps still tells 5 from 4 and from 6. It is held at fixed steps by a tolerance that accepts
every step: the step is then the sampling interval, but for the first, which grows from a thousandth of it.
"""

from functools import cache

import numpy as np
import pytest

from engine import Trajectory
from engine.integrators import SCHEMES
from engine.problems import Array
from engine.stabilisation import STABILISATIONS
from tests.verification.runs import finished, shipped, tight

MECHANISMS = ("four_bar", "spatial_slider_crank")
# order → duration, instants that are compared, steps per second
PLAN = {
    1: (0.4, 20, (8000, 16000, 32000)),
    2: (0.4, 20, (1000, 2000, 4000)),
    4: (0.4, 20, (400, 800, 1600)),
    5: (0.2, 4, (40, 80, 160, 320)),
}
ASYMPTOTIC, TELLS_ORDERS_APART = 0.15, 0.5
ACCEPT_ALL = 1e12


def states(run: Trajectory, instants: int) -> tuple[Array, Array, Array]:
    """q, v and λ at equal distances, without the start."""
    layout = run.segments[-1].channels.layout
    rows = run.samples[np.rint(np.linspace(0, len(run) - 1, instants + 1)).astype(int)[1:]]
    return rows[:, layout.q], rows[:, layout.v], rows[:, layout.multipliers]


@cache
def exact(name: str, duration: float, instants: int) -> tuple[Array, Array, Array]:
    return states(tight(shipped(name), duration, dt=duration / instants, tolerance=2e-14), instants)


@pytest.mark.parametrize("name", MECHANISMS)
@pytest.mark.parametrize("stabilisation", STABILISATIONS.names)
@pytest.mark.parametrize("scheme", list(SCHEMES), ids=lambda scheme: scheme.name)
def test_observed_order_is_the_stated_one(scheme, stabilisation, name):
    duration, instants, rates = PLAN[scheme.order]
    options = {"rtol": ACCEPT_ALL, "atol": ACCEPT_ALL} if scheme.adaptive else {}
    method = f"lagrange/{scheme.name}/{stabilisation}"
    errors = np.array(
        [
            [
                np.sqrt(np.mean((found - wanted) ** 2))
                for found, wanted in zip(
                    states(finished(shipped(name), method, 1 / rate, duration, **options), instants),
                    exact(name, duration, instants),
                    strict=True,
                )
            ]
            for rate in rates
        ]
    )
    if scheme.adaptive:
        slopes, allowed = -np.polyfit(np.log(rates), np.log(errors), 1)[0], TELLS_ORDERS_APART
    else:
        slopes, allowed = np.log2(errors[-2] / errors[-1]), ASYMPTOTIC
    assert slopes == pytest.approx(scheme.order, abs=allowed), errors
