"""The families of `bench --scaling` are what they say, and times over size are fitted right."""

import json
import math

import pytest

from engine import loads
from engine.analyses.mobility.mobility import mobility
from engine.benchmarks.cost_over_size import FAMILIES, Family, Timing, exponent, measure
from engine.solvers.method_patterns import select_methods
from engine.system.assembly.assemble import assemble
from engine.system.compiling.compile import compile_scene

# name → size → bodies, degrees of freedom, redundant rows
COUNTS = {"four_bars": (3, 7, 1, 9), "chains": (4, 4, 4, 0), "nets": (2, 10, 2, 0)}


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
def test_families_have_the_freedom_that_their_titles_promise(family: Family) -> None:
    size, bodies, dof, redundant = COUNTS[family.name]
    mechanism = compile_scene(loads(json.dumps(family.scene(size))))
    found = mobility(mechanism, assemble(mechanism))
    assert family.bodies(size) == bodies
    assert (len(mechanism.bodies), found.generic_dof, found.generic_redundant) == (bodies, dof, redundant)


def test_exponents_are_slopes() -> None:
    timings = [Timing("chains", "m", n, 3e-6 * n**1.5) for n in (10, 40, 160)]
    assert exponent(FAMILIES[1], timings) == pytest.approx(1.5)
    assert exponent(FAMILIES[1], [*timings, Timing("chains", "m", 640, math.nan)]) == pytest.approx(1.5)
    assert math.isnan(exponent(FAMILIES[1], timings[:1]))


def test_every_size_has_its_set_up_and_its_methods() -> None:
    (method,) = select_methods(["lagrange/rk4/projection"])
    found = list(measure(FAMILIES[1], [method], (1, 2), 0.01))
    assert [(timing.method, timing.size) for timing in found] == [
        (name, size) for size in (1, 2) for name in ("", method.name)
    ]
    assert all(0.0 < timing.seconds < math.inf for timing in found)
