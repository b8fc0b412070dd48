"""Direct methods that do what no method may do, and pieces that cannot be put together: one mistake each.

`main` tries all of them in one process and prints, line by line, what each of them led to.
"""

import json
import sys
from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from engine.compiled.arenas import ARRAY_TYPES, open_work, pack
from engine.compiled.columns import clock as CLOCK
from engine.compiled.columns import options as SLOT
from engine.compiled.dispatch import KINDS, call_rate, call_tangents, new_table
from engine.compiled.kernel import kernel
from engine.compiled.layout import Array, Option, Packed, Room, System, Work
from engine.compiled.states import Coordinates, Velocities, Works, state_view
from engine.elements.base import Anchor
from engine.elements.coordinates.coordinate_functions import (
    CoordinateFunction,
    CoordinateFunctionBuilder,
    Made,
)
from engine.elements.coordinates.frames import Frame
from engine.elements.laws import LAWS
from engine.model.resolve import resolve
from engine.registry import Registry
from engine.simulation.simulation import simulate
from engine.solvers import catalogue
from engine.solvers.direct.one_step import report
from engine.system.compiling.collect import Builder
from tests.contract.prototypes import leapfrog
from tests.engine.system.mechanisms import hinge, scene

OK, STRANGE, FINISHED = 0, 99, 1


# steps that go wrong while they run


@kernel
def missing_tangents(packed: Packed, clock: Array, h: float, y: Array) -> int:
    call_tangents(packed, clock[CLOCK.NOW], y)
    return OK


@kernel
def missing_rate(packed: Packed, clock: Array, h: float, y: Array) -> int:
    return int(call_rate(packed, clock[CLOCK.NOW], y, y))


@kernel
def strange_status(packed: Packed, clock: Array, h: float, y: Array) -> int:
    clock[CLOCK.USED] = h
    return STRANGE


@kernel
def status_of_the_loop(packed: Packed, clock: Array, h: float, y: Array) -> int:
    clock[CLOCK.USED] = h
    return FINISHED


@kernel
def beyond_the_state(packed: Packed, clock: Array, h: float, y: Array) -> int:
    y[y.shape[0]] = 1.0
    clock[CLOCK.USED] = h
    return OK


@kernel
def beyond_the_vectors(packed: Packed, clock: Array, h: float, y: Array) -> int:
    scratch = open_work(packed).scratch
    scratch[scratch.shape[0]][0] = 1.0
    clock[CLOCK.USED] = h
    return OK


# steps that are refused before they run


@kernel
def undeclared_matrix(packed: Packed, clock: Array, h: float, y: Array) -> int:
    open_work(packed).dense[0, 0, 0] = 1.0
    clock[CLOCK.USED] = h
    return OK


@kernel
def _damped(packed: Packed) -> float:
    return float(open_work(packed).damping[0, 0])


@kernel
def undeclared_tangents(packed: Packed, clock: Array, h: float, y: Array) -> int:
    clock[CLOCK.USED] = h * _damped(packed)
    return OK


@kernel
def wrong_rank(packed: Packed, clock: Array, h: float, y: Array) -> int:
    y[0, 0] = h
    return OK


@kernel
def wrong_arguments(packed: Packed, clock: Array, y: Array) -> int:
    return OK


@kernel
def no_status(packed: Packed, clock: Array, h: float, y: Array) -> None:
    clock[CLOCK.USED] = h


@kernel
def report_beyond_the_sample(packed: Packed, clock: Array, y: Array, sample: Array) -> None:
    report(packed, clock, y, sample)
    sample[sample.shape[0]] = 1.0


class Unfinished(NamedTuple):
    """Its work integrals do not stand at the end."""

    q: Coordinates
    v: Velocities
    works: Works
    a: Velocities


class Unmeasured(NamedTuple):
    q: Coordinates
    v: Velocities
    a: Array
    works: Works


def _work(**changes: object) -> dict[str, np.ndarray]:
    """Empty arrays as a `Work` has them, but for some."""
    found = {
        name: np.zeros((0,) * kind.ndim, np.dtype(str(kind.dtype)))
        for name, kind in ARRAY_TYPES[Work].items()
    }
    return {**found, **{name: value for name, value in changes.items() if isinstance(value, np.ndarray)}}


def no_vectors(system: System) -> Room:
    return Room()


def _run(**changes: object) -> Callable[[], str]:
    """A short run with the leapfrog method, changed."""

    def run() -> str:
        kind = replace(leapfrog.KIND, name="mistaken", equal_steps="to be simple", **changes)  # type: ignore[arg-type]
        catalogue.METHODS = Registry("method", DEFAULT, catalogue.direct(kind))
        swing = scene(
            "planar",
            [{"name": "bob", "position": [1, 0], "mass": 1.0, "inertia": [0.1]}],
            [hinge("O", "world", [0, 0], "bob", [-1, 0])],
            simulation={"dt": 0.01, "duration": 0.05},
        )
        done = simulate(swing, method="mistaken")
        return f"{done.status.name}: {done.message}"

    return run


def _claim(*options: Option, **changes: object) -> Callable[[], str]:
    def build() -> str:
        replace(leapfrog.KIND, name="mistaken", options=options, **changes)  # type: ignore[arg-type]
        return "nothing was said"

    return build


def _law_too_many() -> str:
    laws = list(LAWS)
    Registry("force law", *(replace(laws[0], name=f"law {k}") for k in range(KINDS + 1)), places=KINDS)
    return "nothing was said"


def _kind_without_place() -> str:
    new_table({}, {"force": {KINDS: next(iter(LAWS)).force}})
    return "nothing was said"


def _place_that_is_none() -> str:
    new_table({"leap": leapfrog.step}, {})
    return "nothing was said"


class Misspelt(CoordinateFunction):
    def made(self, build: CoordinateFunctionBuilder, a: Frame, b: Frame) -> Made:
        return Made("distanse", (*a.point, *b.point))


def _collected() -> Builder:
    return Builder(resolve(scene("spatial", [], [])), {})


def _primitive_without_line() -> str:
    return str(_collected().between(Anchor(body="world"), Anchor(body="world"), Misspelt()))


class Short(CoordinateFunction):
    def made(self, build: CoordinateFunctionBuilder, a: Frame, b: Frame) -> Made:
        return Made("distance", tuple(a.point))


def _primitive_with_few_reals() -> str:
    return str(_collected().between(Anchor(body="world"), Anchor(body="world"), Short()))


def _law_without_line() -> str:
    return str(_collected().law("lien", 0))


def _law_with_few_reals() -> str:
    return str(_collected().law("line", 0, integers=[-1], reals=[100.0, 1.0]))


def _law_with_many_integers() -> str:
    return str(_collected().law("line", 0, integers=[0, 0], reals=[0.0] * 5))


def _opened(layout: type) -> Callable[[], str]:
    return lambda: str(state_view(layout))


DEFAULT = catalogue.METHODS["lagrange/rk4/projection"]
OPTION = Option("size", SLOT.DIRECT, 1.0, "Size")
MISTAKES: dict[str, Callable[[], str]] = {
    "missing tangents": _run(step=missing_tangents),
    "missing rate": _run(step=missing_rate),
    "strange status": _run(step=strange_status),
    "status of the loop": _run(step=status_of_the_loop),
    "beyond the state": _run(step=beyond_the_state),
    "beyond the vectors": _run(step=beyond_the_vectors),
    "report beyond the sample": _run(report=report_beyond_the_sample),
    "undeclared matrix": _run(step=undeclared_matrix),
    "undeclared tangents": _run(step=undeclared_tangents),
    "undeclared vectors": _run(room=no_vectors),
    "wrong rank": _run(step=wrong_rank),
    "wrong arguments": _run(step=wrong_arguments),
    "no status": _run(step=no_status),
    "slot of the step control": _claim(OPTION._replace(slot=SLOT.STEP_CONTROL)),
    "slot of the run": _claim(OPTION._replace(slot=SLOT.RUN), equal_steps="to be simple"),
    "slot taken": _claim(OPTION, OPTION._replace(name="other")),
    "preset without option": _claim(OPTION, presets={"large": {"sise": 2.0}}),
    "too many kinds": _law_too_many,
    "kind without place": _kind_without_place,
    "place that is none": _place_that_is_none,
    "primitive without a line": _primitive_without_line,
    "primitive with few reals": _primitive_with_few_reals,
    "law without a line": _law_without_line,
    "law with few reals": _law_with_few_reals,
    "law with many integers": _law_with_many_integers,
    "array of another rank": lambda: str(pack(Work, _work(row=np.zeros(3)))),
    "array of other numbers": lambda: str(pack(Work, _work(counters=np.zeros(3)))),
    "works not at the end": _opened(Unfinished),
    "part without length": _opened(Unmeasured),
}


def main() -> None:
    for name, mistake in MISTAKES.items():
        try:
            told = mistake()
        except (TypeError, ValueError) as error:
            told = f"{type(error).__name__}: {error}"
        sys.stdout.write(json.dumps([name, told]) + "\n")
        sys.stdout.flush()
