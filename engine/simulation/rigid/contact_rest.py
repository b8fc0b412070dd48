"""Which of the contacts that touch push, hold and slip from an event on, and with what pushes.

Contacts that are closed push, those whose slip is zero hold within µ_s times that push or begin to slip,
those that slip have µ times it against them; solved by `engine/maths/cones.py` [Glocker 2001] [Jean 1999].
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engine.compiled.layout import Array
from engine.elements.laws import cone, limit
from engine.maths import cones
from engine.simulation.rigid.carrying import NO_PUSH, closed_alone, with_successors
from engine.simulation.rigid.contact_lines import Lines, response
from engine.simulation.rigid.contact_problem import ContactProblem
from engine.simulation.rigid.friction_groups import begin_to_slip, note_groups
from engine.simulation.rigid.joint_friction import rate_at_rest
from engine.simulation.rigid.least_friction import HOLDS, Shared, least_friction
from engine.simulation.rigid.one_sided import OneSided

AT_BOUND = 1e-10  # of the largest friction: what is nearer to it than this slips


@dataclass(frozen=True)
class Rest:
    """What holds from now on."""

    closed: list[OneSided]
    largest: float  # push
    sticking: list[OneSided]
    slipping: dict[int, Array]  # line of a cone → direction of its slip
    carrying: dict[int, tuple[Array, tuple[int, ...]]]  # line of a cone whose rows would repeat others →
    # force, and the directions that have a row all the same
    held: dict[int, Array]  # line of a friction of a joint → its efforts
    loose: dict[int, Array]  # line of one that cannot hold → direction of its slip


def accelerate(
    problem: ContactProblem,
    state: tuple[float, Array, Array, Array],
    contacts: list[OneSided],
    resting: set[int],
    loosened: set[int],
    left: set[int],
    held: dict[int, tuple[Array, Array, float]],
) -> Rest:
    """Which of the contacts that touch and do not part push, hold and slip.

    `resting`: lines of cones whose slip is zero; `loosened`: those of them that have just reached what they
    can hold, and slip however little they are beyond it; `left`: lines of gaps whose push has just come to
    nothing; `held`: frictions of joints at rest by line: gradients, biases and bound. The states of all of
    them must be such that the laws add no force for them. Reactions of the joints are left in their rows.
    """
    t, q, v, angles = state
    lines = Lines.of(contacts, [gradient for gradient, _, _ in held.values()], len(v))
    problem.at(t, q, v, angles, np.zeros(0, np.int64))
    problem.factor()
    a = problem.acceleration()
    bias = lines.biases(contacts)
    for own, (_, b, _) in zip(lines.held, held.values(), strict=True):
        bias[own] = b
    free = lines.D @ a + bias
    _, G = response(problem, lines.D)
    sliding: dict[int, Array] = {}
    for k, own in lines.tangent.items():
        if contacts[k].friction not in resting:
            u = lines.D[own] @ v
            sliding[k] = u / np.linalg.norm(u)
    bound = np.array([most for _, _, most in held.values()])
    largest = float(np.abs(free).max(initial=0.0))
    for _ in range(2 * len(contacts) + 1):
        coefficient = {k: contacts[k].kinetic if k in sliding else contacts[k].static for k in lines.tangent}
        z = cones.solve(G, free, *lines.parts(coefficient, sliding, bound))
        w = free + G @ z
        begin = {
            k: w[own] / np.linalg.norm(w[own])
            for k, own in lines.tangent.items()
            if k not in sliding and z[lines.normal[k]] > 0.0 and np.linalg.norm(w[own]) > HOLDS * largest
        }
        slides_on = _slide_on(lines, begin, v)
        if slides_on:
            sliding |= slides_on
            continue
        shared = Shared(z, closed_alone(lines, z, G, sliding, coefficient), {})
        if not begin:
            shared = least_friction(
                problem.driver, lines, contacts, sliding, coefficient, bound, (G, free, z)
            )
            z = shared.z
        if loosened:
            pushes = {k: float(z[lines.normal[k]]) for k in lines.tangent if k not in sliding}
            bounds = {k: coefficient[k] * push for k, push in pushes.items() if push > 0.0}
            frictions = {k: z[lines.tangent[k]] for k in bounds}
            begin = begin_to_slip(problem, contacts, frictions, bounds, loosened) | begin
        if not begin or all(contacts[k].kinetic == contacts[k].static for k in begin):
            break
        sliding |= begin
    closed, most_push = shared.closed, float(z[lines.normal].max(initial=0.0))
    if left:
        closed = with_successors(lines, w, contacts, closed, left, HOLDS * largest)
    directions = sliding | begin
    stick = [contacts[k] for k in closed if k in lines.tangent and k not in (*directions, *shared.rows)]
    carries = {
        line: (z[lines.tangent[k]], rows)
        for k, rows in shared.rows.items()
        if k not in directions and (line := contacts[k].friction) is not None
    }
    slip = {
        line: directions[k] for k in closed if k in directions and (line := contacts[k].friction) is not None
    }
    loose = {}
    for line, own, most in zip(held, lines.held, bound, strict=True):
        if np.linalg.norm(z[own]) >= most * (1.0 - AT_BOUND):
            way = -z[own] if most > 0.0 else w[own]
            size = float(np.linalg.norm(way))
            loose[line] = way / size if size > 0.0 else np.eye(len(way))[0]
    problem.react(lines.D.T @ z)
    efforts = {line: z[own] for line, own in zip(held, lines.held, strict=True)}
    return Rest([contacts[k] for k in closed], most_push, stick, slip, carries, efforts, loose)


def _slide_on(lines: Lines, begin: dict[int, Array], v: Array) -> dict[int, Array]:
    """Directions of contacts that were taken for resting and begin to slip against the slip they still have:
    it is not over."""
    slips = {k: lines.D[lines.tangent[k]] @ v for k in begin}
    sizes = {k: float(np.linalg.norm(u)) for k, u in slips.items()}
    return {k: u / sizes[k] for k, u in slips.items() if sizes[k] > rate_at_rest(v) and u @ begin[k] <= 0.0}


def note_states(problem: ContactProblem, contacts: list[OneSided], rest: Rest) -> None:
    """Write the states of limits and cones."""
    forces, reals = problem.driver.system.forces, problem.driver.system.force_reals
    for contact in contacts:
        forces[contact.line, limit.STATE] = limit.OPEN
        if contact.friction is not None:
            forces[contact.friction, cone.STATE] = cone.FREE
    for contact in rest.closed:
        forces[contact.line, limit.STATE] = limit.CLOSED
        reals[contact.line, limit.SLACK] = NO_PUSH * rest.largest
    for contact in rest.sticking:
        forces[contact.friction, cone.STATE] = cone.STICKING
    for line, direction in rest.slipping.items():
        forces[line, cone.STATE] = cone.SLIPPING
        reals[line, cone.FIRST : cone.FIRST + len(direction)] = direction
    for line, (force, rows) in rest.carrying.items():
        every = len(rows) == len(force)
        forces[line, cone.STATE] = (
            cone.STICKING if every else cone.HOLDS_ONE[rows[0]] if rows else cone.CARRYING
        )
        reals[line, [cone.FIRST, cone.SECOND]] = 0.0
        given = [c for c in range(len(force)) if c not in rows]
        reals[line, [cone.FIRST + c for c in given]] = force[given]
    note_groups(
        problem, [*rest.sticking, *(contact for contact in contacts if contact.friction in rest.carrying)]
    )
    note_groups(problem, [contact for contact in rest.closed if contact.friction in rest.slipping])
