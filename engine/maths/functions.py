"""Functions of the scene (number, expression or table) compiled to flat programs for the kernels of `jets`.

A program is code (int64) and data (float64). The code is a header (words of code, start of the data, size of
the data) and pairs (operation, argument); an argument is a place in the program's data or the number of a
variable. All numbers are in the data: other numbers or parameters in the same formula give the same code.
"""

import math
import reprlib
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from engine.maths import opcodes as ops
from engine.maths.expressions import Apply, FunctionError, Name, Node, Number, evaluate, parse, unknown_name
from engine.spelling import SHORT_LIKENESS, Spelling

Array = NDArray[np.float64]
Ints = NDArray[np.int64]

HEADER = 3  # words before the first instruction
TABLE_HEADER = 2  # numbers before the abscissas of a table: how many points, what is outside
HOLD, PERIODIC, ERROR = 0, 1, 2
OUTSIDE = {"hold": HOLD, "periodic": PERIODIC, "error": ERROR}
INTERPOLATION = ("linear", "cubic", "natural")  # cubic: not-a-knot spline (periodic where the table is)
JET = 4  # numbers in the widest stack entry
CLOSED = 1e-9  # of the largest value: ends of a periodic spline that differ by less are equal


class TableLike(Protocol):
    """What is read from a table: rows (t, value), how to go between them, what holds outside."""

    @property
    def points(self) -> Sequence[Sequence[float | str]]: ...
    @property
    def interpolation(self) -> str: ...
    @property
    def outside(self) -> str: ...


FunctionLike = float | int | str | TableLike


@dataclass(frozen=True, eq=False)
class Program:
    """One compiled function and what the solver should know about it."""

    code: Ints
    data: Array
    stack_depth: int  # jets
    uses: frozenset[str]  # the variables it depends on; empty for a constant
    knots: tuple[float, ...] = ()  # instants at which a derivative may jump, sorted
    period: float = 0.0  # the knots repeat with this period [s]; 0: they do not
    domain: tuple[float, float] = (-math.inf, math.inf)  # times outside give NaN

    def next_knot(self, t: float) -> float:
        """The first knot after t; infinite when there is none."""
        if not self.knots:
            return math.inf
        turn = math.floor((t - self.knots[0]) / self.period) if self.period else 0
        for shift in (self.period * turn, self.period * (turn + 1)):
            i = max(0, bisect_right(self.knots, t - shift) - 1)  # t − shift is rounded: look one knot back
            while i < len(self.knots) and self.knots[i] + shift <= t:
                i += 1
            if i < len(self.knots):
                return self.knots[i] + shift
        return math.inf


class Arena(NamedTuple):
    """Many programs in two arrays; starts[i] is what the kernels take as the start of program i."""

    code: Ints
    data: Array
    starts: Ints


def compile_function(
    spec: FunctionLike, *, variables: Sequence[str] = ("t",), parameters: Mapping[str, float] | None = None
) -> Program:
    """Compile a number, an expression or a table. Variables hide parameters of the same name.

    Raises FunctionError (ExpressionError with a column for expressions).
    """
    unknown = set(variables) - set(ops.VARIABLES)
    if unknown:
        raise ValueError(f"unknown variables {sorted(unknown)} (known: {', '.join(ops.VARIABLES)})")
    builder = _Builder(variables, parameters or {})
    if isinstance(spec, str):
        builder.emit(parse(spec).root)
        return builder.program()
    if isinstance(spec, int | float):
        builder.constant(_finite(spec))
        return builder.program()
    if all(hasattr(spec, name) for name in ("points", "interpolation", "outside")):
        return builder.table(spec)
    remedy = "give a number, an expression such as '0.2*sin(3*t)', or a table"
    raise FunctionError(f"{reprlib.repr(spec)} is no function; {remedy}")


def pack(programs: Sequence[Program]) -> Arena:
    """Put programs one behind the other."""
    code: list[Ints] = [program.code.copy() for program in programs]
    starts = np.zeros(len(programs), np.int64)
    word = number = 0
    for i, program in enumerate(programs):
        starts[i], code[i][1] = word, number
        word, number = word + len(program.code), number + len(program.data)
    data = [program.data for program in programs]
    return Arena(np.concatenate([*code, np.zeros(0, np.int64)]), np.concatenate([*data, np.zeros(0)]), starts)


def stack_size(programs: Sequence[Program]) -> int:
    """Floats of scratch that the kernels need for any of these programs."""
    return JET * max((program.stack_depth for program in programs), default=1)


def refresh(arena: Arena, index: int, program: Program) -> bool:
    """Write the numbers of a recompiled program into the arena; False, nothing done, if its code differs."""
    start = int(arena.starts[index])
    words, place, size = (int(word) for word in arena.code[start : start + HEADER])
    body = arena.code[start + HEADER : start + HEADER + words]
    if size != len(program.data) or not np.array_equal(body, program.code[HEADER:]):
        return False
    arena.data[place : place + size] = program.data
    return True


@dataclass
class _Builder:
    variables: Sequence[str]
    parameters: Mapping[str, float]
    words: list[int] = field(default_factory=list)
    data: list[float] = field(default_factory=list)
    uses: set[str] = field(default_factory=set)
    knots: set[float] = field(default_factory=set)
    depth: int = 0
    deepest: int = 0
    guarded: int = 0  # inside how many if-branches

    def program(self, period: float = 0.0, domain: tuple[float, float] = (-math.inf, math.inf)) -> Program:
        header = [len(self.words), 0, len(self.data)]
        code, data = np.array(header + self.words, np.int64), np.array(self.data, np.float64)
        knots = tuple(sorted(self.knots))
        return Program(code, data, self.deepest, frozenset(self.uses), knots, period, domain)

    # instructions

    def instruction(self, op: int, arg: int = 0, *, change: int = 0) -> None:
        self.words += [op, arg]
        self.depth += change
        self.deepest = max(self.deepest, self.depth)

    def with_number(self, op: int, value: float, *, change: int = 0) -> None:
        self.instruction(op, len(self.data), change=change)
        self.data.append(value)

    def constant(self, value: float) -> None:
        self.with_number(ops.CONSTANT, value, change=1)

    def variable(self, name: str) -> None:
        self.uses.add(name)
        self.instruction(ops.VARIABLE, ops.VARIABLES.index(name), change=1)

    # expressions

    def emit(self, node: Node) -> None:
        if isinstance(node, Name) and node.name in self.variables:
            self.variable(node.name)
        elif not isinstance(node, Apply) or not self.varies(node):
            self.constant(self.number(node))
        elif node.op == "+":
            self.sum(node)
        elif node.op == "*" and not all(map(self.varies, node.args)):
            varying, constant = sorted(node.args, key=self.varies, reverse=True)
            self.emit(varying)
            self.with_number(ops.SCALE, self.number(constant))
        elif node.op == "/" and not self.varies(node.args[1]):
            self.emit(node.args[0])
            self.with_number(ops.SCALE, self.number(replace(node, args=(Number(1.0), node.args[1]))))
        elif node.op == "^" and not self.varies(node.args[1]):
            self.emit(node.args[0])
            self.with_number(ops.POWER_CONSTANT, self.number(node.args[1]))
        elif node.op == "if":
            self.choice(node.args)
        else:
            self.operation(node)

    def operation(self, node: Apply) -> None:
        self.mark_knots(node)
        opcode = ops.OPERATIONS[node.op].opcode
        self.emit(node.args[0])
        if len(node.args) == 1:
            self.instruction(opcode)
        for arg in node.args[1:]:
            self.emit(arg)
            self.instruction(opcode, change=-1)

    def sum(self, node: Apply) -> None:
        varying = [term for term in node.args if self.varies(term)]
        constant = [term for term in node.args if not self.varies(term)]
        self.emit(varying[0])
        for term in varying[1:]:
            minus = isinstance(term, Apply) and term.op == "neg"
            self.emit(term.args[0] if isinstance(term, Apply) and minus else term)
            self.instruction(ops.SUBTRACT if minus else ops.ADD, change=-1)
        if constant:
            self.with_number(ops.OFFSET, self.number(replace(node, args=tuple(constant))))

    def choice(self, args: Sequence[Node]) -> None:
        # both branches run and one jet is taken; a constant that fails in the other one is no error
        self.emit(args[0])
        self.guarded += 1
        self.emit(args[1])
        self.emit(args[2])
        self.guarded -= 1
        self.instruction(ops.SELECT, change=-2)

    def varies(self, node: Node) -> bool:
        if isinstance(node, Name):
            return node.name in self.variables
        return isinstance(node, Apply) and any(map(self.varies, node.args))

    def number(self, node: Node) -> float:
        self.check_names(node)
        try:
            return evaluate(node, self.parameters)
        except FunctionError:
            if self.guarded:
                return math.nan
            raise

    def check_names(self, node: Node) -> None:
        if isinstance(node, Name) and node.name not in self.parameters:
            raise unknown_name(node, Spelling({*self.variables, *self.parameters}, SHORT_LIKENESS))
        for arg in node.args if isinstance(node, Apply) else ():
            self.check_names(arg)

    # knots: where the argument of something with a corner crosses its corner, if that is linear in time

    def mark_knots(self, node: Apply) -> None:
        if node.op in ("<", "<=", ">", ">=", "==", "!=", "min", "max") and len(node.args) == 2:
            others = self.pieces(node.args[1])
        elif node.op in ("abs", "sign", "smooth"):
            others = [(0.0, 0.0), (0.0, 1.0)] if node.op == "smooth" else [(0.0, 0.0)]
        else:
            return
        for slope, height in self.pieces(node.args[0]):
            for other_slope, other_height in others:
                if slope != other_slope:
                    instant = (other_height - height) / (slope - other_slope)
                    self.knots.update([instant] if math.isfinite(instant) else [])

    def pieces(self, node: Node) -> list[tuple[float, float]]:
        """The lines a function may follow."""
        if isinstance(node, Apply) and node.op in ("min", "max"):
            return [piece for arg in node.args for piece in self.pieces(arg)]
        line = self.line(node)
        return [] if line is None else [line]

    def line(self, node: Node) -> tuple[float, float] | None:
        """Slope and height of a function that is linear in time."""
        if isinstance(node, Name) and node.name == "t" and "t" in self.variables:
            return 1.0, 0.0
        if not self.varies(node):
            return 0.0, self.number(node)
        if not isinstance(node, Apply):
            return None
        parts = [self.line(arg) for arg in node.args]
        lines = [part for part in parts if part is not None]
        if len(lines) < len(parts):
            return None
        slopes, heights = zip(*lines, strict=True)
        if node.op == "+":
            return sum(slopes), sum(heights)
        if node.op == "neg":
            return -slopes[0], -heights[0]
        if node.op == "*" and 0.0 in slopes:
            return slopes[0] * heights[1] + slopes[1] * heights[0], heights[0] * heights[1]
        if node.op == "/" and slopes[1] == 0.0 and heights[1]:
            return slopes[0] / heights[1], heights[0] / heights[1]
        return None

    # tables

    def table(self, spec: TableLike) -> Program:
        x, y = self.points(spec)
        if spec.interpolation not in INTERPOLATION:
            known = ", ".join(INTERPOLATION)
            raise FunctionError(f"unknown interpolation {spec.interpolation!r} (known: {known})")
        if spec.outside not in OUTSIDE:
            raise FunctionError(f"unknown value {spec.outside!r} for outside (known: {', '.join(OUTSIDE)})")
        periodic = spec.outside == "periodic"
        coefficients = (
            _line(x, y) if spec.interpolation == "linear" else _spline(x, y, spec.interpolation, periodic)
        )

        self.variable(self.variables[0])
        self.instruction(ops.TABLE, len(self.data))
        self.data += [float(len(x)), float(OUTSIDE[spec.outside]), *x, *coefficients.ravel()]
        self.data.append(y[-1])
        if spec.interpolation == "linear":
            self.knots.update(x.tolist())
        elif spec.outside == "hold":
            self.knots.update((float(x[0]), float(x[-1])))
        end = (float(x[0]), float(x[-1])) if spec.outside == "error" else (-math.inf, math.inf)
        return self.program(float(x[-1] - x[0]) if periodic else 0.0, end)

    def points(self, spec: TableLike) -> tuple[Array, Array]:
        rows = []
        for i, row in enumerate(spec.points):
            if isinstance(row, str) or len(row) != 2:
                raise FunctionError(f"point {i + 1} of the table is {reprlib.repr(row)}; give [t, value]")
            try:
                rows.append([self.entry(value) for value in row])
            except FunctionError as error:
                raise FunctionError(f"point {i + 1} of the table: {error}") from None
        if len(rows) < 2:
            raise FunctionError(f"a table needs at least two points, not {len(rows)}; or give a number")
        table = np.array(rows, np.float64)
        late = np.flatnonzero(np.diff(table[:, 0]) <= 0.0)
        if len(late):
            i = int(late[0])
            raise FunctionError(
                f"point {i + 2} of the table (t = {table[i + 1, 0]:g}) is not later than point {i + 1}"
                f" (t = {table[i, 0]:g}); sort the points and keep one for each time"
            )
        return table[:, 0], table[:, 1]

    def entry(self, value: float | str) -> float:
        return parse(value).value(self.parameters) if isinstance(value, str) else _finite(value)


def _finite(value: float) -> float:
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):  # None, lists, whole numbers of 400 digits
        number = math.nan
    if not math.isfinite(number):
        raise FunctionError(f"{reprlib.repr(value)} is not a finite number; give a number or an expression")
    return number


def _line(x: Array, y: Array) -> Array:
    coefficients = np.zeros((len(x) - 1, 4))
    coefficients[:, 0], coefficients[:, 1] = y[:-1], np.diff(y) / np.diff(x)
    return coefficients


def _spline(x: Array, y: Array, kind: str, periodic: bool) -> Array:
    from scipy.interpolate import CubicSpline  # slow to import, and most scenes have no spline

    ends = "periodic" if periodic else {"cubic": "not-a-knot", "natural": "natural"}[kind]
    if periodic:
        if abs(y[-1] - y[0]) > CLOSED * np.abs(y).max():
            raise FunctionError(
                f"a periodic spline must end at its first value, but {y[-1]:g} is not {y[0]:g};"
                " change the last point or use linear interpolation"
            )
        y = np.append(y[:-1], y[0])
    coefficients: Array = CubicSpline(x, y, bc_type=ends).c  # rows s³, s², s, 1
    return np.ascontiguousarray(coefficients[::-1].T)
