"""Compiled functions: values, exact derivatives, tables, knots, refreshing of numbers."""

import math
from collections.abc import Callable
from types import SimpleNamespace

import numba
import numba.core.runtime._nrt_python as nrt
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numba.core.runtime import rtsys
from scipy.interpolate import CubicSpline

from engine.maths.expressions import ExpressionError, FunctionError, parse
from engine.maths.functions import Array, FunctionLike, Ints, compile_function, pack, refresh, stack_size
from engine.maths.jets import law_gradient, law_value, time_jet
from engine.maths.opcodes import FUNCTIONS

LAW = ("t", "x", "v")
PARAMETERS = {"a": 1.7, "b": -0.6, "n": 3.0}


class Function:
    """A compiled function behind another one in the arena, every output filled with NaN before each call."""

    def __init__(self, spec: FunctionLike, variables: tuple[str, ...] = ("t",)) -> None:
        self.program = compile_function(spec, variables=variables, parameters=PARAMETERS)
        programs = [compile_function("3*t + 0.25"), self.program]
        self.code, self.data, starts = pack(programs)
        self.start = int(starts[1])
        self.stack = np.full(stack_size(programs), np.nan)

    def time(self, t: float) -> Array:
        out = np.full(3, np.nan)
        time_jet(self.code, self.data, self.start, t, self.stack, out)
        return out

    def gradient(self, t: float, x: float, v: float) -> Array:
        out = np.full(4, np.nan)
        law_gradient(self.code, self.data, self.start, t, x, v, self.stack, out)
        return out

    def value(self, t: float, x: float, v: float) -> float:
        return law_value(self.code, self.data, self.start, t, x, v, self.stack)


def slope(f: Callable[[float], Array], at: float, h: float = 1e-3) -> Array:
    """Central difference of order six."""
    total = np.zeros_like(f(at))
    for k, c in ((1, 3 / 4), (2, -3 / 20), (3, 1 / 60)):
        total += c * (f(at + k * h) - f(at - k * h)) / h
    return total


def table(points: object, interpolation: str = "linear", outside: str = "hold") -> SimpleNamespace:
    return SimpleNamespace(points=points, interpolation=interpolation, outside=outside)


# every function of the language, inside its domain for |t|, |x|, |v| <= 1, away from corners
SMOOTH = [
    "a*t - b",
    "t - a",
    "a - t - x - -v",
    "x/a + a/(x + 2) - v/(3 + t)",
    "x*v*t",
    "(t + x)^3 - (x - v)^2 + t^0 + v^1",
    "(2 + t)^-2 + (3 + x)^2.5 + (2 + v*x)^n",
    "(2 + t)^(x*v + 0.3)",
    "sin(a*t + x)*cos(v - b*x)",
    "tan(t*x/2)",
    "asin(t*x/2) + acos((t - v)/3) + atan(3*x*v)",
    "atan2(t + 2*x + 4, v - x)",
    "sinh(t*x) + cosh(v + x) + tanh(t - v*x)",
    "exp(-t*x + v)",
    "log(3 + t*x) + log10(4 + v*t)",
    "sqrt(2 + t*x*v)",
    "hypot(2 + t, x, v - 3)",
    "mod(t*x + 10.5 + 0.1*v, 3 + 0.01*x)",
    "abs(x*t - 2)*sign(x - 2) + floor(x/9 + 0.5) + ceil(0.5 + v/9)",
    "min(x, t + 3)*max(v*v, x - 3)",
    "if(x < 5, t*x^2, sqrt(-9 - x*x))",
    "if(x > 5 or not (v < 7 and t != 8), 1/(x - x), v^2*x)",
    "(x <= 9) + (x >= -9) + (t == 5) + x",
    "smooth(0.5 + 0.3*t*x - 0.1*v)",
    "step(t + 0.2*x, -4, b, 5, a*v)",
    "trapezoid(t + 0.2*x, -4, b, 5, a*v, 1.5)",
    "ramp(t + 0.2*x, -4, b, 5, a*v) + clamp(x*v, -9, 9)",
    "pulse(t*x, -5, 5)*v*x + pulse(x, -3, 4, 4)",
]


def test_the_samples_use_every_function() -> None:
    assert all(any(f"{name}(" in text for text in SMOOTH) for name in FUNCTIONS)


@pytest.mark.parametrize("text", SMOOTH)
@given(t=st.floats(-0.9, 0.9), x=st.floats(-0.9, 0.9), v=st.floats(-0.9, 0.9))
def test_law_derivatives_against_differences(text: str, t: float, x: float, v: float) -> None:
    f = Function(text, LAW)
    gradient = f.gradient(t, x, v)
    assert gradient[0] == pytest.approx(
        parse(text).value({"t": t, "x": x, "v": v, **PARAMETERS}), rel=1e-13, abs=1e-13
    )

    by_t = slope(lambda s: f.gradient(s, x, v), t)[0]
    by_x = slope(lambda s: f.gradient(t, s, v), x)[0]
    by_v = slope(lambda s: f.gradient(t, x, s), v)[0]
    scale = 1.0 + np.abs(gradient).max()
    np.testing.assert_allclose(gradient[1:], [by_t, by_x, by_v], rtol=1e-7, atol=1e-9 * scale)
    # the cheaper kernel agrees to the last bits
    assert f.value(t, x, v) == pytest.approx(gradient[0], rel=1e-14, abs=1e-14)


@pytest.mark.parametrize("text", SMOOTH)
@given(t=st.floats(-0.9, 0.9))
def test_time_derivatives_are_those_of_the_law(text: str, t: float) -> None:
    as_time = text.replace("max(", "M(").replace("exp(", "E(").replace("x", "0.4").replace("v", "0.7")
    as_time = as_time.replace("M(", "max(").replace("E(", "exp(")
    law, jet = Function(text, LAW), Function(as_time).time(t)
    np.testing.assert_allclose(jet[:2], law.gradient(t, 0.4, 0.7)[:2], rtol=1e-12, atol=1e-12)
    bend = slope(lambda s: law.gradient(s, 0.4, 0.7), t)[1]
    np.testing.assert_allclose(jet[2], bend, rtol=1e-7, atol=1e-9 * (1.0 + np.abs(jet).max()))


@given(t=st.integers(-50, 50))
def test_polynomials_are_exact(t: int) -> None:
    jet = Function("2 - 3*t + 5*t^2 - t^3 + t*t*t*t").time(float(t))
    assert jet.tolist() == [
        2 - 3 * t + 5 * t**2 - t**3 + t**4,
        -3 + 10 * t - 3 * t**2 + 4 * t**3,
        10 - 6 * t + 12 * t**2,
    ]


@given(t=st.floats(-20.0, 20.0))
def test_closed_form_of_a_driver(t: float) -> None:
    s, c = math.sin(3 * t), math.cos(3 * t)
    np.testing.assert_allclose(
        Function("0.2*sin(3*t)").time(t), [0.2 * s, 0.6 * c, -1.8 * s], rtol=1e-14, atol=1e-15
    )


def test_powers_at_zero_have_no_nan() -> None:
    assert Function("t^2").time(0.0).tolist() == [0.0, 0.0, 2.0]
    assert Function("t^1").time(0.0).tolist() == [0.0, 1.0, 0.0]
    assert Function("t^0").time(0.0).tolist() == [1.0, 0.0, 0.0]
    assert Function("hypot(t, 0*t)").time(0.0).tolist() == [0.0, 0.0, 0.0]


def test_a_step_has_continuous_second_derivatives() -> None:
    f = Function("step(t, 1, 2, 3, 5)")
    for t, expected in ((1.0, 2.0), (3.0, 5.0)):
        for side in (-1e-9, 1e-9):
            np.testing.assert_allclose(f.time(t + side), [expected, 0.0, 0.0], atol=1e-7)


def test_outside_the_domain_is_not_a_number() -> None:
    assert np.isnan(Function("sqrt(t)").time(-1.0)).all()
    assert not np.isfinite(Function("1/t").time(0.0)[0])
    assert np.isnan(Function("min(sqrt(t), 5)").time(-1.0)[0])
    assert np.isnan(Function("max(5, sqrt(t))").time(-1.0)[0])


# tables

X = np.array([-0.4, 0.1, 0.35, 1.2, 1.9, 2.0])
Y = np.array([1.3, -0.7, 0.2, 2.2, -1.1, 1.3])
POINTS = np.column_stack([X, Y]).tolist()


@pytest.mark.parametrize(
    ("interpolation", "outside", "ends"),
    [("cubic", "error", "not-a-knot"), ("natural", "hold", "natural"), ("cubic", "periodic", "periodic")],
)
@given(t=st.floats(-0.4, 1.9999))
def test_splines_are_those_of_scipy(interpolation: str, outside: str, ends: str, t: float) -> None:
    reference = CubicSpline(X, Y, bc_type=ends)
    expected = [reference(t), reference(t, 1), reference(t, 2)]
    f = Function(table(POINTS, interpolation, outside))
    np.testing.assert_allclose(f.time(t), expected, rtol=1e-11, atol=1e-10)
    np.testing.assert_allclose(f.gradient(t, 0.3, 0.2)[:2], expected[:2], rtol=1e-11, atol=1e-10)
    if outside == "periodic":
        np.testing.assert_allclose(f.time(t + 3 * 2.4), expected, rtol=1e-8, atol=1e-8)
        np.testing.assert_allclose(f.time(t - 2.4), expected, rtol=1e-8, atol=1e-8)


@pytest.mark.parametrize("count", [2, 3, 4])
def test_short_splines(count: int) -> None:
    reference = CubicSpline(X[:count], Y[:count])
    assert Function(table(POINTS[:count], "cubic")).time(0.0)[0] == pytest.approx(float(reference(0.0)))


@given(t=st.floats(-0.4, 1.9999))
def test_linear_tables(t: float) -> None:
    f = Function(table(POINTS))
    i = np.searchsorted(X, t, side="right") - 1
    expected = [np.interp(t, X, Y), (Y[i + 1] - Y[i]) / (X[i + 1] - X[i]), 0.0]
    np.testing.assert_allclose(f.time(t), expected, rtol=1e-13, atol=1e-13)


@pytest.mark.parametrize("interpolation", ["linear", "cubic"])
def test_outside_a_table(interpolation: str) -> None:
    points = [[0.0, 1.0], [1.0, 3.0], [4.0, 2.0], [5.0, 6.0]]
    hold = Function(table(points, interpolation, "hold"))
    assert hold.time(-7.0).tolist() == [1.0, 0.0, 0.0]
    assert hold.time(5.0).tolist() == [6.0, 0.0, 0.0]
    error = Function(table(points, interpolation, "error"))
    assert np.isnan(error.time(-0.1)).all()
    assert np.isnan(error.time(np.nan)).all()
    assert error.time(5.0 + 1e-12)[0] == pytest.approx(6.0)
    assert error.program.domain == (0.0, 5.0)


def test_table_entries_may_use_parameters() -> None:
    assert Function(table([[0, "a"], ["n", "2*a"]])).time(3.0)[0] == pytest.approx(3.4)


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        (table([[0, 1]]), "at least two"),
        (table([[0, 1], [0, 2]]), "point 2"),
        (table([[0, 1], [2, 2], [1, 2]]), "sort the points"),
        (table([[0, 1], [1]]), r"give \[t, value\]"),
        (table([[0, 1], [1, math.nan]]), "point 2 of the table: nan is not a finite number"),
        (table([[0, 1], [1, 2]], "spline"), "known: linear, cubic"),
        (table([[0, 1], [1, 2]], "linear", "stop"), "known: hold"),
        (table([[0, 1], [1, 2], [2, 3]], "cubic", "periodic"), "first value"),
        (table([[0, 1], [1, "1/0"]]), "point 2 of the table: 1 / 0 divides by zero"),
        (table([[0, 1], [None, 2]]), "point 2"),
        (math.inf, "finite"),
        (10**400, "finite"),
        (None, "no function"),
        ([1, 2], "no function"),
    ],
)
def test_messages_about_tables(spec: object, words: str) -> None:
    with pytest.raises(FunctionError, match=words):
        compile_function(spec)  # type: ignore[arg-type]


# knots


def test_knots_of_tables_and_corners() -> None:
    assert compile_function(table(POINTS)).knots == tuple(X)
    assert compile_function(table(POINTS, "cubic", "hold")).knots == (-0.4, 2.0)
    assert compile_function(table(POINTS, "cubic", "error")).knots == ()
    assert compile_function("if(t < 2, 1, 0) + abs(3 - 2*t)").knots == (1.5, 2.0)
    assert compile_function("ramp(t, 1, 0, 3, 5)").knots == (1.0, 3.0)
    assert compile_function("pulse(t, 1, 2) - clamp(2*t, 8, 10)").knots == (1.0, 2.0, 4.0, 5.0)
    assert compile_function("step(t, 1, 0, p, 5)", parameters={"p": 4.0}).knots == (1.0, 4.0)
    assert compile_function("if(x < 2, t, 0)", variables=LAW).knots == ()
    assert compile_function("abs(sin(t)) + min(t, t)").knots == ()


def test_periodic_knots_are_found_one_after_the_other() -> None:
    program = compile_function(table([[1, 0], [1.25, 1], [2, 0]], "linear", "periodic"))
    t, found = 0.1, []
    while (t := program.next_knot(t)) < 3.0:
        found.append(t)
    assert found == [0.25, 1.0, 1.25, 2.0, 2.25]
    assert program.next_knot(1e9 + 0.5) == 1e9 + 1.0
    assert compile_function("t").next_knot(0.0) == math.inf
    assert compile_function("abs(t - 1)").next_knot(0.5) == 1.0
    assert compile_function("abs(t - 1)").next_knot(1.0) == math.inf


@pytest.mark.parametrize("period", [2e-12, 0.1, 1.0 / 3.0, 7e5])
def test_the_next_knot_is_always_later(period: float) -> None:
    program = compile_function(table([[0, 0], [0.3 * period, 1], [period, 0]], "linear", "periodic"))
    t = 0.0
    for _ in range(1000):
        later = program.next_knot(t)
        assert t < later <= t + 0.71 * period
        t = later


# programs


def test_new_numbers_keep_the_code() -> None:
    texts = ["k*sin(w*t + 2) - 3/k + t^n", "0*sin(1*t + 0) - 3/8 + t^2"]
    old = compile_function(texts[0], parameters={"k": 2.0, "w": 3.0, "n": 2.0})
    new = compile_function(texts[0], parameters={"k": 4.0, "w": 0.0, "n": 1.0})
    assert np.array_equal(old.code, new.code)
    assert not np.array_equal(old.data, new.data)
    assert np.array_equal(old.code, compile_function(texts[1]).code)

    arena = pack([compile_function(1.0), old, compile_function("t")])
    out, stack = np.empty(3), np.empty(stack_size([old]))
    assert refresh(arena, 1, new)
    time_jet(arena.code, arena.data, int(arena.starts[1]), 0.7, stack, out)
    assert out[0] == pytest.approx(4 * math.sin(2) - 0.75 + 0.7)
    assert not refresh(arena, 1, compile_function("t"))
    assert not refresh(arena, 2, compile_function(table(POINTS)))


def test_tables_refresh_when_their_size_stays() -> None:
    arena = pack([compile_function(table(POINTS, "cubic"))])
    assert refresh(arena, 0, compile_function(table([[x, 2 * y] for x, y in POINTS], "natural", "error")))
    assert not refresh(arena, 0, compile_function(table(POINTS[:-1], "cubic")))


def test_constants_are_folded() -> None:
    program = compile_function("2*pi*n + sqrt(a)", parameters=PARAMETERS)
    assert program.uses == frozenset()
    assert len(program.data) == program.stack_depth == 1
    assert compile_function("x + 0*v", variables=LAW).uses == {"x", "v"}
    assert pack([]).code.size == 0


def test_names_are_checked_with_their_column() -> None:
    with pytest.raises(ExpressionError, match=r"unknown name 'x'.*column 5") as caught:
        compile_function("2 + x*t", parameters={"k": 1.0})
    assert caught.value.column == 5
    with pytest.raises(ExpressionError, match="divides by zero"):
        compile_function("t/k", parameters={"k": 0.0})
    guarded = compile_function("if(k > 0, t/k, 1)", parameters={"k": 0.0})
    assert guarded.data.size == 3
    with pytest.raises(ExpressionError, match="unknown name"):
        compile_function("if(t > 0, 1/q, 1)")
    with pytest.raises(ValueError, match="unknown variables"):
        compile_function("y", variables=("t", "y"))


def test_a_guarded_branch_is_not_taken() -> None:
    program = compile_function("if(k > 0, t/k, 1 + 2*t)", parameters={"k": 0.0})
    out = np.empty(3)
    time_jet(program.code, program.data, 0, 0.5, np.empty(stack_size([program])), out)
    assert out.tolist() == [2.0, 2.0, 0.0]


@numba.njit(error_model="numpy")
def call_all(code: Ints, data: Array, start: int, stack: Array, out: Array, count: int) -> None:
    for i in range(count):
        law_gradient(code, data, start, 0.01 * i, -0.2, 0.3, stack, out)
        out[0] = law_value(code, data, start, 0.01 * i, 0.2, 0.3, stack)
        time_jet(code, data, start, 0.01 * i, stack, out)


@pytest.mark.parametrize(
    "spec", ["if(x > 0, step(t, 0, a, 1, b)*x^2.5, atan2(x, v))", table(POINTS, "cubic")], ids=str
)
def test_kernels_allocate_nothing(spec: FunctionLike) -> None:
    f = Function(spec, LAW)
    out = np.empty(4)
    call_all(f.code, f.data, f.start, f.stack, out, 1)
    nrt.memsys_enable_stats()
    try:
        counts = []
        for calls in (1, 1000):  # passing the arrays from Python counts as well, but only once
            before = rtsys.get_allocation_stats()
            call_all(f.code, f.data, f.start, f.stack, out, calls)
            counts.append(np.subtract(rtsys.get_allocation_stats(), before).tolist())
    finally:
        nrt.memsys_disable_stats()
    assert counts[0] == counts[1]
