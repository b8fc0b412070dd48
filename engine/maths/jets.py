"""Kernels that run the programs of `functions`: values with exact derivatives by truncated Taylor arithmetic.

A program is straight-line code for a stack machine. Its entries are jets: a value and its derivatives.

    time_jet      f, f', f''
    law_value     f
    law_gradient  f, f_t, f_x, f_v

`start` is the program's place in the code, `stack` is scratch of at least `stack_size(programs)` floats.
Outside its domain a function is NaN or infinite. Where a derivative jumps it is the one from the right in
tables, that of the chosen side in min, max and if, and 0 for abs, sign, floor, ceil and comparisons.
"""

import numpy as np

from engine.compiled.kernel import kernel
from engine.maths import opcodes as ops
from engine.maths.functions import (
    HEADER,
    HOLD,
    PERIODIC,
    TABLE_HEADER,
    Array,
    Ints,
    Program,
    pack,
    stack_size,
)

Two = tuple[float, float, float]  # g, g', g''
Six = tuple[float, float, float, float, float, float]  # g, g_a, g_b, g_aa, g_ab, g_bb

LN10 = float(np.log(10.0))
WHOLE_POWER = 64  # whole exponents up to here are products: exact for polynomials, and no logarithm
TABLE_SLACK = 1e-9  # of the length of a table: rounding beyond its ends is no error


@kernel
def table_row(data: Array, at: int, u: float) -> Two:
    """Piecewise cubic: data holds n, outside, the abscissas, then four coefficients per interval."""
    n, outside = int(data[at]), int(data[at + 1])
    knots = at + TABLE_HEADER
    first, last = data[knots], data[knots + n - 1]
    span = last - first
    if outside == PERIODIC:
        u = first + (u - first) % span
    elif outside == HOLD and u < first:
        return data[knots + n], 0.0, 0.0
    elif outside == HOLD and u >= last:
        return data[knots + n + 4 * (n - 1)], 0.0, 0.0
    elif not (first - TABLE_SLACK * span <= u <= last + TABLE_SLACK * span):
        return np.nan, np.nan, np.nan

    # the interval with knot[low] <= u < knot[low + 1]
    low, high = 0, n - 1
    while high - low > 1:
        middle = (low + high) // 2
        if data[knots + middle] <= u:
            low = middle
        else:
            high = middle
    s, c = u - data[knots + low], knots + n + 4 * low
    c0, c1, c2, c3 = data[c], data[c + 1], data[c + 2], data[c + 3]
    return c0 + s * (c1 + s * (c2 + s * c3)), c1 + s * (2.0 * c2 + 3.0 * s * c3), 2.0 * c2 + 6.0 * s * c3


@kernel
def power_row(u: float, p: float) -> Two:
    """u^p for an exponent that does not vary."""
    if 2.0 <= p <= WHOLE_POWER and p == np.floor(p):
        w = 1.0  # u^(p - 2)
        for _ in range(int(p) - 2):
            w *= u
        return w * u * u, p * w * u, p * (p - 1.0) * w
    slope = p * u ** (p - 1.0) if p != 0.0 else 0.0
    bend = p * (p - 1.0) * u ** (p - 2.0) if p != 0.0 and p != 1.0 else 0.0
    return u**p, slope, bend


@kernel
def unary(op: int, u: float, data: Array, at: int) -> Two:
    """g(u) and its two derivatives; `at` is the operation's own entry in the data, if it has one."""
    if op == ops.SCALE:
        return data[at] * u, data[at], 0.0
    if op == ops.OFFSET:
        return u + data[at], 1.0, 0.0
    if op == ops.POWER_CONSTANT:
        return power_row(u, data[at])
    if op == ops.TABLE:
        return table_row(data, at, u)
    if op == ops.NEGATE:
        return -u, -1.0, 0.0
    if op == ops.NOT:
        return 1.0 if u == 0.0 else 0.0, 0.0, 0.0
    if op == ops.SIN:
        g, h = np.sin(u), np.cos(u)
        return g, h, -g
    if op == ops.COS:
        g, h = np.cos(u), np.sin(u)
        return g, -h, -g
    if op == ops.TAN:
        g = np.tan(u)
        return g, 1.0 + g * g, 2.0 * g * (1.0 + g * g)
    if op == ops.ASIN:
        h = 1.0 / np.sqrt(1.0 - u * u)
        return np.arcsin(u), h, u * h * h * h
    if op == ops.ACOS:
        h = 1.0 / np.sqrt(1.0 - u * u)
        return np.arccos(u), -h, -u * h * h * h
    if op == ops.ATAN:
        h = 1.0 / (1.0 + u * u)
        return np.arctan(u), h, -2.0 * u * h * h
    if op == ops.SINH:
        g = np.sinh(u)
        return g, np.cosh(u), g
    if op == ops.COSH:
        g = np.cosh(u)
        return g, np.sinh(u), g
    if op == ops.TANH:
        g = np.tanh(u)
        h = 1.0 - g * g
        return g, h, -2.0 * g * h
    if op == ops.EXP:
        g = np.exp(u)
        return g, g, g
    if op == ops.LOG:
        return np.log(u), 1.0 / u, -1.0 / (u * u)
    if op == ops.LOG10:
        h = 1.0 / (u * LN10)
        return np.log10(u), h, -h / u
    if op == ops.SQRT:
        g = np.sqrt(u)
        return g, 0.5 / g, -0.25 / (g * u)
    if op == ops.ABS:
        return abs(u), np.sign(u), 0.0
    if op == ops.SIGN:
        return np.sign(u), 0.0, 0.0
    if op == ops.FLOOR:
        return np.floor(u), 0.0, 0.0
    if op == ops.CEIL:
        return np.ceil(u), 0.0, 0.0
    if op == ops.SMOOTH:
        if u <= 0.0:
            return 0.0, 0.0, 0.0
        if u >= 1.0:
            return 1.0, 0.0, 0.0
        r = u * (1.0 - u)
        return u * u * u * (10.0 + u * (6.0 * u - 15.0)), 30.0 * r * r, 60.0 * r * (1.0 - 2.0 * u)
    return np.nan, np.nan, np.nan


@kernel
def truth(op: int, a: float, b: float) -> bool:
    if op == ops.LESS:
        return a < b
    if op == ops.LESS_EQUAL:
        return a <= b
    if op == ops.GREATER:
        return a > b
    if op == ops.GREATER_EQUAL:
        return a >= b
    if op == ops.EQUAL:
        return a == b
    if op == ops.NOT_EQUAL:
        return a != b
    if op == ops.AND:
        return a != 0.0 and b != 0.0
    return a != 0.0 or b != 0.0


@kernel
def binary(op: int, a: float, b: float) -> Six:
    """g(a, b) with its first and second derivatives."""
    if op == ops.ADD:
        return a + b, 1.0, 1.0, 0.0, 0.0, 0.0
    if op == ops.SUBTRACT:
        return a - b, 1.0, -1.0, 0.0, 0.0, 0.0
    if op == ops.MULTIPLY:
        return a * b, b, a, 0.0, 1.0, 0.0
    if op == ops.DIVIDE:
        g, r = a / b, 1.0 / b
        return g, r, -g * r, 0.0, -r * r, 2.0 * g * r * r
    if op == ops.POWER:
        g = a**b
        w = np.log(a) if a > 0.0 else 0.0
        h = a ** (b - 1.0)
        return g, b * h, g * w, b * (b - 1.0) * a ** (b - 2.0), h * (1.0 + b * w), g * w * w
    if op == ops.ATAN2:
        q = a * a + b * b
        if q == 0.0:
            return np.arctan2(a, b), 0.0, 0.0, 0.0, 0.0, 0.0
        ga, gb = b / q, -a / q
        return np.arctan2(a, b), ga, gb, 2.0 * ga * gb, gb * gb - ga * ga, -2.0 * ga * gb
    if op == ops.HYPOT:
        g = np.hypot(a, b)
        if g == 0.0:
            return 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
        ga, gb = a / g, b / g
        return g, ga, gb, gb * gb / g, -ga * gb / g, ga * ga / g
    if op == ops.MOD:
        return a % b, 1.0, -np.floor(a / b), 0.0, 0.0, 0.0
    if op == ops.MIN:
        if a <= b or np.isnan(a):
            return a, 1.0, 0.0, 0.0, 0.0, 0.0
        return b, 0.0, 1.0, 0.0, 0.0, 0.0
    if op == ops.MAX:
        if a >= b or np.isnan(a):
            return a, 1.0, 0.0, 0.0, 0.0, 0.0
        return b, 0.0, 1.0, 0.0, 0.0, 0.0
    return 1.0 if truth(op, a, b) else 0.0, 0.0, 0.0, 0.0, 0.0, 0.0


@kernel
def variable(index: int, t: float, x: float, v: float) -> float:
    if index == 0:
        return t
    return x if index == 1 else v


@kernel
def push(
    op: int,
    arg: int,
    t: float,
    x: float,
    v: float,
    data: Array,
    base: int,
    stack: Array,
    top: int,
    width: int,
) -> None:
    """Put a constant or a variable on the stack."""
    for k in range(1, width):
        stack[top + k] = 0.0
    if op == ops.VARIABLE:
        stack[top] = variable(arg, t, x, v)
        stack[top + 1 + arg] = 1.0
    else:
        stack[top] = data[base + arg]


# The chain rule, for every kernel below, with i and j running over the variables:
#   g(u)     f_i  = g' u_i            f_ij = g' u_ij + g'' u_i u_j
#   g(a, b)  f_i  = g_a a_i + g_b b_i
#            f_ij = g_a a_ij + g_b b_ij + g_aa a_i a_j + g_ab (a_i b_j + b_i a_j) + g_bb b_i b_j


@kernel
def time_jet(code: Ints, data: Array, start: int, t: float, stack: Array, out: Array) -> None:
    """out[0:3] = f, f', f'' of a function of time."""
    base, pc = code[start + 1], start + HEADER
    end = pc + code[start]
    top = -3
    while pc < end:
        op, arg = code[pc], code[pc + 1]
        pc += 2
        if op >= ops.BINARY:
            a, b = top - 3, top
            g, ga, gb, gaa, gab, gbb = binary(op, stack[a], stack[b])
            p, q = stack[a + 1], stack[b + 1]
            stack[a] = g
            stack[a + 1] = ga * p + gb * q
            stack[a + 2] = (
                ga * stack[a + 2] + gb * stack[b + 2] + gaa * p * p + 2.0 * gab * p * q + gbb * q * q
            )
            top = a
        elif op >= ops.UNARY:
            g, g1, g2 = unary(op, stack[top], data, base + arg)
            p = stack[top + 1]
            stack[top], stack[top + 1], stack[top + 2] = g, g1 * p, g1 * stack[top + 2] + g2 * p * p
        elif op == ops.SELECT:
            top -= 6
            chosen = top + 3 if stack[top] != 0.0 else top + 6
            for k in range(3):
                stack[top + k] = stack[chosen + k]
        else:
            top += 3
            vary = op == ops.VARIABLE
            stack[top] = t if vary else data[base + arg]
            stack[top + 1], stack[top + 2] = 1.0 if vary else 0.0, 0.0
    out[0], out[1], out[2] = stack[0], stack[1], stack[2]


@kernel
def law_value(code: Ints, data: Array, start: int, t: float, x: float, v: float, stack: Array) -> float:
    """f of a function of time, coordinate and rate."""
    base, pc = code[start + 1], start + HEADER
    end = pc + code[start]
    top = -1
    while pc < end:
        op, arg = code[pc], code[pc + 1]
        pc += 2
        if op >= ops.BINARY:
            top -= 1
            stack[top] = binary(op, stack[top], stack[top + 1])[0]
        elif op >= ops.UNARY:
            stack[top] = unary(op, stack[top], data, base + arg)[0]
        elif op == ops.SELECT:
            top -= 2
            stack[top] = stack[top + 1] if stack[top] != 0.0 else stack[top + 2]
        else:
            top += 1
            stack[top] = variable(arg, t, x, v) if op == ops.VARIABLE else data[base + arg]
    return float(stack[0])


@kernel
def law_gradient(
    code: Ints, data: Array, start: int, t: float, x: float, v: float, stack: Array, out: Array
) -> None:
    """out[0:4] = f, f_t, f_x, f_v of a function of time, coordinate and rate."""
    base, pc = code[start + 1], start + HEADER
    end = pc + code[start]
    top = -4
    while pc < end:
        op, arg = code[pc], code[pc + 1]
        pc += 2
        if op >= ops.BINARY:
            top -= 4
            g, ga, gb, _, _, _ = binary(op, stack[top], stack[top + 4])
            stack[top] = g
            for i in range(top + 1, top + 4):
                stack[i] = ga * stack[i] + gb * stack[i + 4]
        elif op >= ops.UNARY:
            g, g1, _ = unary(op, stack[top], data, base + arg)
            stack[top] = g
            for i in range(top + 1, top + 4):
                stack[i] *= g1
        elif op == ops.SELECT:
            top -= 8
            chosen = top + 4 if stack[top] != 0.0 else top + 8
            for k in range(4):
                stack[top + k] = stack[chosen + k]
        else:
            top += 4
            push(op, arg, t, x, v, data, base, stack, top, 4)
    for k in range(4):
        out[k] = stack[k]


def sampled(program: Program, at: Array) -> Array:
    """f, f' and f'' of a function of one variable at some places, shape (n, 3)."""
    arena, stack, out = pack([program]), np.zeros(max(3, stack_size([program]))), np.zeros((len(at), 3))
    for x, row in zip(at, out, strict=True):
        time_jet(arena.code, arena.data, 0, x, stack, row)
    return out
