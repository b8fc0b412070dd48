"""Patterns and values of the constraint Jacobians of [Antón 2015, chapter 5], in its mixed coordinates.

Points and unit vectors come in triples, joint angles and distances singly. An angle row has the entries of
its sine and of its cosine form, so that the pattern holds in every configuration. The tables of the source
give sizes, not equations: these reproduce every printed size.

The vehicle is one with the printed counts (54 points, 12 vectors, 9 relative coordinates, 192 constraints, 10
degrees of freedom, 18 closures); its geometry is our own, since the source prints none.

`engine/natural/mechanisms` has the same mechanisms, written down again on purpose: here Jacobians come by
complex steps from equations that share no code with the engine. Counts, patterns and orderings are tested
on both.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from engine.maths.sparse.pattern import Pattern

Vector = NDArray[np.complex128]
STEP = 1e-30  # of the complex step, exact to rounding


@dataclass(frozen=True)
class Row:
    """One constraint: its value, and the coordinates that enter it."""

    value: Callable[[Mixed], complex]
    items: tuple[str, ...]  # triples that enter with all components
    single: tuple[str, ...] = ()  # single coordinates: "theta1", "s.x"
    closure: bool = False


@dataclass
class Mixed:
    """Coordinates by name, and constraint rows over them."""

    values: dict[str, Vector] = field(default_factory=dict)  # triples, and singles of length 1
    held: set[str] = field(default_factory=set)
    rows: list[Row] = field(default_factory=list)

    def add(self, name: str, value: Sequence[float], *, held: bool = False) -> None:
        self.values[name] = np.array(value, dtype=complex)
        if held:
            self.held.add(name)

    def __getitem__(self, name: str) -> Vector:
        return self.values[name]

    def row(
        self,
        value: Callable[[Mixed], complex],
        *items: str,
        single: Sequence[str] = (),
        closure: bool = False,
    ) -> None:
        self.rows.append(Row(value, items, tuple(single), closure))

    def dot(self, a: Sequence[str], b: Sequence[str], *, closure: bool = False) -> None:
        """The product of two vectors keeps its value; ("P", "Q") is the vector from P to Q."""
        first, second = self._vector(a), self._vector(b)
        start = (first(self) @ second(self)).real
        self.row(lambda m: first(m) @ second(m) - start, *a, *b, closure=closure)

    def distance(self, a: str, b: str, *, closure: bool = False) -> None:
        self.dot((a, b), (a, b), closure=closure)

    def _vector(self, names: Sequence[str]) -> Callable[[Mixed], Vector]:
        if len(names) == 1:
            return lambda m: m[names[0]]
        return lambda m: m[names[1]] - m[names[0]]

    def angle(self, a: Sequence[str], b: Sequence[str], axis: Sequence[str], theta: str) -> None:
        """The angle from a to b about an axis, in the form whose slope is the larger one."""
        first, second, about = self._vector(a), self._vector(b), self._vector(axis)
        size = np.sqrt((first(self) @ first(self)) * (second(self) @ second(self)))
        sine = abs(np.cos(self[theta][0])) >= np.sqrt(0.5)
        start = self[theta][0]
        offset_s = np.cross(first(self), second(self)) @ about(self) - size * np.sin(start)
        offset_c = first(self) @ second(self) - size * np.cos(start)

        def value(m: Mixed) -> complex:
            if sine:
                return complex(
                    np.cross(first(m), second(m)) @ about(m) - size * np.sin(m[theta][0]) - offset_s
                )
            return complex(first(m) @ second(m) - size * np.cos(m[theta][0]) - offset_c)

        self.row(value, *a, *b, *axis, single=(theta,))

    def linear(self, name: str, base: Sequence[str], *, point: bool = True) -> None:
        """The triple is a fixed combination of the base, component by component; of points, an affine one."""
        is_point = [0.0 if b.startswith("a") else 1.0 for b in base]  # a is the axis of a wheel
        columns = np.vstack([np.array([self[b].real for b in base]).T, is_point])
        right = np.append(self[name].real, float(point))
        weights = np.linalg.lstsq(columns, right, rcond=None)[0]
        for k in range(3):
            self.row(
                lambda m, k=k: m[name][k] - sum(w * m[b][k] for w, b in zip(weights, base, strict=True)),  # type: ignore[misc]
                single=[f"{x}.{'xyz'[k]}" for x in (name, *base)],
            )

    def columns(self) -> list[str]:
        """Free coordinates, in the order of their items."""
        found = []
        for name, value in self.values.items():
            parts = [f"{name}.{c}" for c in "xyz"] if len(value) == 3 else [name]
            found += [part for part in parts if part not in self.held and name not in self.held]
        return found

    def pattern(self, without: Sequence[str] = (), *, closures: bool = True) -> Pattern:
        """Of the rows over all free coordinates but these, which are the independent ones."""
        place = {c: k for k, c in enumerate(c for c in self.columns() if c not in set(without))}
        rows = []
        for row in self.rows:
            if closures or not row.closure:
                names = [f"{item}.{c}" for item in row.items for c in "xyz"] + list(row.single)
                rows.append([place[name] for name in names if name in place])
        return Pattern.of_rows(rows, len(place))

    def jacobian(self, without: Sequence[str] = ()) -> NDArray[np.float64]:
        """By complex steps at the present values."""
        names = [c for c in self.columns() if c not in set(without)]
        out = np.zeros((len(self.rows), len(names)))
        for k, name in enumerate(names):
            item, _, component = name.partition(".")
            i = "xyz".index(component) if component else 0
            self.values[item][i] += STEP * 1j
            out[:, k] = [complex(row.value(self)).imag / STEP for row in self.rows]
            self.values[item][i] = self.values[item][i].real
        return out


CUBE = [(0, 0, 0), (1, 0, 0), (1, -1, 0), (1, -1, 1), (0, -1, 1), (0, 0, 1)]
AXES = [(0, 1, 0), (0, 0, 1), (1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 0, 0)]
ANGLES = [f"theta{i}" for i in range(1, 6)]


def five_bars(*, last_held: bool = False) -> Mixed:
    """Five bars along the edges of a cube, hinged to the ground and to each other."""
    m = Mixed()
    m.add("P0", CUBE[0], held=True)
    m.add("u0", AXES[0], held=True)
    m.add("w", (1, 0, 0), held=True)
    for i in range(1, 6):
        held = last_held and i == 5
        m.add(f"P{i}", CUBE[i], held=held)
        m.add(f"u{i}", AXES[i], held=held)
    for i in range(1, 6):
        m.add(f"theta{i}", [0.0 if i == 1 else np.pi / 2])
    for i in range(1, 6):
        r, before, after = (f"P{i - 1}", f"P{i}"), (f"u{i - 1}",), (f"u{i}",)
        m.dot(r, r)
        m.dot(r, before)
        m.dot(r, after)
        m.dot(before, after)
        m.dot(after, after)
        m.angle(("w",) if i == 1 else (f"P{i - 2}", f"P{i - 1}"), r, before, f"theta{i}")
    return m


def bricard_1() -> Mixed:
    """The last point and vector twice, with six closure equations."""
    m = five_bars()
    m.add("P6", CUBE[5], held=True)
    m.add("u6", AXES[5], held=True)
    for a, b in (("P5", "P6"), ("u5", "u6")):
        for k in range(3):
            m.row(
                lambda m, a=a, b=b, k=k: m[a][k] - m[b][k],  # type: ignore[misc]
                single=[f"{x}.{'xyz'[k]}" for x in (a, b)],
                closure=True,
            )
    return m


def bricard_2() -> Mixed:
    """The last point and vector fixed."""
    return five_bars(last_held=True)


TETHER_ANGLES = ["theta1"] + [f"{name}{i}" for i in range(2, 11) for name in ("bend", "sway", "twist")]


def tether() -> Mixed:
    """Ten bodies: the first hinged, nine balls with three angles each."""
    m = Mixed()
    m.add("P0", (0, 0, 0), held=True)
    m.add("u0", (0, 1, 0), held=True)
    m.add("v0", (0, 0, 1), held=True)
    m.add("P1", (1, 0, 0))
    for i in range(2, 11):
        m.add(f"P{i}", (i, 0, 0))
        m.add(f"u{i}", (0, 1, 0))
        m.add(f"v{i}", (0, 0, 1))
    for name in TETHER_ANGLES:
        m.add(name, [0.1])
    m.distance("P0", "P1")
    m.dot(("P0", "P1"), ("u0",))
    m.angle(("v0",), ("P0", "P1"), ("u0",), "theta1")
    for i in range(2, 11):
        r, u, v = (f"P{i - 1}", f"P{i}"), (f"u{i}",), (f"v{i}",)
        for a, b in ((r, r), (u, u), (v, v), (r, u), (r, v), (u, v)):
            m.dot(a, b)
        last = (f"P{i - 2}", f"P{i - 1}")
        u_last, v_last = (f"u{i - 1}" if i > 2 else "u0",), (f"v{i - 1}" if i > 2 else "v0",)
        m.angle(last, r, u_last, f"bend{i}")
        m.angle(last, r, v_last, f"sway{i}")
        m.angle(u_last, u, r, f"twist{i}")
    return m


RODS = [  # chassis end and carrier end of the five rear rods, left side [m]
    ((-1.15, 0.35, 0.35), (-1.30, 0.68, 0.28)),
    ((-1.55, 0.35, 0.35), (-1.42, 0.68, 0.26)),
    ((-1.2, 0.42, 0.62), (-1.32, 0.66, 0.58)),
    ((-1.5, 0.44, 0.60), (-1.42, 0.66, 0.56)),
    ((-1.7, 0.40, 0.42), (-1.55, 0.69, 0.40)),
]
CHASSIS = ["C1", "C2", "C3", "C4"]
SIDES = {"l": 1.0, "r": -1.0}


def vehicle() -> Mixed:
    """Five-link rear and strut front suspensions, rack, four wheels; the ground is not part of it."""
    m = Mixed()
    m.add("C1", (0.0, 0.0, 0.5))
    m.add("C2", (1.0, 0.0, 0.5))
    m.add("C3", (0.0, 0.5, 0.5))
    m.add("C4", (0.0, 0.0, 1.0))
    for i in range(4):
        for j in range(i):
            m.distance(CHASSIS[j], CHASSIS[i])
    for side, sign in SIDES.items():
        on_chassis = {
            **{f"h{k + 1}{side}": rod[0] for k, rod in enumerate(RODS)},
            f"T{side}": (-1.38, 0.50, 0.85),
            f"p1{side}": (1.15, 0.35, 0.30),
            f"p2{side}": (1.45, 0.35, 0.31),
            f"Tc{side}": (1.28, 0.55, 0.90),
        }
        for name, (x, y, z) in on_chassis.items():
            m.add(name, (x, sign * y, z))
            m.linear(name, CHASSIS)
    for name, sign in (("G1", 1.0), ("G2", -1.0)):
        m.add(name, (1.12, sign * 0.3, 0.40))
        m.linear(name, CHASSIS)
    for side, sign in SIDES.items():
        _rear(m, side, sign)
    rack = {f"I{side}": (1.12, sign * 0.28, 0.40) for side, sign in SIDES.items()}
    for name, point in rack.items():
        m.add(name, point)
    for side, sign in SIDES.items():
        _front(m, side, sign)
    for name in rack:
        m.values[name] = m.values.pop(name)  # its columns come last, as its rows do
        m.linear(name, ("G1", "G2"))
    m.add("rack", [0.0], held=True)
    return m


def _unit(x: Sequence[float]) -> NDArray[np.float64]:
    return np.array(x) / np.linalg.norm(x)


def _carrier(m: Mixed, names: tuple[str, str, str, str]) -> None:
    """Base of a wheel carrier: three points and the wheel's axis."""
    o, p, q, a = names
    m.distance(o, p)
    m.distance(o, q)
    m.dot((o, p), (o, q))
    m.dot((a,), (a,))
    m.dot((a,), (o, p))
    m.dot((a,), (o, q))


def _spoke(m: Mixed, name: str, axis: str, reference: tuple[str, str], angle: str) -> None:
    m.dot((name,), (name,))
    m.dot((name,), (axis,))
    m.angle(reference, (name,), (axis,), angle)


def _strut(m: Mixed, end: str, start: str, axis: str, length: str) -> None:
    """end = start + length · axis."""
    for k in range(3):
        c = "xyz"[k]
        m.row(
            lambda m, k=k: m[end][k] - m[start][k] - m[length][0] * m[axis][k],  # type: ignore[misc]
            single=(f"{end}.{c}", f"{start}.{c}", f"{axis}.{c}", length),
        )


def _rear(m: Mixed, side: str, sign: float) -> None:
    B, W, X = f"B{side}", f"W{side}", f"X{side}"
    a, w, s, sigma = f"a{side}", f"w{side}", f"s{side}", f"sigma{side}"
    foot, top = np.array((-1.37, sign * 0.62, 0.40)), m[f"T{side}"].real
    m.add(B, foot)
    m.add(W, (-1.38, sign * 0.75, 0.32))
    for k, (_, (x, y, z)) in enumerate(RODS):
        m.add(f"u{k + 1}{side}", (x, sign * y, z))
    m.add(X, (-1.38, sign * 0.75, 0.02))
    m.add(a, _unit((0.02, sign, 0.03)))
    m.add(w, _unit(np.cross(m[a].real, (0.3, 0.1, 1.0))))
    m.add(s, _unit(foot - top))
    m.add(sigma, [float(np.linalg.norm(foot - top))])
    m.add(f"phi{side}", [0.3], held=True)
    base = (B, W, f"u1{side}", a)
    _carrier(m, base)
    for name in (*(f"u{k}{side}" for k in range(2, 6)), X):
        m.linear(name, base)
    _spoke(m, w, a, (B, W), f"phi{side}")
    m.dot((s,), (s,))
    _strut(m, B, f"T{side}", s, sigma)
    for k in range(1, 6):
        m.distance(f"h{k}{side}", f"u{k}{side}", closure=True)


def _front(m: Mixed, side: str, sign: float) -> None:
    K, W, E, Q, X, Td = (f"{name}{side}f" for name in ("K", "W", "E", "Q", "X", "Td"))
    a, w, s, sigma = f"a{side}f", f"w{side}f", f"s{side}f", f"sigma{side}f"
    foot, top = np.array((1.28, sign * 0.62, 0.50)), m[f"Tc{side}"].real
    for name, (x, y, z) in (
        (K, (1.28, 0.68, 0.27)),
        (W, (1.28, 0.75, 0.32)),
        (E, (1.14, 0.66, 0.36)),
        (Q, (1.28, 0.62, 0.50)),
        (X, (1.28, 0.75, 0.02)),
        (Td, (1.28, 0.55, 0.90)),
    ):
        m.add(name, (x, sign * y, z))
    m.add(a, _unit((0.02, sign, 0.03)))
    m.add(w, _unit(np.cross(m[a].real, (0.3, 0.1, 1.0))))
    m.add(s, _unit(top - foot))
    m.add(sigma, [float(np.linalg.norm(top - foot))])
    m.add(f"phi{side}f", [0.3], held=True)
    m.distance(K, f"p1{side}")
    m.distance(K, f"p2{side}")
    base = (K, W, E, a)
    _carrier(m, base)
    for name in (Q, X):
        m.linear(name, base)
    m.linear(s, base, point=False)
    _spoke(m, w, a, (K, W), f"phi{side}f")
    _strut(m, Td, Q, s, sigma)
    for k in range(3):
        c = "xyz"[k]
        m.row(
            lambda m, k=k: m[Td][k] - m[f"Tc{side}"][k],  # type: ignore[misc]
            single=(f"{Td}.{c}", f"Tc{side}.{c}"),
            closure=True,
        )
    m.distance(E, f"I{side}", closure=True)


FREEDOMS = [
    *("C1.x", "C1.y", "C1.z", "C2.y", "C2.z", "C3.z"),
    *("sigmal", "sigmar", "sigmalf", "sigmarf"),
]
OPENED = [
    *(f"{name.format(s)}" for s in SIDES for name in ("s{0}.x", "s{0}.y", "W{0}.x", "W{0}.z", "u1{0}.z")),
    *(f"{name.format(s)}" for s in SIDES for name in ("K{0}f.z", "W{0}f.x", "W{0}f.z", "E{0}f.y")),
]
