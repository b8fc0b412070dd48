"""State vectors by name: the parts of y are declared once, and give its length and the views on it.

    class OneStepState(NamedTuple):
        q: Coordinates
        v: Velocities
        a: Velocities
        power: Works
        works: Works

    open_state = state_view(OneStepState)  # for kernels: open_state(system, y).a is a view of y
    size = state_size(OneStepState)        # for the record of the method

Opening costs a few additions, and what is not used nothing: the compiler drops it, as with `open_work`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, NamedTuple, TypeVar, get_type_hints

from numba import types
from numba.core import cgutils
from numba.extending import intrinsic
from numba.np.arrayobj import make_array, populate_array

from engine.compiled.columns import sizes as SIZE
from engine.compiled.layout import F1, I1, Array, System
from engine.errors import MethodError

S = TypeVar("S", bound=NamedTuple)
SIZES = System._fields.index("sizes")
REST = -1  # in place of a count: all that is left of y


class Extent(NamedTuple):
    """Length of a part of y: a count of `System.sizes`, so many times."""

    size: int
    times: int = 1


Coordinates = Annotated[Array, Extent(SIZE.NQ)]
Velocities = Annotated[Array, Extent(SIZE.NV)]
PerRow = Annotated[Array, Extent(SIZE.ROWS)]
Works = Annotated[Array, Extent(SIZE.QUADRATURES)]  # work integrals, or their powers


def extents(layout: type[S]) -> dict[str, Extent]:
    """The parts of a state vector in order; raises MethodError unless (q, v, 0 …, w) can be put into it."""
    hints = get_type_hints(layout, include_extras=True)
    wrong = [name for name, hint in hints.items() if not hasattr(hint, "__metadata__")]
    if wrong:
        raise MethodError(
            f"{layout.__name__}.{wrong[0]} does not say how long it is; annotate Coordinates or such"
        )
    found = {name: hint.__metadata__[0] for name, hint in hints.items()}
    order = [extent.size for extent in found.values()]
    if order[:2] != [SIZE.NQ, SIZE.NV] or order[-1] != SIZE.QUADRATURES:
        raise MethodError(
            f"{layout.__name__} is ({', '.join(found)}): a state vector begins with as many numbers as there "
            "are coordinates, then velocities, and ends with the work integrals"
        )
    return found


def state_size(layout: type[S]) -> Callable[[System], int]:
    """Length of the state vector, as the record of a method asks for it."""
    parts = tuple(extents(layout).values())

    def size(system: System) -> int:
        return sum(int(system.sizes[part.size]) * part.times for part in parts)

    return size


def state_view(layout: type[S]) -> Callable[[System, Array], S]:
    """A function for kernels: (system, y) -> the parts of y by name, as views; the work integrals end y."""
    return _view(layout, tuple(extents(layout).values()))


def _view(layout: type[S], parts: tuple[Extent, ...]) -> Callable[[System, Array], S]:
    result = types.NamedTuple((F1,) * len(parts), layout)

    def open_state(typingctx: Any, system: Any, y: Any) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            sizes = make_array(I1)(context, builder, builder.extract_value(args[0], SIZES))
            vector, at, views = (
                make_array(F1)(context, builder, args[1]),
                context.get_constant(types.intp, 0),
                [],
            )
            end = builder.extract_value(vector.shape, 0)
            for k, part in enumerate(parts):
                if part.size == REST:
                    length = builder.sub(end, at)
                else:
                    place = cgutils.gep(builder, sizes.data, context.get_constant(types.intp, part.size))
                    length = builder.mul(builder.load(place), context.get_constant(types.intp, part.times))
                if k == len(parts) - 1:
                    at = builder.sub(end, length)
                view = make_array(F1)(context, builder)
                populate_array(
                    view,
                    data=cgutils.gep(builder, vector.data, at),
                    shape=cgutils.pack_array(builder, [length]),
                    strides=cgutils.pack_array(builder, [context.get_constant(types.intp, 8)]),
                    itemsize=context.get_constant(types.intp, 8),
                    meminfo=None,
                )
                views.append(view._getvalue())
                at = builder.add(at, length)
            return context.make_tuple(builder, result, views)

        return result(system, F1), codegen

    open_state.__name__ = f"open_{layout.__name__}"
    opener: Callable[[System, Array], S] = intrinsic(open_state)
    return opener


class MotionState(NamedTuple):
    """Coordinates, velocities, work integrals: y with layout "qv", and the ends of y of direct methods."""

    q: Coordinates
    v: Velocities
    works: Works


open_motion = state_view(MotionState)
motion_size = state_size(MotionState)


def motion_of(system: System, y: Array) -> MotionState:
    """What `open_motion` is in kernels, for Python."""
    nq, nv, works = (int(system.sizes[size]) for size in (SIZE.NQ, SIZE.NV, SIZE.QUADRATURES))
    return MotionState(y[:nq], y[nq : nq + nv], y[len(y) - works :])


class SplitState(NamedTuple):
    """The same y in two parts, where velocities and work integrals are treated alike."""

    q: Coordinates
    speeds: Annotated[Array, Extent(REST)]


open_split = _view(SplitState, (Extent(SIZE.NQ), Extent(REST)))
