"""Four numbers at a time, for inner loops over lines of some length.

Compilers put neighbours into vector units only where they can prove that no two lines overlap, or look first,
which takes longer than a short line. So such loops say themselves which four numbers go together:

    put_lanes(line, c, subtract_product(lanes_at(line, c), spread(k), lanes_at(row, c)))

Indices count from 0 and are never negative; arrays have one extent.
"""

from __future__ import annotations

from typing import Any, Final

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, models, register_model
from numba.np.arrayobj import make_array

LANES: Final = 4
VECTOR: Final = ir.VectorType(ir.DoubleType(), LANES)
CONTRACT: Final = ("reassoc", "contract", "nsz", "arcp")  # as `kernel.FAST`
ALIGNMENT: Final = 8


class Lanes(types.Type):  # type: ignore[misc]  # Numba has no types
    """Numba's type of four real numbers in one register."""

    def __init__(self) -> None:
        super().__init__(name="Lanes")


FOUR_NUMBERS: Final = Lanes()


@register_model(Lanes)
class LanesModel(models.PrimitiveModel):  # type: ignore[misc]
    """They are passed as one vector of LLVM."""

    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, VECTOR)


def _place(context: Any, builder: Any, kind: Any, array: Any, at: Any) -> Any:
    """Pointer to the four numbers that begin at an index."""
    first = cgutils.gep(builder, make_array(kind)(context, builder, array).data, at)
    return builder.bitcast(first, VECTOR.as_pointer())


def _lanes_at(typingctx: Any, array: Any, at: Any) -> Any:
    """array[at … at + 3]."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        place = _place(context, builder, signature.args[0], args[0], args[1])
        return builder.load(place, align=ALIGNMENT)

    return FOUR_NUMBERS(array, at), codegen


def _put_lanes(typingctx: Any, array: Any, at: Any, lanes: Any) -> Any:
    """array[at … at + 3] = lanes."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        place = _place(context, builder, signature.args[0], args[0], args[1])
        builder.store(args[2], place, align=ALIGNMENT)
        return context.get_dummy_value()

    return types.void(array, at, FOUR_NUMBERS), codegen


def _spread(typingctx: Any, value: Any) -> Any:
    """The same number four times."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        undefined, first = ir.Constant(VECTOR, ir.Undefined), ir.IntType(32)(0)
        everywhere = ir.Constant(ir.VectorType(ir.IntType(32), LANES), [0] * LANES)
        return builder.shuffle_vector(
            builder.insert_element(undefined, args[0], first), undefined, everywhere
        )

    return FOUR_NUMBERS(types.float64), codegen


def _times(typingctx: Any, a: Any, b: Any) -> Any:
    """a b."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.fmul(args[0], args[1], flags=CONTRACT)

    return FOUR_NUMBERS(FOUR_NUMBERS, FOUR_NUMBERS), codegen


def _subtract_product(typingctx: Any, a: Any, b: Any, c: Any) -> Any:
    """a − b c."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        product = builder.fmul(args[1], args[2], flags=CONTRACT)
        return builder.fsub(args[0], product, flags=CONTRACT)

    return FOUR_NUMBERS(FOUR_NUMBERS, FOUR_NUMBERS, FOUR_NUMBERS), codegen


lanes_at: Any = intrinsic(_lanes_at)
put_lanes: Any = intrinsic(_put_lanes)
spread: Any = intrinsic(_spread)
times: Any = intrinsic(_times)
subtract_product: Any = intrinsic(_subtract_product)
