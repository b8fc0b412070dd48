"""Observed order of every scheme on mechanisms with closed loops, in q, v and λ.

error(h) = C h^p (1 + O(h)), so the slope between two steps in the ratio 2 is p + O(h). The exact state is an adaptive
run at 1e-13; its own error lies below the errors compared by a factor of a hundred or more. Dormand-Prince is held at
fixed steps by a tolerance that accepts everything: its step is then the sampling interval.
"""

from functools import cache

import numpy as np
import pytest

from engine.integrators import SCHEMES
from engine.problems import Array
from engine.stabilisation import STABILISATIONS
from tests.verification.runs import at_end, finished, shipped, tight

# duration and steps of order p; each is small enough for h to be asymptotic and large enough against rounding
DURATION = {"four_bar": 0.4, "spatial_slider_crank": 0.4}
STEPS = {
    1: (1 / 8000, 1 / 16000, 1 / 32000),
    2: (1 / 500, 1 / 1000, 1 / 2000),
    4: (1 / 200, 1 / 400, 1 / 800),
    5: (1 / 100, 1 / 200, 1 / 400),
}
ACCEPT_ALL = 1e12


@cache
def exact(name: str) -> tuple[Array, Array, Array]:
    return at_end(tight(shipped(name), DURATION[name], dt=0.1, tolerance=1e-13))


@pytest.mark.parametrize("name", DURATION)
@pytest.mark.parametrize("stabilisation", STABILISATIONS.names)
@pytest.mark.parametrize("scheme", list(SCHEMES), ids=lambda scheme: scheme.name)
def test_observed_order_is_the_stated_one(scheme, stabilisation, name):
    options = {"rtol": ACCEPT_ALL, "atol": ACCEPT_ALL} if scheme.adaptive else {}
    errors = []
    for h in STEPS[scheme.order]:
        run = finished(shipped(name), f"lagrange/{scheme.name}/{stabilisation}", h, DURATION[name], **options)
        errors.append(
            [np.linalg.norm(a - b) for a, b in zip(at_end(run), exact(name), strict=True)]
        )
    slopes = np.log2(np.array(errors)[:-1] / np.array(errors)[1:])
    assert slopes[-1] == pytest.approx(scheme.order, abs=0.15), (errors, slopes)
