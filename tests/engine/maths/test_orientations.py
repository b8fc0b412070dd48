"""Sets of orientation coordinates: W, its derivative and its inverse against finite differences of R."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numba import types
from scipy.spatial.transform import Rotation

from engine.compiled.kernel import compiled
from engine.maths import orientations as sets

FOUR, THREE = types.UniTuple(types.float64, 4), types.UniTuple(types.float64, 3)
KIND = types.int64
for function, signature in (
    (sets.spin, THREE(KIND, FOUR, FOUR)),
    (sets.spin_change, THREE(KIND, FOUR, FOUR, FOUR)),
    (sets.rates, FOUR(KIND, FOUR, THREE)),
    (sets.second_rates, FOUR(KIND, FOUR, FOUR, THREE)),
    (sets.parameters, FOUR(KIND, FOUR)),
    (sets.quaternion, FOUR(KIND, FOUR)),
    (sets.regularity, types.float64(KIND, FOUR)),
    (sets.is_angles, types.boolean(KIND)),
):
    compiled(function, signature)

KINDS = [pytest.param(k, id=name) for k, name in enumerate(sets.SETS)]
H = 1e-5
seeds = st.integers(0, 10_000)


def matrix(kind: int, o: np.ndarray) -> np.ndarray:
    """R by SciPy, from the definition of each set."""
    if kind == sets.QUATERNION:
        return Rotation.from_quat(np.roll(o, -1)).as_matrix()
    if sets.is_angles(kind):
        return Rotation.from_euler(sets.SETS[kind][-3:], o[:3]).as_matrix()
    if kind == sets.ROTATION_VECTOR:
        return Rotation.from_rotvec(o[:3]).as_matrix()
    if kind in (sets.WIENER_MILENKOVIC, sets.MODIFIED_RODRIGUES):
        return Rotation.from_mrp(o[:3] / (4 if kind == sets.WIENER_MILENKOVIC else 1)).as_matrix()
    size = np.linalg.norm(o[:3]) / 2
    half = np.arcsin(size) if kind == sets.EULER_RODRIGUES else np.arctan(size)
    return Rotation.from_rotvec(2 * half * o[:3] / np.linalg.norm(o[:3])).as_matrix()


def scale(kind: int) -> float:
    """Size of a change of the parameters that turns by as much as one of size 1 of the other sets."""
    return 0.25 if kind == sets.MODIFIED_RODRIGUES else 1.0


def path(kind: int, seed: int) -> Any:
    """A smooth curve of parameters through a regular point: o(t)."""
    rng = np.random.default_rng(seed)
    q = Rotation.from_rotvec(rng.uniform(0.3, 2.0) * _unit(rng)).as_quat()
    start = np.array(sets.parameters(kind, tuple(np.roll(q, 1))))
    first, second = 0.7 * scale(kind) * rng.normal(size=4), scale(kind) * rng.normal(size=4)
    if kind != sets.QUATERNION:
        start[3] = first[3] = second[3] = 0.0

    def at(t: float) -> np.ndarray:
        o = start + t * first + t * t / 2 * second
        return o / np.linalg.norm(o) if kind == sets.QUATERNION else o

    return at


def _unit(rng: np.random.Generator) -> np.ndarray:
    direction = rng.normal(size=3)
    return direction / np.linalg.norm(direction)


def derivatives(at: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    o, plus, minus = at(0.0), at(H), at(-H)
    return o, (plus - minus) / (2 * H), (plus - 2 * o + minus) / H**2


def angular_velocity(kind: int, at: Any, t: float) -> np.ndarray:
    """Body axes, from Rᵀ R'."""
    spin = matrix(kind, at(t)).T @ (matrix(kind, at(t + H)) - matrix(kind, at(t - H))) / (2 * H)
    return np.array([spin[2, 1] - spin[1, 2], spin[0, 2] - spin[2, 0], spin[1, 0] - spin[0, 1]]) / 2


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=20, deadline=None)
@given(seed=seeds)
def test_spin_is_the_angular_velocity_and_its_change_the_rest_of_the_acceleration(
    kind: int, seed: int
) -> None:
    at = path(kind, seed)
    o, rate, second = derivatives(at)
    size = max(1.0, float(np.abs(rate).max()) ** 2) / sets.regularity(kind, tuple(o)) ** 3
    w = np.array(sets.spin(kind, tuple(o), tuple(rate)))
    assert w == pytest.approx(angular_velocity(kind, at, 0.0), abs=1e-8 * size)
    turning = np.array(sets.spin(kind, tuple(o), tuple(second)))
    turning += sets.spin_change(kind, tuple(o), tuple(rate), tuple(rate))
    wide = 1e-3  # differences of differences: truncation 1e-6, rounding 1e-8
    wanted = (angular_velocity(kind, at, wide) - angular_velocity(kind, at, -wide)) / (2 * wide)
    assert turning == pytest.approx(wanted, abs=3e-5 * size)


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=20, deadline=None)
@given(seed=seeds)
def test_change_of_spin_is_its_derivative_in_any_direction(kind: int, seed: int) -> None:
    rng = np.random.default_rng(seed + 1)
    o, rate, along = path(kind, seed)(0.0), *(scale(kind) * rng.normal(size=(2, 4)))
    found = sets.spin_change(kind, tuple(o), tuple(along), tuple(rate))
    plus, minus = (sets.spin(kind, tuple(o + sign * H * along), tuple(rate)) for sign in (1, -1))
    wanted = (np.array(plus) - minus) / (2 * H)
    assert np.array(found) == pytest.approx(wanted, abs=1e-8 / sets.regularity(kind, tuple(o)) ** 5)


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=20, deadline=None)
@given(seed=seeds)
def test_rates_invert_the_spin_and_parameters_the_quaternion(kind: int, seed: int) -> None:
    at, rng = path(kind, seed), np.random.default_rng(seed + 2)
    o, w, turning = at(0.0), rng.normal(size=3), rng.normal(size=3)
    rate = sets.rates(kind, tuple(o), tuple(w))
    assert sets.spin(kind, tuple(o), rate) == pytest.approx(w, abs=1e-13)
    second = sets.second_rates(kind, tuple(o), rate, tuple(turning))
    back = np.add(sets.spin(kind, tuple(o), second), sets.spin_change(kind, tuple(o), rate, rate))
    assert back == pytest.approx(turning, abs=1e-11)
    if kind == sets.QUATERNION:  # the sphere: q·q' = 0, q·q'' + q'·q' = 0
        assert np.dot(o, rate) == pytest.approx(0.0, abs=1e-15)
        assert np.dot(o, second) + np.dot(rate, rate) == pytest.approx(0.0, abs=1e-14)
    q = np.array(sets.quaternion(kind, tuple(o)))
    assert Rotation.from_quat(np.roll(q, -1)).as_matrix() == pytest.approx(matrix(kind, o), abs=1e-14)
    again = np.array(sets.quaternion(kind, sets.parameters(kind, tuple(q))))
    assert min(np.abs(again - q).max(), np.abs(again + q).max()) < 1e-15 * 10


@pytest.mark.parametrize(
    ("kind", "o"),
    [
        (sets.EULER_ZXZ, (0.3, 1e-9, 0.4, 0.0)),
        (sets.EULER_ZXZ, (0.3, np.pi, 0.4, 0.0)),
        (sets.EULER_RODRIGUES, (0.0, 2.0, 0.0, 0.0)),
        (sets.GIBBS, (1e9, 0.0, 0.0, 0.0)),
        (sets.ROTATION_VECTOR, (0.0, 2 * np.pi, 0.0, 0.0)),
        (sets.MODIFIED_RODRIGUES, (0.0, 0.0, 1e9, 0.0)),
        (sets.SETS.index("Tait-Bryan angles ZYX"), (0.1, np.pi / 2, 0.3, 0.0)),
        (sets.SETS.index("Euler angles YZY"), (0.1, np.pi, 0.3, 0.0)),
    ],
)
def test_singularities_are_known(kind: int, o: tuple[float, float, float, float]) -> None:
    assert sets.regularity(kind, o) < 1e-8
    assert sets.regularity(sets.QUATERNION, o) == 1.0


def test_there_are_all_twelve_sequences_of_axes() -> None:
    assert len(set(sets.SEQUENCES)) == 12
    assert all(a != b != c for a, b, c in sets.SEQUENCES)


@pytest.mark.parametrize("size", [1e-9, 1e-3, 0.0999, 0.1001, 3.0])
def test_series_of_the_rotation_vector_meet_its_closed_forms(size: float) -> None:
    """W times T is 1 at every size, and d itself is the axis: W d = d."""
    o = (0.6 * size, -0.8 * size, 0.0, 0.0)
    rate = sets.rates(sets.ROTATION_VECTOR, o, (0.3, 0.5, -0.7))
    assert sets.spin(sets.ROTATION_VECTOR, o, rate) == pytest.approx((0.3, 0.5, -0.7), abs=1e-14)
    assert sets.spin(sets.ROTATION_VECTOR, o, o) == pytest.approx(o[:3], abs=1e-15)
