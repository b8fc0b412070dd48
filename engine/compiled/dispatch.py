"""Calling compiled functions through a table of addresses.

Each kind of primitive and force, each formulation, scheme, stabilisation and solver is compiled once and
cached on disk on its own: the number of compiled units is a sum, not a product. A run puts the addresses of
those it is made of into `Packed.table`. Function values of Numba itself would do the same, but cost 0.1 ms
each whenever Python hands them over, and carry a fallback into the interpreter at every place of call.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic
from numba.np.arrayobj import make_array

from engine.compiled.kernel import compiled
from engine.compiled.layout import (
    CONSTRAINTS,
    EVALUATE,
    FACTOR,
    FEEDBACK,
    FORCE,
    FORCE_TANGENT,
    FORCES,
    RATE,
    REPORT,
    SETTLE,
    SOLVE,
    START,
    STEP,
    TANGENT,
    TANGENTS,
    Ints,
    Packed,
)

TABLE = Packed._fields.index("table")
KINDS = 32  # places in the table for the kinds of one sort

# place in the table and signature of each function
PLACES: dict[str, tuple[int, Any]] = {
    "constraints": (0, CONSTRAINTS),
    "forces": (1, FORCES),
    "factor": (2, FACTOR),
    "solve": (3, SOLVE),
    "feedback": (4, FEEDBACK),
    "rate": (5, RATE),
    "settle": (6, SETTLE),
    "start": (7, START),
    "step": (8, STEP),
    "report": (9, REPORT),
    "tangents": (10, TANGENTS),
    "attempt": (11, STEP),  # the step of a direct method, behind what controls its size
}
# first place of the kinds of each sort
KIND_PLACES: dict[str, tuple[int, Any]] = {
    "evaluate": (16, EVALUATE),
    "tangent": (16 + KINDS, TANGENT),
    "force": (16 + 2 * KINDS, FORCE),
    "force_tangent": (16 + 3 * KINDS, FORCE_TANGENT),
}
SIZE = 16 + 4 * KINDS


def _call(context: Any, builder: Any, packed: Any, place: Any, signature: Any, arguments: Any) -> Any:
    table = make_array(types.Array(types.int64, 1, "C"))(
        context, builder, builder.extract_value(packed, TABLE)
    )
    address = builder.load(cgutils.gep(builder, table.data, place))
    convention = context.call_conv
    pointer = convention.get_function_type(signature.return_type, signature.args).as_pointer()
    status, result = convention.call_function(
        builder, builder.inttoptr(address, pointer), signature.return_type, signature.args, arguments
    )
    with cgutils.if_unlikely(builder, status.is_error):
        convention.return_status_propagate(builder, status)
    return context.get_dummy_value() if signature.return_type == types.void else result


def _caller(name: str) -> Any:
    """A function for kernels: call_NAME(packed, …) calls what stands at its place in the table."""
    place, signature = PLACES[name]

    def call(typingctx: Any, packed: Any, *arguments: Any) -> Any:
        def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            values = [args[0], *cgutils.unpack_tuple(builder, args[1])]
            where = context.get_constant(types.intp, place)
            return _call(context, builder, args[0], where, signature, values)

        return signature.return_type(packed, types.StarArgTuple(signature.args[1:])), codegen

    call.__name__ = f"call_{name}"
    return intrinsic(call)


def _kind_caller(name: str) -> Any:
    """A function for kernels: call_NAME(packed, kind, …) calls the function of the kind with that number."""
    first, signature = KIND_PLACES[name]

    def call(typingctx: Any, packed: Any, kind: Any, *arguments: Any) -> Any:
        def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            values = [args[0], *cgutils.unpack_tuple(builder, args[2])]
            where = builder.add(args[1], context.get_constant(types.intp, first))
            return _call(context, builder, args[0], where, signature, values)

        return signature.return_type(packed, types.int64, types.StarArgTuple(signature.args[1:])), codegen

    call.__name__ = f"call_{name}"
    return intrinsic(call)


call_constraints = _caller("constraints")
call_forces = _caller("forces")
call_factor = _caller("factor")
call_solve = _caller("solve")
call_feedback = _caller("feedback")
call_rate = _caller("rate")
call_settle = _caller("settle")
call_start = _caller("start")
call_step = _caller("step")
call_report = _caller("report")
call_tangents = _caller("tangents")
call_attempt = _caller("attempt")
call_evaluate = _kind_caller("evaluate")
call_tangent = _kind_caller("tangent")
call_force = _kind_caller("force")
call_force_tangent = _kind_caller("force_tangent")


def address(function: Any, signature: Any) -> int:
    """Address of a kernel compiled for exactly this signature."""
    compiled(function, signature)
    result = function.overloads[signature.args]
    return int(result.library.get_pointer_to_function(result.fndesc.llvm_func_name))


def new_table(functions: Mapping[str, Any], kinds: Mapping[str, Mapping[int, Any]]) -> Ints:
    """Compile what is given and put the addresses in their places; all other places stay zero."""
    table = np.zeros(SIZE, np.int64)
    for name, function in functions.items():
        place, signature = PLACES[name]
        table[place] = address(function, signature)
    for sort, members in kinds.items():
        first, signature = KIND_PLACES[sort]
        for number, function in members.items():
            table[first + number] = address(function, signature)
    return table
