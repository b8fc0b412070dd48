"""Relative errors of channels and their total, on curves whose errors are known."""

import numpy as np
import pytest

from engine.results.assessment.error_measures import on_instants, relative_errors, thresholds_of, total_error


def test_the_formula_by_hand() -> None:
    reference = np.array([[2.0, 0.0], [-4.0, 10.0]])
    found = reference + np.array([[0.2, 0.01], [0.4, -1.0]])
    errors = relative_errors(found, reference, np.array([0.5, 0.1]))
    assert errors == pytest.approx(np.array([[0.1, 0.1], [0.1, 0.1]]))
    assert total_error(errors) == pytest.approx(0.1)


def test_where_the_reference_is_zero_a_share_of_its_largest_value_counts() -> None:
    reference = np.array([[0.0, 0.0, 1e-17], [-5.0, 0.0, 0.0]])
    assert thresholds_of(reference, ["m", "rad", "m"], 0.01) == pytest.approx([0.05, 1.0, 5e-9])


def test_nothing_to_compare_is_not_perfect() -> None:
    assert np.isnan(total_error(np.zeros((0, 2))))


def test_other_instants_are_reached_by_cubics() -> None:
    t, wanted = np.linspace(0.0, 1.0, 41), np.linspace(0.0, 1.0, 17)
    values = np.stack([t**3, np.ones_like(t)], axis=1)
    assert on_instants(t, values, wanted) == pytest.approx(
        np.stack([wanted**3, np.ones(17)], axis=1), abs=1e-14
    )


def test_two_samples_at_one_instant_are_one() -> None:
    t = np.array([0.0, 1.0, 1.0, 2.0])
    values = np.array([[0.0], [1.0], [1.0], [2.0]])
    assert on_instants(t, values, np.array([0.5, 1.5]))[:, 0] == pytest.approx([0.5, 1.5])
