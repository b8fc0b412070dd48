"""Calling compiled functions through a table of addresses.

Each kind of primitive and force, each formulation, scheme, stabilisation and solver is compiled once and
cached on disk on its own: the number of compiled units is a sum, not a product. A run puts the addresses of
those it is made of into `Packed.table`. Function values of Numba itself would do the same, but cost 0.1 ms
each whenever Python hands them over, and carry a fallback into the interpreter at every place of call.

A place that nobody filled holds the address of a stub, which raises `EmptyPlace` with the name of the place,
and the run ends with `StepStatus.MISSING_FUNCTION`. All stubs are part of one small kernel: they take 5 ms
once, when the program starts, and no time in a call.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.errors import NumbaError
from numba.extending import intrinsic
from numba.np.arrayobj import make_array

from engine.compiled.kernel import compiled, kernel
from engine.compiled.layout import (
    CONSTRAINTS,
    EVALUATE,
    FACTOR,
    FEEDBACK,
    FORCE,
    FORCE_TANGENT,
    FORCES,
    I1,
    PROJECT,
    RATE,
    REPORT,
    SOLVE,
    STAGE_FACTOR,
    STAGE_SOLVE,
    START,
    STEP,
    SWITCH,
    TANGENT,
    TANGENTS,
    Ints,
    Packed,
)
from engine.errors import MethodError

TABLE = Packed._fields.index("table")
KINDS = 32  # places in the table for the kinds of one sort


class EmptyPlace(RuntimeError):
    """A kernel called a function that is not in the table; its argument is the name of the place."""


# place in the table and signature of each function
PLACES: dict[str, tuple[int, Any]] = {
    "constraints": (0, CONSTRAINTS),
    "forces": (1, FORCES),
    "factor": (2, FACTOR),
    "solve": (3, SOLVE),
    "feedback": (4, FEEDBACK),
    "rate": (5, RATE),
    "project": (6, PROJECT),
    "start": (7, START),
    "step": (8, STEP),
    "report": (9, REPORT),
    "tangents": (10, TANGENTS),
    "attempt": (11, STEP),  # the step of a direct method, behind what controls its size
    "bare_rate": (12, RATE),  # the rate of a formulation, behind what laws with reactions or states need
    "stage_factor": (13, STAGE_FACTOR),  # of an implicit scheme
    "stage_solve": (14, STAGE_SOLVE),
    "accelerate": (15, FACTOR),
}
# first place of the kinds of each sort
KIND_PLACES: dict[str, tuple[int, Any]] = {
    "evaluate": (16, EVALUATE),
    "tangent": (16 + KINDS, TANGENT),
    "force": (16 + 2 * KINDS, FORCE),
    "force_tangent": (16 + 3 * KINDS, FORCE_TANGENT),
    "switch": (16 + 4 * KINDS, SWITCH),
}
SIZE = 16 + 5 * KINDS


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
call_accelerate = _caller("accelerate")
call_feedback = _caller("feedback")
call_rate = _caller("rate")
call_project = _caller("project")
call_step = _caller("step")
call_report = _caller("report")
call_tangents = _caller("tangents")
call_attempt = _caller("attempt")
call_bare_rate = _caller("bare_rate")
call_stage_factor = _caller("stage_factor")
call_stage_solve = _caller("stage_solve")
call_evaluate = _kind_caller("evaluate")
call_tangent = _kind_caller("tangent")
call_force = _kind_caller("force")
call_force_tangent = _kind_caller("force_tangent")
call_switch = _kind_caller("switch")


def _stubs(typingctx: Any, table: Any) -> Any:
    """Code that fills all places of a table with functions that raise."""

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        data, convention = make_array(I1)(context, builder, args[0]).data, context.call_conv
        rooms = [(name, place, 1, signature) for name, (place, signature) in PLACES.items()]
        rooms += [(name, first, KINDS, signature) for name, (first, signature) in KIND_PLACES.items()]
        for name, first, count, signature in rooms:
            shape = convention.get_function_type(signature.return_type, signature.args)
            stub = ir.Function(builder.module, shape, name=f"no_{name}")
            stub.linkage = "internal"
            inside = ir.IRBuilder(stub.append_basic_block())
            convention.return_user_exc(inside, EmptyPlace, (name,))
            address = builder.ptrtoint(stub, context.get_value_type(types.int64))
            for place in range(first, first + count):
                at = cgutils.gep(builder, data, context.get_constant(types.intp, place))
                builder.store(address, at)
        return context.get_dummy_value()

    return types.void(I1), codegen


_fill_with_stubs: Callable[[Ints], None] = intrinsic(_stubs)


@kernel
def fill_with_stubs(table: Ints) -> None:
    """A call through any place raises `EmptyPlace`."""
    _fill_with_stubs(table)


def _short(kind: Any) -> str:
    """A Numba type in few letters."""
    return f"{kind.dtype}[{', '.join(':' * kind.ndim)}]" if isinstance(kind, types.Array) else str(kind)


def _reason(error: Exception) -> str:
    """What Numba says first, without its colours."""
    lines = [line.strip() for line in re.sub(r"\x1b\[\d*m", "", str(error)).splitlines()]
    return next((line for line in lines if line and not line.startswith("Failed in nopython")), "")


def address(function: Any, signature: Any) -> int:
    """Address of a kernel compiled for exactly this signature."""
    try:
        compiled(function, signature)
        result = function.overloads[signature.args]
    except (NumbaError, KeyError, TypeError) as error:
        where, wanted = (
            f"{function.__module__}.{function.__name__}",
            ", ".join(map(_short, signature.args[1:])),
        )
        raise MethodError(
            f"{where} does not fit its place: it is called with (packed{', ' if wanted else ''}{wanted}) and "
            f"returns {_short(signature.return_type)}; {_reason(error)}"
        ) from error
    return int(result.library.get_pointer_to_function(result.fndesc.llvm_func_name))


def new_table(functions: Mapping[str, Any], kinds: Mapping[str, Mapping[int, Any]]) -> Ints:
    """Compile what is given and put the addresses in their places; all other places hold stubs."""
    table = np.zeros(SIZE, np.int64)
    compiled(fill_with_stubs, types.void(I1))(table)
    for name, function in functions.items():
        if name not in PLACES:
            raise MethodError(f"the table has no place {name!r} (it has: {', '.join(PLACES)})")
        place, signature = PLACES[name]
        table[place] = address(function, signature)
    for sort, members in kinds.items():
        first, signature = KIND_PLACES[sort]
        for number, function in members.items():
            if not 0 <= number < KINDS:
                where = f"{function.__module__}.{function.__name__}"
                raise MethodError(
                    f"{where}: kind {number} of {sort!r} has no place, the table has {KINDS}; "
                    "raise KINDS in compiled/dispatch.py"
                )
            table[first + number] = address(function, signature)
    return table
