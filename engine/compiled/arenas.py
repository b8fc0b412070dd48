"""Passing many arrays for the price of a few.

A call through an address copies every array descriptor it is given. The arrays of `System` and `Work`
therefore live in two arenas each, integers and reals, and kernels receive the arenas (`Packed`) and open
views on them: the header at the start of the integers says where each array begins and how large it is.
Views that a kernel does not use cost nothing, since the compiler drops them.

Kernels do not look whether an index lies inside its array. Behind every array of a `Work` stand a few numbers
that nobody should write; `guards.py` watches them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar, get_type_hints

import numpy as np
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic
from numba.np.arrayobj import make_array, populate_array
from numpy.typing import NDArray

from engine.compiled.layout import Array, Ints, Packed, System, Work

T = TypeVar("T", System, Work)
HEADER = 4  # numbers per array: start, then up to three extents
GUARD_WORDS = 4  # behind each array, and before the first
TAIL_WORDS = 1024  # behind the last: a row or a small matrix too many still falls into the arena
GUARD_BITS = 0x7FF8_5AFE_0BAD_F00D  # as a real number this is NaN, so that what is read from there shows


# Numba types of the arrays of each named tuple, as its annotations declare them
ARRAY_TYPES: dict[Any, dict[str, Any]] = {
    kind: {name: hint.__metadata__[0] for name, hint in get_type_hints(kind, include_extras=True).items()}
    for kind in (System, Work)
}


def _opener(kind: type[System] | type[Work]) -> Any:
    """Code that makes the named tuple of views from the two arenas."""
    members = list(ARRAY_TYPES[kind].values())
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
    """Put arrays into arenas; returns views by name, and the arenas.

    `whole` names the view of all reals; where there is one, no guards stand between the arrays.
    """
    declared, guard = ARRAY_TYPES[kind], 0 if whole else GUARD_WORDS
    _check_arrays(kind, arrays, whole)
    integers, numbers = np.dtype(np.int64), np.dtype(np.float64)
    count = {integers: HEADER * len(declared) + guard, numbers: guard}
    starts = {}
    for name in declared:
        if name != whole:
            starts[name] = count[arrays[name].dtype]
            count[arrays[name].dtype] += arrays[name].size + guard
    tail = 0 if whole else TAIL_WORDS
    # zeros that are never written take no memory, and large matrices are written along their diagonal only
    ints: Ints = np.zeros(count[integers] + tail, np.int64)
    reals: Array = np.zeros(count[numbers] + tail)
    for words, first in ((ints, HEADER * len(declared)), (reals.view(np.int64), 0)):
        words[first : first + guard] = GUARD_BITS
        words[len(words) - tail :] = GUARD_BITS
    views: dict[str, NDArray[Any]] = {whole: reals} if whole else {}
    for k, name in enumerate(declared):
        start = 0 if name == whole else starts[name]
        shape: tuple[int, ...] = reals.shape if name == whole else arrays[name].shape
        ints[HEADER * k : HEADER * k + 1 + len(shape)] = (start, *shape)
        if name != whole:
            arena: NDArray[Any] = ints if arrays[name].dtype == integers else reals
            views[name] = arena[start : start + arrays[name].size].reshape(shape)
            if arrays[name].any():
                views[name][...] = arrays[name]
            end = start + arrays[name].size
            arena.view(np.int64)[end : end + guard] = GUARD_BITS
    return kind(**views), ints, reals


def _check_arrays(kind: type[System] | type[Work], arrays: Mapping[str, NDArray[Any]], whole: str) -> None:
    """Raises TypeError for arrays that are not what the annotations of the named tuple say."""
    declared = ARRAY_TYPES[kind]
    for name, expected in declared.items():
        if name == whole:
            continue
        place = f"{kind.__name__}.{name}"
        if name not in arrays:
            raise TypeError(f"{place} is missing: give an array with {expected.ndim} extents")
        found, dtype = arrays[name], np.dtype(str(expected.dtype))
        if found.dtype != dtype:
            raise TypeError(f"{place} holds {found.dtype}: kernels read {dtype}")
        if found.ndim != expected.ndim:
            raise TypeError(f"{place} has {found.ndim} extents: its annotation says {expected.ndim}")
    unknown = [name for name in arrays if name not in declared]
    if unknown:
        raise TypeError(f"{kind.__name__} has no array {unknown[0]!r}: declare it in layout.py")
