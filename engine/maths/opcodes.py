"""The vocabulary of the expression language: one table for the parser, the evaluator and the compiler.

A new function is one line in `OPERATIONS` and one branch in `unary` or `binary` of `engine/maths/jets.py`; a
function that can be written with others is one line in `MACROS`, and nothing else.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

VARIABLES = ("t", "x", "v")  # time, the element's own coordinate, its rate
CONSTANTS = {"pi": math.pi, "π": math.pi, "tau": math.tau, "e": math.e}
KEYWORDS = frozenset({"and", "or", "not"})

# machine instructions without a name in the language; each takes one argument from the code
CONSTANT, VARIABLE, SELECT = 0, 1, 2

# f(u) with an entry or a record in the data, then f(u), then f(a, b)
UNARY = 10
SCALE, OFFSET, POWER_CONSTANT, TABLE = 10, 11, 12, 13
NEGATE, NOT, SIN, COS, TAN, ASIN, ACOS, ATAN, SINH, COSH, TANH = 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30
EXP, LOG, LOG10, SQRT, ABS, SIGN, FLOOR, CEIL, SMOOTH = 31, 32, 33, 34, 35, 36, 37, 38, 39
BINARY = 60
ADD, SUBTRACT, MULTIPLY, DIVIDE, POWER, ATAN2, HYPOT, MOD, MIN, MAX = 60, 61, 62, 63, 64, 65, 66, 67, 68, 69
LESS, LESS_EQUAL, GREATER, GREATER_EQUAL, EQUAL, NOT_EQUAL, AND, OR = 70, 71, 72, 73, 74, 75, 76, 77


@dataclass(frozen=True, slots=True)
class Operation:
    """What the language can do. `value` works on floats and raises as `math` does."""

    opcode: int
    arity: int  # the least number of arguments
    value: Callable[..., float]
    variadic: bool = False  # more arguments are folded from the left

    def __post_init__(self) -> None:
        if self.opcode != SELECT and (self.opcode >= BINARY) != (self.arity == 2):
            raise ValueError(f"opcode {self.opcode} lies in the wrong range for {self.arity} arguments")


def _sign(u: float) -> float:
    return math.copysign(1.0, u) if u else 0.0


def smooth_step(u: float) -> float:
    """0 for u ≤ 0, 1 for u ≥ 1, the quintic 10u³ - 15u⁴ + 6u⁵ between: C2, no jump in acceleration."""
    s = min(max(u, 0.0), 1.0)
    return s * s * s * (10.0 + s * (6.0 * s - 15.0))


OPERATIONS: dict[str, Operation] = {
    # operators; minus is "neg", and a - b is a + (-b)
    "+": Operation(ADD, 2, lambda a, b: a + b, variadic=True),
    "*": Operation(MULTIPLY, 2, lambda a, b: a * b),
    "/": Operation(DIVIDE, 2, lambda a, b: a / b),
    "^": Operation(POWER, 2, math.pow),
    "neg": Operation(NEGATE, 1, lambda u: -u),
    "<": Operation(LESS, 2, lambda a, b: float(a < b)),
    "<=": Operation(LESS_EQUAL, 2, lambda a, b: float(a <= b)),
    ">": Operation(GREATER, 2, lambda a, b: float(a > b)),
    ">=": Operation(GREATER_EQUAL, 2, lambda a, b: float(a >= b)),
    "==": Operation(EQUAL, 2, lambda a, b: float(a == b)),
    "!=": Operation(NOT_EQUAL, 2, lambda a, b: float(a != b)),
    "and": Operation(AND, 2, lambda a, b: float(a != 0.0 and b != 0.0), variadic=True),
    "or": Operation(OR, 2, lambda a, b: float(a != 0.0 or b != 0.0), variadic=True),
    "not": Operation(NOT, 1, lambda u: float(u == 0.0)),
    # functions
    "abs": Operation(ABS, 1, abs),
    "acos": Operation(ACOS, 1, math.acos),
    "asin": Operation(ASIN, 1, math.asin),
    "atan": Operation(ATAN, 1, math.atan),
    "atan2": Operation(ATAN2, 2, math.atan2),
    "ceil": Operation(CEIL, 1, lambda u: float(math.ceil(u))),
    "cos": Operation(COS, 1, math.cos),
    "cosh": Operation(COSH, 1, math.cosh),
    "exp": Operation(EXP, 1, math.exp),
    "floor": Operation(FLOOR, 1, lambda u: float(math.floor(u))),
    "hypot": Operation(HYPOT, 2, math.hypot, variadic=True),
    "if": Operation(SELECT, 3, lambda c, a, b: a if c else b),
    "log": Operation(LOG, 1, math.log),
    "log10": Operation(LOG10, 1, math.log10),
    "max": Operation(MAX, 2, max, variadic=True),
    "min": Operation(MIN, 2, min, variadic=True),
    "mod": Operation(MOD, 2, lambda a, b: a % b),  # takes the sign of b
    "sign": Operation(SIGN, 1, _sign),
    "sin": Operation(SIN, 1, math.sin),
    "sinh": Operation(SINH, 1, math.sinh),
    "smooth": Operation(SMOOTH, 1, smooth_step),
    "sqrt": Operation(SQRT, 1, math.sqrt),
    "tan": Operation(TAN, 1, math.tan),
    "tanh": Operation(TANH, 1, math.tanh),
}
OPERATORS = frozenset({"+", "*", "/", "^", "neg", "<", "<=", ">", ">=", "==", "!=", "and", "or", "not"})

# functions written in the language itself: (name, number of arguments) → argument names, text
MACROS: dict[tuple[str, int], tuple[tuple[str, ...], str]] = {
    ("clamp", 3): (("u", "low", "high"), "min(max(u, low), high)"),
    # on from t0 to t1: sharp, or with smooth edges that begin at t0 and t1 and last r
    ("pulse", 3): (("t", "t0", "t1"), "t >= t0 and t < t1"),
    ("pulse", 4): (("t", "t0", "t1", "r"), "smooth((t - t0)/r) - smooth((t - t1)/r)"),
    # from x0 before t0 to x1 after t1: along a straight line, or along the quintic of `smooth_step`
    ("ramp", 5): (("t", "t0", "x0", "t1", "x1"), "x0 + (x1 - x0)*min(max((t - t0)/(t1 - t0), 0), 1)"),
    ("step", 5): (("t", "t0", "x0", "t1", "x1"), "x0 + (x1 - x0)*smooth((t - t0)/(t1 - t0))"),
    # the same with a trapezoid of speed: r long faster, then steady, r long slower. At a steady speed of 1
    # the way is c²/2r at first, then the steady part, and d - d²/2r at last; in all t1 - t0 - r
    ("trapezoid", 6): (
        ("t", "t0", "x0", "t1", "x1", "r"),
        "x0 + (x1 - x0)/(t1 - t0 - r)*(min(max(t - t0, 0), r)^2/(2*r)"
        " + min(max(t - t0 - r, 0), t1 - t0 - 2*r)"
        " + min(max(t - t1 + r, 0), r) - min(max(t - t1 + r, 0), r)^2/(2*r))",
    ),
}

FUNCTIONS = tuple(sorted({*OPERATIONS} - OPERATORS | {name for name, _ in MACROS}))
RESERVED = frozenset({*FUNCTIONS, *CONSTANTS, *KEYWORDS})  # no parameter may have such a name
