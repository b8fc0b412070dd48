"""Passing many arrays for the price of a few.

A call through an address copies every array descriptor it is given. The arrays of `System` and `Work`
therefore live in two arenas each, integers and reals, and kernels receive the arenas (`Packed`) and open
views on them: the header at the start of the integers says where each array begins and how large it is.
Views that a kernel does not use cost nothing, since the compiler drops them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import numpy as np
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic
from numba.np.arrayobj import make_array, populate_array
from numpy.typing import NDArray

from engine.compiled.layout import Array, Ints, Packed, System, Work

T = TypeVar("T", System, Work)
HEADER = 4  # numbers per array: start, then up to three extents
TABLES = """
bodies body_reals entries entry_reals gauges links rows row_reals forces force_reals ranges incidence
pose accel gauge grad row vectors matrix diagonal stiffness damping stages stack panel
scratch pivots newton
"""
EXTENTS = dict.fromkeys(TABLES.split(), 2) | {"tangent": 3, "dense": 3}  # all others have one


def _fields(kind: type[System] | type[Work]) -> list[Any]:
    """Numba types of the arrays of a named tuple, in order."""
    found = []
    for name, annotation in kind.__annotations__.items():
        number = types.int64 if "Ints" in str(annotation) else types.float64
        found.append(types.Array(number, EXTENTS.get(name, 1), "C"))
    return found


def _opener(kind: type[System] | type[Work]) -> Any:
    """Code that makes the named tuple of views from the two arenas."""
    members = _fields(kind)
    first = Packed._fields.index("system_ints" if kind is System else "work_ints")
    result = types.NamedTuple(tuple(members), kind)

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        packed = signature.args[0]
        arenas = [
            make_array(packed.types[first + i])(context, builder, builder.extract_value(args[0], first + i))
            for i in range(2)
        ]
        size = context.get_constant(types.intp, 8)
        views = []
        for k, member in enumerate(members):
            header = [
                builder.load(
                    cgutils.gep(builder, arenas[0].data, context.get_constant(types.intp, HEADER * k + i))
                )
                for i in range(1 + member.ndim)
            ]
            strides = [size]
            for extent in reversed(header[2:]):
                strides.insert(0, builder.mul(strides[0], extent))
            arena = arenas[0 if member.dtype == types.int64 else 1]
            view = make_array(member)(context, builder)
            populate_array(
                view,
                data=cgutils.gep(builder, arena.data, header[0]),
                shape=cgutils.pack_array(builder, header[1:]),
                strides=cgutils.pack_array(builder, strides),
                itemsize=size,
                meminfo=None,
            )
            views.append(view._getvalue())
        return context.make_tuple(builder, result, views)

    return result, codegen


def _system(typingctx: Any, packed: Any) -> Any:
    result, codegen = _opener(System)
    return result(packed), codegen


def _work(typingctx: Any, packed: Any) -> Any:
    result, codegen = _opener(Work)
    return result(packed), codegen


# views on the packed arrays, for kernels
open_system: Callable[[Packed], System] = intrinsic(_system)
open_work: Callable[[Packed], Work] = intrinsic(_work)


def pack(kind: type[T], arrays: Mapping[str, NDArray[Any]], *, whole: str = "") -> tuple[T, Ints, Array]:
    """Put arrays into arenas; returns views by name, and the arenas. `whole` names the view of all reals."""
    fields: tuple[str, ...] = kind._fields
    count = {np.dtype(np.int64): HEADER * len(fields), np.dtype(np.float64): 0}
    starts = {}
    for name in fields:
        if name != whole:
            starts[name] = count[arrays[name].dtype]
            count[arrays[name].dtype] += arrays[name].size
    ints: Ints = np.zeros(count[np.dtype(np.int64)], np.int64)
    reals: Array = np.zeros(count[np.dtype(np.float64)])
    views: dict[str, NDArray[Any]] = {whole: reals} if whole else {}
    for k, name in enumerate(fields):
        start = 0 if name == whole else starts[name]
        shape: tuple[int, ...] = reals.shape if name == whole else arrays[name].shape
        assert len(shape) == EXTENTS.get(name, 1), f"{name}: kernels expect {EXTENTS.get(name, 1)} extents"
        ints[HEADER * k : HEADER * k + 1 + len(shape)] = (start, *shape)
        if name != whole:
            arena: NDArray[Any] = ints if arrays[name].dtype == np.int64 else reals
            views[name] = arena[start : start + arrays[name].size].reshape(shape)
            views[name][...] = arrays[name]
    return kind(**views), ints, reals
