"""The expression language: values, names, messages with columns, and hostile input."""

import math
import subprocess
import sys
import time
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.maths.expressions import (
    MAX_DEPTH,
    MAX_LENGTH,
    Expression,
    ExpressionError,
    parse,
    quote_name,
    replace_names,
)
from engine.maths.opcodes import FUNCTIONS, OPERATIONS, OPERATORS, RESERVED

Case = tuple[str, Callable[[float], float]]


def value(text: str, **names: float) -> float:
    return parse(text).value(names)


# random expressions: the text, and the same thing written in Python

UNARY: dict[str, Callable[[float], float]] = {
    "sin": math.sin,
    "cos": math.cos,
    "atan": math.atan,
    "tanh": math.tanh,
    "abs": abs,
    "floor": math.floor,
}
BINARY: dict[str, Callable[[float, float], float]] = {
    "atan2": math.atan2,
    "hypot": math.hypot,
    "min": min,
    "max": max,
}
INFIX: dict[str, Callable[[float, float], float]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "<": lambda a, b: float(a < b),
    ">=": lambda a, b: float(a >= b),
}


def leaves() -> st.SearchStrategy[Case]:
    numbers = st.floats(0.0, 1e3).map(lambda c: (repr(c), lambda x: c))
    return numbers | st.just(("x", lambda x: x)) | st.just(("pi", lambda x: math.pi))


def branches(inner: st.SearchStrategy[Case]) -> st.SearchStrategy[Case]:
    def one(name: str, a: Case) -> Case:
        return f"{name}({a[0]})", lambda x: UNARY[name](a[1](x))

    def two(name: str, a: Case, b: Case) -> Case:
        return f"{name}({a[0]}, {b[0]})", lambda x: BINARY[name](a[1](x), b[1](x))

    def infix(name: str, a: Case, b: Case) -> Case:
        return f"({a[0]}) {name} ({b[0]})", lambda x: INFIX[name](a[1](x), b[1](x))

    def choice(c: Case, a: Case, b: Case) -> Case:
        return f"if({c[0]}, {a[0]}, {b[0]})", lambda x: a[1](x) if c[1](x) else b[1](x)

    return (
        st.builds(one, st.sampled_from(sorted(UNARY)), inner)
        | st.builds(two, st.sampled_from(sorted(BINARY)), inner, inner)
        | st.builds(infix, st.sampled_from(sorted(INFIX)), inner, inner)
        | st.builds(choice, inner, inner, inner)
        | inner.map(lambda a: (f"-({a[0]})", lambda x: -a[1](x)))
    )


@given(case=st.recursive(leaves(), branches, max_leaves=12), x=st.floats(-10.0, 10.0))
def test_values_are_those_of_python(case: Case, x: float) -> None:
    text, reference = case
    expected = reference(x)
    if len(text) <= MAX_LENGTH and math.isfinite(expected) and abs(expected) < 1e200:
        assert value(text, x=x) == pytest.approx(expected, rel=1e-12, abs=1e-300)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1e-3 + .5 + 2.", 2.501),
        ("-2^2", -4.0),
        ("2^3^2", 512.0),
        ("2**-1", 0.5),
        ("2 - 3 - 4", -5.0),
        ("24 / 4 / 2 * 3", 9.0),
        ("- -3", 3.0),
        ("1 < 2 and not 2 < 1 or 0", 1.0),
        ("not 1 + 1", 0.0),
        ("1 != 1", 0.0),
        ("mod(-1, 3)", 2.0),
        ("max(1, 5, 3) + min(4, 2, 3)", 7.0),
        ("hypot(2, 3, 6)", 7.0),
        ("log(e) + log10(100) + sign(-2) + ceil(0.2)", 3.0),
        ("if(1 > 2, 1/0, 7)", 7.0),
        ("0 and 1/0", 0.0),
        ("3 − 2·2×2", -5.0),
        ("2*π - tau", 0.0),
        ("clamp(5, 0, 2) + clamp(-1, 0, 2)", 2.0),
        ("step(0.5, 0, 1, 1, 3)", 2.0),
        ("step(-1, 0, 1, 1, 3) + step(2, 0, 1, 1, 3)", 4.0),
        ("ramp(0.25, 0, 0, 1, 4)", 1.0),
        ("pulse(1, 1, 2) + pulse(2, 1, 2)", 1.0),
        ("pulse(1.5, 1, 2, 0.1)", 1.0),
    ],
)
def test_values(text: str, expected: float) -> None:
    assert value(text) == pytest.approx(expected, rel=1e-14, abs=1e-14)


def test_names_may_be_channels_and_quoted() -> None:
    expression = parse('body.crank.pos.x - body."left crank".pos.x + "spring-2" + pi')
    assert expression.names == {"body.crank.pos.x", "body.left crank.pos.x", "spring-2"}
    assert (
        expression.value({"body.crank.pos.x": 5.0, "body.left crank.pos.x": 1.0, "spring-2": -math.pi}) == 4.0
    )


def test_equality_ignores_blanks_and_brackets() -> None:
    assert parse("a+b *2") == parse("a + (b*2)")
    assert hash(parse("a+b")) == hash(parse("a + b"))
    assert parse("a - b") != parse("b - a")
    assert repr(parse("a+1")) == "Expression(text='a+1')"
    assert isinstance(parse("1"), Expression)


def test_renaming_keeps_the_rest_as_written() -> None:
    text = "2*L1 + sin( L1 ) - L10"
    assert replace_names(text, {"L1": "left-arm"}) == '2*"left-arm" + sin( "left-arm" ) - L10'
    assert quote_name("body.left crank.pos.x") == 'body."left crank".pos.x'


def test_a_long_sum_is_no_deep_nesting() -> None:
    assert value("+".join(["1"] * 900)) == 900.0


@pytest.mark.parametrize(
    ("text", "column", "words"),
    [
        ("", 1, "empty"),
        ("1 +", 4, "expected"),
        ("2t", 2, "2*t"),
        ("1,5", 2, "point"),
        ("(1 + 2", 1, "not closed"),
        ("1 + 2)", 6, "closes nothing"),
        ("sin + 1", 1, "sin(…)"),
        ("sni(1)", 1, "did you mean 'sin'"),
        ("sin(1, 2)", 1, "1 argument"),
        ("min(1)", 1, "2 or more"),
        ("step(t, 1)", 1, "t0, x0, t1, x1"),
        ("a = 2", 3, "=="),
        ("1 < 2 < 3", 7, "chained"),
        ("5 % 3", 3, "mod"),
        ("x²", 2, "^2"),
        ("1e999", 1, "too large"),
        ('"a', 1, "double quote"),
        ('""', 1, "empty part"),
        ("3 + 'os'", 5, "double quotes"),
    ],
)
def test_messages_name_the_place_and_the_cure(text: str, column: int, words: str) -> None:
    with pytest.raises(ExpressionError) as caught:
        parse(text)
    assert caught.value.column == column
    assert words in str(caught.value)


@pytest.mark.parametrize(
    ("text", "column", "words"),
    [
        ("1 + 1/0", 6, "divides by zero"),
        ("sqrt(0 - 2)", 1, "sqrt(-2) is not a real number"),
        ("(-8)^(1/3)", 5, "not a real number"),
        ("log(0)", 1, "not a real number"),
        ("exp(1000)", 1, "too large"),
        ("1e300*1e300", 6, "too large"),
        ("2*L3", 3, "did you mean 'L1'"),
        ("zzz", 1, "known here: L1"),
    ],
)
def test_values_that_do_not_exist(text: str, column: int, words: str) -> None:
    with pytest.raises(ExpressionError) as caught:
        value(text, L1=1.0)
    assert caught.value.column == column
    assert words in str(caught.value)


HOSTILE = [
    "__import__('os')",
    "().__class__",
    "(1).__class__",
    "9**9**9",
    "9**9**9**9**9",
    "(" * 5000,
    "(" * 900 + "1" + ")" * 900,
    "-" * 1500 + "1",
    "2^" * 900 + "2",
    "not " * 400 + "1",
    "sin(" * 300 + "1" + ")" * 300,
    "1*" * 900 + "1" + "+",
    "1" * 1_000_000,
    "step(t,0," * 150 + "1" + ",1,1)" * 150,
    "ｓｉｎ(1)",
    "lambda: 1",
    "[x for x in y]",
    "a\x00b",
    "1_000",
    "٣ + 1",
    "t := 3",
    "x\u200b+1",
    "\u202esin(1)",
    "1j",
    "0x10",
    "nan",
    "inf",
    "a.b.__class__()",
    'open("/etc/passwd")',
]


@pytest.mark.parametrize("text", HOSTILE, ids=lambda text: ascii(text[:20]))
def test_hostile_input_fails_fast_and_short(text: str) -> None:
    begin = time.perf_counter()
    with pytest.raises(ExpressionError) as caught:
        parse(text).value({"t": 1.0, "x": 1.0})
    assert time.perf_counter() - begin < 0.5
    assert len(str(caught.value)) < 500


@given(st.text(max_size=80) | st.text(alphabet='tx12.()+-*/^<>=!,"e andornot', max_size=80))
def test_any_text_gives_a_tree_or_an_expression_error(text: str) -> None:
    column = 1
    try:
        parse(text).value({"t": 0.3, "x": -2.0})
    except ExpressionError as error:
        column = error.column
    assert 1 <= column <= len(text) + 1


def test_nesting_up_to_the_limit_works() -> None:
    levels = MAX_DEPTH - 1
    assert value("(" * levels + "1" + ")" * levels) == 1.0


def test_every_function_is_reserved_and_reachable() -> None:
    assert set(FUNCTIONS) >= set(OPERATIONS) - OPERATORS
    assert {"step", "pulse", "ramp", "pi", "and", "if"} <= RESERVED


def test_importing_the_parser_needs_no_numerics() -> None:
    check = "import sys, engine.maths.expressions; print(*{'numpy', 'numba', 'scipy'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", check], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("60 rpm*t", 4.0 * math.pi),  # one turn per second, two seconds
        ("120 deg*t", 4.0 * math.pi / 3.0),
        ("90°", math.pi / 2.0),
        ("1e3 mm + 2cm", 1.02),
        ("3 m/s²*t^2", 12.0),
        ("(2 mm)^2", 4e-6),
        ("min(2 min, 1 h)", 120.0),
        ("5 N·m/2", 2.5),
    ],
)
def test_issue_18_numbers_carry_units(text: str, value: float) -> None:
    assert parse(text).value({"t": 2.0}) == pytest.approx(value, rel=1e-14)


@pytest.mark.parametrize("text", ["2 t", "2 mm^2", "2 mm**2", "2 Hz", "2 furlong", "mm", "2 m(3)"])
def test_what_could_mean_two_things_is_no_unit(text: str) -> None:
    with pytest.raises(ExpressionError):
        parse(text).value({"t": 2.0})
