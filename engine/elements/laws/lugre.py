"""Dry friction by bristles that bend: LuGre [Canudas de Wit 1995].

    z' = u − σ0 |u|/g(|u|) z,   g = F_k + (F_s − F_k) exp(−(|u|/v_S)²)
    effort = −N (σ0 z + σ1 z') − c u

for each component of the slip u. The bend z is a state of its own, integrated beside the work integrals as
ζ = σ0 z/F_k, a number about 1. With N = 1, ½ σ0 z² is stored in the bristles, the rest is lost. Where it
depends on the reaction of a joint, all counts per newton [Canudas de Wit 1999], and since N changes under
bristles that are bent, all of the work is booked as lost. A joint under load creeps by the bend alone, and
comes back when it is let go.
"""

from engine.compiled.arenas import open_system, open_work
from engine.compiled.columns import energies as ENERGY
from engine.compiled.columns import forces as LAW
from engine.compiled.kernel import inlined, kernel
from engine.compiled.layout import Packed, System, Work
from engine.elements.laws.base import LawKind, tangent_across, tangent_along
from engine.elements.laws.sliding import FACE, load, push_components, slip_of, stribeck

INTEGRAL, REACTION, COUNT = (
    LAW.X,
    LAW.X + 1,
    LAW.X + 4,
)  # INTEGRAL: the first that is ζ; REACTION: three columns
# columns of force_reals; BEND: ζ of the state that is evaluated, one for each component
KINETIC, STATIC, STRIBECK, VISCOUS, STIFFNESS, DAMPING, BEND = range(7)


@inlined
def _load(system: System, work: Work, i: int) -> float:
    # the column of a face is that of the third bend
    face = system.force_reals[i, FACE] if system.forces[i, COUNT] == 1 else 0.0
    return float(load(system, work, i, REACTION, face))


@kernel
def force(packed: Packed, t: float, begin: int, end: int) -> None:
    system, work = open_system(packed), open_work(packed)
    for i in range(begin, end):
        law, count, at = system.force_reals[i], system.forces[i, COUNT], system.forces[i, LAW.QUADRATURE]
        u, v, w, speed = slip_of(system, work, i, count)
        level, _ = stribeck(law[KINETIC], law[STATIC], law[STRIBECK], speed)
        n, given = _load(system, work, i), system.forces[i, REACTION + 1] <= system.forces[i, REACTION]
        x, y, z = 0.0, 0.0, 0.0
        for k in range(count):
            own = u if k == 0 else v if k == 1 else w
            elastic = law[KINETIC] * law[BEND + k]  # σ0 z
            bending = own - speed / level * elastic  # z'
            effort = -n * (elastic + law[DAMPING] * bending) - law[VISCOUS] * own
            work.power[at] += effort * own
            if given:
                work.power[at] += elastic * bending
                work.energy[ENERGY.ELASTIC] += 0.5 * elastic * elastic / law[STIFFNESS]
            work.power[system.forces[i, INTEGRAL] + k] = law[STIFFNESS] / law[KINETIC] * bending
            if k == 0:
                x = effort
            elif k == 1:
                y = effort
            else:
                z = effort
        push_components(system, work, i, count, x, y, z)


@kernel
def tangent(packed: Packed, t: float, begin: int, end: int) -> None:
    """∂z'_j/∂u_k = δ_jk − σ0 z_j (1/g − |u| g'/g²) u_k/|u|."""
    system, work = open_system(packed), open_work(packed)
    for i in range(begin, end):
        law, count, g = system.force_reals[i], system.forces[i, COUNT], system.forces[i, LAW.A]
        u, v, w, speed = slip_of(system, work, i, count)
        level, bend = stribeck(law[KINETIC], law[STATIC], law[STRIBECK], speed)
        n = _load(system, work, i)
        turn = (1.0 - speed * speed * bend / level) / (level * speed) if speed > 0.0 else 0.0
        for j in range(count):
            elastic = law[KINETIC] * law[BEND + j]
            for k in range(count):
                other = u if k == 0 else v if k == 1 else w
                by_rate = n * law[DAMPING] * elastic * turn * other
                if j == k:
                    by_rate -= n * law[DAMPING] + law[VISCOUS]
                if count == 1:
                    tangent_along(system, work, g, 0.0, by_rate)
                else:
                    tangent_across(system, work, g + j, g + k, 0.0, by_rate)


KIND = LawKind(
    "lugre",
    force,
    tangent,
    integers=5,
    reals=9,
    first_program=5,
    functions=COUNT,
    reaction=REACTION,
    integral=INTEGRAL,
    integral_value=BEND,
)
