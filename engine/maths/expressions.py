"""Expressions of named numbers: text to an immutable tree, and its value. Nothing is ever `eval`ed.

    or · and · not · < <= > >= == != · + - · * / · unary minus · ^ (or **, from the right)

Comparisons and logic give 1 or 0; `if`, `and` and `or` look only at what they need. Names may be dotted
channel names; a part with blanks or a hyphen stands in double quotes: `body."left crank".pos.x`. A number may
carry a unit, `60 rpm*t`, which counts in SI. The functions are listed in `opcodes`, the units in `units`.
"""

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import NamedTuple

from engine.maths.opcodes import CONSTANTS, FUNCTIONS, KEYWORDS, MACROS, OPERATIONS, OPERATORS, RESERVED
from engine.maths.units import SIZES
from engine.spelling import SHORT_LIKENESS, Spelling, did_you_mean

MAX_LENGTH = 2000  # characters
MAX_DEPTH = 60  # levels of nesting; far below Python's recursion limit
MAX_NODES = 5000  # functions such as `step` repeat their arguments, nested ones multiply them

__all__ = [
    "RESERVED",
    "Apply",
    "Expression",
    "ExpressionError",
    "FunctionError",
    "Name",
    "Node",
    "Number",
    "Token",
    "evaluate",
    "parse",
    "quote_name",
    "replace_names",
    "unknown_name",
]


class FunctionError(ValueError):
    """A number, expression or table that cannot be used, with the remedy."""


class ExpressionError(FunctionError):
    """What is wrong with an expression, and at which column (counted from 1)."""

    def __init__(self, message: str, column: int) -> None:
        super().__init__(f"{message} (column {column})")
        self.message = message
        self.column = column


# the tree: columns are for messages only and do not count in comparisons


@dataclass(frozen=True, slots=True)
class Number:
    value: float
    unit: str = field(default="", compare=False)  # as written; the value is in SI


@dataclass(frozen=True, slots=True)
class Name:
    name: str
    column: int = field(compare=False)


@dataclass(frozen=True, slots=True)
class Apply:
    op: str  # key of OPERATIONS
    args: tuple["Node", ...]
    column: int = field(compare=False)
    depth: int = field(compare=False)
    nodes: int = field(compare=False)


Node = Number | Name | Apply


@dataclass(frozen=True)
class Expression:
    """A parsed expression. Two are equal when they mean the same tree, whatever the blanks."""

    text: str = field(compare=False)
    root: Node = field(repr=False)

    @cached_property
    def names(self) -> frozenset[str]:
        """Names that need a value; constants such as pi are not among them."""
        return frozenset(name.name for name in _names(self.root))

    def value(self, names: Mapping[str, float]) -> float:
        """The value for these named numbers; always finite."""
        return evaluate(self.root, names)


def parse(text: str) -> Expression:
    """The expression written in `text`; raises ExpressionError."""
    if len(text) > MAX_LENGTH:
        message = (
            f"the expression has {len(text)} characters, {MAX_LENGTH} are allowed; use parameters or a table"
        )
        raise ExpressionError(message, MAX_LENGTH)
    return _parse(text)


@lru_cache(maxsize=1024)
def _parse(text: str) -> Expression:
    return Expression(text, _Parser(text).whole())


def evaluate(node: Node, names: Mapping[str, float]) -> float:
    """The value of a tree; raises ExpressionError where it has none."""
    if isinstance(node, Number):
        return node.value
    if isinstance(node, Name):
        if node.name not in names:
            raise unknown_name(node, Spelling(names, SHORT_LIKENESS))
        value = float(names[node.name])
        if not math.isfinite(value):
            raise ExpressionError(f"{node.name!r} is {value}; a finite number is needed", node.column)
        return value
    if node.op == "if":
        condition, yes, no = node.args
        return evaluate(yes if evaluate(condition, names) else no, names)
    if node.op in ("and", "or"):
        truths = (evaluate(arg, names) != 0.0 for arg in node.args)
        return float(all(truths) if node.op == "and" else any(truths))
    operation = OPERATIONS[node.op]
    args = [evaluate(arg, names) for arg in node.args]
    if not operation.variadic:
        return _apply(node, args)
    total = args[0]
    for arg in args[1:]:
        total = _apply(node, [total, arg])
    return total


def _apply(node: Apply, args: list[float]) -> float:
    try:
        value = OPERATIONS[node.op].value(*args)
        trouble = "" if math.isfinite(value) else "is too large for a number"
    except ZeroDivisionError:
        trouble = "divides by zero"
    except OverflowError:
        trouble = "is too large for a number"
    except ValueError:
        trouble = "is not a real number"
    if trouble:
        remedy = "change the numbers or guard the term with if(condition, term, 0)"
        raise ExpressionError(f"{_shown(node.op, args)} {trouble}; {remedy}", node.column)
    return value


def _shown(op: str, args: list[float]) -> str:
    shown = [f"{arg:g}" for arg in args]
    if op in OPERATORS and len(args) == 2:
        return f"{shown[0]} {op} {shown[1]}"
    return f"{op}({', '.join(shown)})"


def unknown_name(node: Name, known: Spelling) -> ExpressionError:
    """The error for a name that has no value where these are known."""
    hint = known.hint(node.name) or did_you_mean(node.name, CONSTANTS)
    hint = hint or f"; known here: {known.listed or 'no names'}"
    return ExpressionError(f"unknown name {_brief(node.name)}{hint}", node.column)


def quote_name(name: str) -> str:
    """The dotted name as it is written in an expression."""
    return ".".join(part if part.isidentifier() else f'"{part}"' for part in name.split("."))


def replace_names(text: str, new: Mapping[str, str]) -> str:
    """The text with names replaced, all else left as the user wrote it."""
    parse(text)
    pieces, done = [], 0
    for token in tokens(text):
        if token.kind == "name" and token.name in new:
            pieces += [text[done : token.start], quote_name(new[token.name])]
            done = token.start + len(token.text)
    return "".join(pieces) + text[done:]


def _names(node: Node) -> Iterator[Name]:
    if isinstance(node, Name):
        yield node
    elif isinstance(node, Apply):
        for arg in node.args:
            yield from _names(arg)


def _brief(text: str) -> str:
    return repr(text if len(text) <= 40 else text[:39] + "…")


# tokens

_PART = r'(?:[^\W\d]\w*|"[^"\n]*")'
_DIGITS = re.compile(r"(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
# a power after a unit is left out: 2 mm^2 could mean two things
_UNIT = "|".join(re.escape(unit) for unit in sorted(SIZES, key=len, reverse=True))
_TOKEN = re.compile(
    rf"(?P<number>{_DIGITS.pattern}(?:\s*(?:{_UNIT})(?![\w.(²³])(?!\s*(?:\^|\*\*)))?)"
    rf"|(?P<name>{_PART}(?:\.{_PART})*)"
    r"|(?P<symbol>\*\*|<=|>=|==|!=|[-+*/^<>(),−·×≤≥≠])|(?P<bad>\S)"
)
_SAME = {"**": "^", "−": "-", "·": "*", "×": "*", "≤": "<=", "≥": ">=", "≠": "!="}
_REMEDIES = {
    "=": "write == to compare",
    "%": "write mod(a, b) for the remainder",
    "&": "write and",
    "|": "write or, or abs(x)",
    "!": "write not, or != to compare",
    "[": "write round brackets",
    "{": "write round brackets",
    "'": 'names with blanks stand in double quotes: "left crank"',
    '"': "close the quoted name with another double quote",
    ";": "write a comma between arguments",
    "²": "write ^2",
    "³": "write ^3",
}


class Token(NamedTuple):
    """A word of an expression and where it stands."""

    kind: str  # number, name, symbol, bad, end
    text: str
    start: int

    @property
    def column(self) -> int:
        return self.start + 1

    @property
    def name(self) -> str:
        return self.text.replace('"', "")

    @property
    def word(self) -> str:
        """The symbol or keyword this is, in its one spelling; empty for anything else."""
        if self.kind == "symbol" or self.text in KEYWORDS:
            return _SAME.get(self.text, self.text)
        return ""

    def __str__(self) -> str:
        return "the end" if self.kind == "end" else _brief(self.text)


def tokens(text: str) -> Iterator[Token]:
    """The words of an expression, sound or not, and an end."""
    for match in _TOKEN.finditer(text):
        kind = match.lastgroup or "bad"
        if kind == "name" and '"' not in match[0]:
            # \w is wider than identifiers: superscripts and the like
            for i, char in enumerate(match[0]):
                if not f"a{char}".isidentifier() and char != ".":
                    yield Token("bad", char, match.start() + i)
        yield Token(kind, match[0], match.start())
    yield Token("end", "", len(text))


# a Pratt parser: an operator binds its left side when its power exceeds the one asked for

_LEFT = {"or": 10, "and": 20, "<": 40, "<=": 40, ">": 40, ">=": 40, "==": 40, "!=": 40}
_LEFT |= {"+": 50, "-": 50, "*": 60, "/": 60, "^": 80}
_NOT, _COMPARE, _MINUS = 30, 40, 70


class _Parser:
    def __init__(self, text: str) -> None:
        self._tokens = tokens(text)
        self._open = 0
        self._token = next(self._tokens)

    def whole(self) -> Node:
        if self._token.kind == "end":
            raise ExpressionError("the expression is empty; write a number or a formula: 0.2*sin(3*t)", 1)
        root = self._expression(0)
        if self._token.kind == "end":
            return root
        if self._token.word == ")":
            raise self._error("this ')' closes nothing; remove it or add the missing '('")
        raise self._missing_operator()

    def _expression(self, power: int) -> Node:
        self._open += 1
        if self._open > MAX_DEPTH:
            raise self._error(f"more than {MAX_DEPTH} levels of nesting; use parameters for parts of it")
        left = self._prefix()
        while _LEFT.get(self._token.word, -1) > power:
            left = self._infix(left)
        self._open -= 1
        return left

    def _prefix(self) -> Node:
        token = self._next()
        if token.kind == "number":
            digits = _DIGITS.match(token.text)
            assert digits is not None
            unit = token.text[digits.end() :].strip()
            value = float(digits[0]) * SIZES.get(unit, 1.0)
            if not math.isfinite(value):
                raise ExpressionError(f"{_brief(token.text)} is too large for a number", token.column)
            return Number(value, unit)
        if token.word == "(":
            inner = self._expression(0)
            self._close("(", token)
            return inner
        if token.word == "-":
            return _node("neg", (self._expression(_MINUS),), token.column)
        if token.word == "+":
            return self._expression(_MINUS)
        if token.word == "not":
            return _node("not", (self._expression(_NOT),), token.column)
        if token.kind == "name" and not token.word:
            return self._call(token) if self._token.word == "(" else _name(token)
        raise ExpressionError(f"a number, a name or '(' is expected, not {token}", token.column)

    def _infix(self, left: Node) -> Node:
        token = self._next()
        op, power = token.word, _LEFT[token.word]
        right = self._expression(power - 1 if op == "^" else power)
        if power == _COMPARE and _LEFT.get(self._token.word) == _COMPARE:
            raise self._error("comparisons cannot be chained; write a < b and b < c")
        if op == "-":
            op, right = "+", _node("neg", (right,), token.column)
        if op in ("+", "and", "or") and isinstance(left, Apply) and left.op == op:
            return _node(op, (*left.args, right), token.column)  # long sums stay flat
        return _node(op, (left, right), token.column)

    def _call(self, token: Token) -> Node:
        name = token.text
        if name not in FUNCTIONS:
            hint = did_you_mean(name, FUNCTIONS) or f"; known: {', '.join(FUNCTIONS)}"
            raise ExpressionError(f"unknown function {_brief(name)}{hint}", token.column)
        bracket = self._next()
        args = []
        if self._token.word != ")":
            args.append(self._expression(0))
            while self._token.word == ",":
                self._next()
                args.append(self._expression(0))
        self._close("(", bracket)
        return _called(name, tuple(args), token.column)

    def _close(self, symbol: str, opened: Token) -> None:
        if self._token.kind == "end":
            raise ExpressionError(f"{symbol!r} is not closed; add ')'", opened.column)
        if self._token.word != ")":
            raise self._missing_operator()
        self._next()

    def _next(self) -> Token:
        token = self._token
        if token.kind == "bad":
            remedy = _REMEDIES.get(token.text, "use + - * / ^ ( ) and names")
            raise self._error(f"{token.text!r} has no meaning here; {remedy}")
        if token.kind != "end":
            self._token = next(self._tokens)
        return token

    def _missing_operator(self) -> ExpressionError:
        if self._token.kind == "bad":
            self._next()  # raises with the remedy for this character
        if self._token.word == ",":
            return self._error("a comma stands only between arguments; write numbers with a point: 0.5")
        if self._token.text in SIZES:
            return self._error(f"brackets are missing about a number with the unit {self._token}: (2 mm)^2")
        return self._error(f"an operator is missing before {self._token}; multiplication is written 2*t")

    def _error(self, message: str) -> ExpressionError:
        return ExpressionError(message, self._token.column)


def _name(token: Token) -> Node:
    if token.text in CONSTANTS:
        return Number(CONSTANTS[token.text])
    if token.text in FUNCTIONS:
        raise ExpressionError(f"{token.text!r} is a function; write {token.text}(…)", token.column)
    if not all(part.strip() for part in token.name.split(".")):
        raise ExpressionError(f"the name {_brief(token.text)} has an empty part", token.column)
    return Name(token.name, token.column)


def _node(op: str, args: tuple[Node, ...], column: int) -> Apply:
    depth = 1 + max(arg.depth if isinstance(arg, Apply) else 0 for arg in args)
    nodes = 1 + sum(arg.nodes if isinstance(arg, Apply) else 1 for arg in args)
    if depth > MAX_DEPTH or nodes > MAX_NODES:
        raise ExpressionError("too deeply nested or too large; use parameters for parts of it", column)
    return Apply(op, args, column, depth, nodes)


def _called(name: str, args: tuple[Node, ...], column: int) -> Node:
    if (name, len(args)) in MACROS:
        parameters, text = MACROS[name, len(args)]
        return _filled(parse(text).root, dict(zip(parameters, args, strict=True)), column)
    if name in OPERATIONS:
        arity, variadic = OPERATIONS[name].arity, OPERATIONS[name].variadic
        if len(args) == arity or (variadic and len(args) > arity):
            return _node(name, args, column)
        wanted = f"{arity}{' or more' if variadic else ''} argument{'s' if arity > 1 else ''}"
    else:
        forms = [f"{name}({', '.join(names)})" for (macro, _), (names, _) in MACROS.items() if macro == name]
        wanted = f"its arguments as in {' or '.join(forms)}"
    raise ExpressionError(f"{name} takes {wanted}; here are {len(args)}", column)


def _filled(node: Node, args: Mapping[str, Node], column: int) -> Node:
    if isinstance(node, Name):
        return args[node.name]
    if isinstance(node, Apply):
        return _node(node.op, tuple(_filled(arg, args, column) for arg in node.args), column)
    return node
