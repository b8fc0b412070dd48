"""Every design: the same seed gives the same points, all inside; and what each promises beyond that."""

import math
from typing import Any

import numpy as np
import pytest

from engine.studies.designs import DESIGNS
from engine.studies.designs.base import Design, from_shares
from engine.studies.variables import VARIABLES
from engine.studies.variables.choices import Choices
from engine.studies.variables.interval import Interval
from engine.studies.variables.logarithmic import Logarithmic
from engine.studies.variables.tolerance import Tolerance

VARIED = (
    Interval(path="parameters.a", low=-1.0, high=3.0, count=4),
    Logarithmic(path="parameters.b", low=1e-3, high=1e3, count=4),
    Choices(path="simulation.method", values=("rk4", "hht")),
)
EXAMPLES: dict[str, dict[str, Any]] = {
    "grid": {},
    "list": {"rows": ((0.0, 1.0, "rk4"), (1.0, 2.0, "hht"))},
    "latin_hypercube": {"count": 16},
    "random": {"count": 16},
    "sobol": {"count": 16},
}
COUNTS = {"grid": 32, "list": 2, "latin_hypercube": 16, "random": 16, "sobol": 16}


def made(name: str, **fields: Any) -> Design:
    return DESIGNS[name].spec(**{**EXAMPLES[name], **fields})


@pytest.mark.parametrize("name", DESIGNS.names)
def test_points_are_as_many_as_told_inside_and_the_same_each_time(name: str) -> None:
    kind, design = DESIGNS[name], made(name)
    assert kind.check(design, VARIED) == []
    points = kind.points(design, VARIED)
    assert len(points) == COUNTS[name]
    assert points == kind.points(design, VARIED)
    for a, b, method in points:
        assert -1.0 <= float(a) <= 3.0
        assert 1e-3 <= float(b) <= 1e3
        assert method in ("rk4", "hht")


def test_a_grid_has_every_combination_once() -> None:
    points = DESIGNS["grid"].points(made("grid"), VARIED)
    assert len(set(points)) == 4 * 4 * 2
    assert points[:2] == [(-1.0, 1e-3, "rk4"), (-1.0, 1e-3, "hht")]


def test_a_latin_hypercube_has_one_run_in_each_stratum_of_each_variable() -> None:
    two = VARIED[:2]
    points = np.array(DESIGNS["latin_hypercube"].points(made("latin_hypercube", count=50), two), dtype=float)
    shares = np.column_stack([(points[:, 0] + 1.0) / 4.0, (np.log10(points[:, 1]) + 3.0) / 6.0])
    for column in shares.T:
        assert sorted(np.floor(50 * column).astype(int)) == list(range(50))


def test_sobol_points_are_balanced() -> None:
    """A net in base 2: each half, quarter … of each variable has its share of the runs."""
    points = np.array(DESIGNS["sobol"].points(made("sobol", count=64), VARIED[:1]), dtype=float)
    counts, _ = np.histogram(points[:, 0], bins=64, range=(-1.0, 3.0))
    assert counts.tolist() == [1] * 64


def test_another_seed_gives_other_points() -> None:
    for name in ("latin_hypercube", "random", "sobol"):
        assert DESIGNS[name].points(made(name), VARIED) != DESIGNS[name].points(made(name, seed=1), VARIED)


def test_a_sobol_count_that_is_no_power_of_two_is_refused_with_its_neighbours() -> None:
    (problem,) = DESIGNS["sobol"].check(made("sobol", count=100), VARIED)
    assert "64 or 128" in problem.remedy


def test_a_grid_without_end_is_refused() -> None:
    many = tuple(Interval(path=f"parameters.p{i}", low=0.0, high=1.0, count=1000) for i in range(5))
    (problem,) = DESIGNS["grid"].check(made("grid"), many)
    assert "fewer values" in problem.remedy


@pytest.mark.parametrize(("shape", "sigma"), [("normal", 0.1 / 3.0), ("uniform", 0.1 / math.sqrt(3.0))])
def test_tolerances_have_the_mean_and_the_spread_of_their_distribution(shape: Any, sigma: float) -> None:
    part = Tolerance(path="parameters.a", nominal=5.0, tolerance=0.1, shape=shape)
    middles = (np.arange(20_000) + 0.5) / 20_000
    values = np.array(from_shares(middles[:, None], [part]), dtype=float)[:, 0]
    assert values.mean() == pytest.approx(5.0, abs=1e-9)
    assert values.std() == pytest.approx(sigma, rel=1e-3)


def test_a_grid_of_tolerances_is_the_worst_case() -> None:
    part = Tolerance(path="parameters.a", nominal=5.0, tolerance=0.1)
    assert VARIABLES["tolerance"].levels(part) == (4.9, 5.0, 5.1)


def test_levels_of_a_grid_are_numbers_as_people_write_them() -> None:
    """The middle of 0.02 and 0.06 was 0.039999999999999994 in every table."""
    interval, logarithmic = VARIABLES["interval"], VARIABLES["logarithmic"]
    halves = interval.spec(path="parameters.r", low=0.02, high=0.06, count=3)
    assert interval.levels(halves) == [0.02, 0.04, 0.06]
    tens = logarithmic.spec(path="parameters.k", low=1e-3, high=1e3, count=7)
    third = interval.spec(path="parameters.r", low=1.0 / 3.0, high=2.0 / 3.0, count=2)
    assert interval.levels(third) == [1.0 / 3.0, 2.0 / 3.0]  # never beyond the range
    assert logarithmic.levels(tens) == [1e-3, 1e-2, 0.1, 1.0, 10.0, 100.0, 1e3]
