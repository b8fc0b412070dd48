"""A primitive and a law that no list of the program names; `new_kinds.py` puts them into the registries."""

from engine.compiled.arenas import open_system, open_work
from engine.compiled.columns import coordinate_values as COORDINATE_VALUE
from engine.compiled.columns import energies as ENERGY
from engine.compiled.columns import entries as ENTRY
from engine.compiled.columns import forces as LAW
from engine.compiled.columns import poses as POSE
from engine.compiled.kernel import kernel
from engine.compiled.layout import Packed
from engine.elements.laws.base import LawKind, push_along, tangent_along
from engine.elements.primitives.base import PrimitiveKind, put
from engine.maths.vectors import ZERO


@kernel
def evaluate(packed: Packed, begin: int, end: int) -> None:
    """s = (θ_A + θ_B) / 2."""
    system, work = open_system(packed), open_work(packed)
    for i in range(begin, end):
        g, block = system.entries[i, ENTRY.COORDINATE], system.entries[i, ENTRY.BLOCK]
        a, b = work.pose[system.entries[i, ENTRY.A]], work.pose[system.entries[i, ENTRY.B]]
        work.coordinate[g, COORDINATE_VALUE.VALUE] = 0.5 * (a[POSE.ANGLE] + b[POSE.ANGLE])
        work.coordinate[g, COORDINATE_VALUE.RATE] = 0.5 * (a[POSE.W + 2] + b[POSE.W + 2])
        work.coordinate[g, COORDINATE_VALUE.BIAS] = 0.0
        put(work.grad, block, 1, ZERO, (0.0, 0.0, 0.5))
        put(work.grad, block + 1, 1, ZERO, (0.0, 0.0, 0.5))


@kernel
def second_derivatives(packed: Packed, begin: int, end: int) -> None:
    system, work = open_system(packed), open_work(packed)
    for i in range(begin, end):
        block = system.entries[i, ENTRY.BLOCK]
        work.tangent[:, block : block + 2, :] = 0.0


MEAN_ANGLE = PrimitiveKind("prototype_mean_angle", evaluate, second_derivatives)


@kernel
def force(packed: Packed, t: float, begin: int, end: int) -> None:
    """effort = −k s³, potential k s⁴/4."""
    system, work = open_system(packed), open_work(packed)
    for i in range(begin, end):
        coordinate_function, k = system.forces[i, LAW.A], system.force_reals[i, 0]
        s = work.coordinate[coordinate_function, COORDINATE_VALUE.VALUE]
        work.energy[ENERGY.ELASTIC] += 0.25 * k * s * s * s * s
        push_along(system, work, coordinate_function, -k * s * s * s)


@kernel
def stiffness(packed: Packed, t: float, begin: int, end: int) -> None:
    system, work = open_system(packed), open_work(packed)
    for i in range(begin, end):
        coordinate_function = system.forces[i, LAW.A]
        s = work.coordinate[coordinate_function, COORDINATE_VALUE.VALUE]
        tangent_along(system, work, coordinate_function, -3.0 * system.force_reals[i, 0] * s * s, 0.0)


CUBIC = LawKind("prototype_cubic", force, stiffness, reals=1)
