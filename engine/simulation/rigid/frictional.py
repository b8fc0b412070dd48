"""Impacts and resting contacts where friction acts at the contacts: cones instead of one-sided lines.

Impact: normals by Newton's law, tangents within µ times the impulse of their normal, all at once; where that
would add energy (it can, with friction and restitution together), restitution is lowered until it does not.
Accelerations: contacts that are closed push, those whose slip is zero hold within µ_s times that push or
begin to slip, those that slip have µ times it against them. Both are solved by `engine/maths/cones.py`.
[Glocker 2001] [Jean 1999]
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engine.compiled.layout import Array, Ints
from engine.elements.laws import cone, limit
from engine.maths import cones
from engine.simulation.rigid.contact_problem import INDEPENDENT, REPEATED, ContactProblem
from engine.simulation.rigid.friction_groups import begin_to_slip, groups_of, note_groups
from engine.simulation.rigid.joint_friction import rate_at_rest
from engine.simulation.rigid.one_sided import OneSided
from engine.simulation.stepping.method_driver import Driver

NO_GAIN = 1e-14  # of the energy that impulses move: what they may add is rounding
HALVINGS = 40  # of restitution, until an impact does not add energy
AT_BOUND = 1e-10  # of the largest friction: what is nearer to it than this slips
HOLDS = 1e-9  # of the largest acceleration: a slip that does not begin
NO_PUSH = 1e-10  # of the largest push: none
CARRIES = 1e-7  # the same where contacts share a load that fewer could carry
WEIGHINGS = 6  # of friction by the push that it depends on
SHARES = 34  # halvings, to find how little of friction is enough


@dataclass(frozen=True)
class Lines:
    """Gradients of gaps and slips, one behind the other, and what `cones.solve` is told of them."""

    D: Array
    normal: Ints  # line of the gap of each contact
    tangent: dict[int, slice]  # contact → lines of its slips
    held: list[slice]  # lines of each held friction

    @classmethod
    def of(cls, contacts: list[OneSided], held: list[Array], nv: int) -> Lines:
        lines: list[Array] = []
        normal, tangent = np.zeros(len(contacts), np.int64), {}
        for k, contact in enumerate(contacts):
            normal[k] = len(lines)
            lines.append(contact.gradient)
            if contact.slips is not None:
                tangent[k] = slice(len(lines), len(lines) + len(contact.slips))
                lines += list(contact.slips)
        own = []
        for gradients in held:
            own.append(slice(len(lines), len(lines) + len(gradients)))
            lines += list(gradients)
        return cls(np.array(lines).reshape(-1, nv), normal, tangent, own)

    def biases(self, contacts: list[OneSided]) -> Array:
        """What accelerations along the lines have beside D a; zero for held frictions."""
        bias = np.zeros(len(self.D))
        bias[self.normal] = [contact.bias for contact in contacts]
        for k, own in self.tangent.items():
            bias[own] = contacts[k].slip_bias
        return bias

    def parts(
        self, coefficient: dict[int, float], sliding: dict[int, Array], bound: Array
    ) -> tuple[Ints, Array, Array]:
        """Parts, their bounds and directions; `sliding`: direction of the contacts that slide."""
        rows: list[tuple[int, int, int, int]] = []
        limits: list[float] = []
        along = np.zeros(len(self.D))
        for k, line in enumerate(self.normal):
            rows.append((int(line), 1, cones.ONE_SIDED, 0))
            limits.append(0.0)
            if k in self.tangent:
                own = self.tangent[k]
                sort = cones.SLIDING if k in sliding else cones.IN_CONE
                rows.append((own.start, own.stop - own.start, sort, int(line)))
                limits.append(coefficient[k])
                along[own] = sliding.get(k, 0.0)
        for own, most in zip(self.held, bound, strict=True):
            rows.append((own.start, own.stop - own.start, cones.BOUNDED, 0))
            limits.append(float(most))
        return np.array(rows, np.int64).reshape(-1, 4), np.array(limits), along


def response(problem: ContactProblem, D: Array) -> tuple[Array, Array]:
    """M_b⁻¹Dᵀ and G, with no conditional row active."""
    X = np.array([problem.solve(d, 0.0) for d in D]).reshape(D.shape).T
    return X, D @ X


@dataclass(frozen=True)
class Impact:
    """Velocities after it; impulse along the normal and energy lost, by contact; all of them together."""

    v: Array
    impulse: Array
    loss: Array
    load: Array


def impact(
    problem: ContactProblem,
    state: tuple[float, Array, Array, Array],
    contacts: list[OneSided],
    small: float,
    shortest: float,
    lowest: float,
) -> Impact:
    """What an impact does to the contacts that touch; nothing where none of them approaches.

    A bounce that is shorter [s] or lower (of the size of the contact) than this is the end of bouncing.
    """
    t, q, v, angles = state
    lines = Lines.of(contacts, [], len(v))
    before = lines.D @ v
    none = Impact(v, np.zeros(len(contacts)), np.zeros(len(contacts)), np.zeros(len(v)))
    if not (before[lines.normal] < -small).any():
        return none
    nothing = np.zeros(0, np.int64)
    problem.at(t, q, v, angles, nothing)
    problem.factor()
    X, G = response(problem, lines.D)
    coefficient = {k: contacts[k].kinetic for k in lines.tangent}
    parts = lines.parts(coefficient, {}, np.zeros(0))

    def impulses(e: Array) -> Array:
        right = before.copy()
        right[lines.normal] += e * np.minimum(before[lines.normal], 0.0)
        return cones.solve(G, right, *parts)

    def without_gain(e: Array) -> Array:
        """The impulses for the largest share of e that adds no energy."""
        z = impulses(e)
        scale = float(np.abs(z) @ np.abs(before)) * NO_GAIN
        if z @ (before + 0.5 * G @ z) <= scale:
            return z
        low, high = 0.0, 1.0
        for _ in range(HALVINGS):
            middle = 0.5 * (low + high)
            z = impulses(middle * e)
            low, high = (middle, high) if z @ (before + 0.5 * G @ z) <= 0.0 else (low, middle)
        return impulses(low * e)

    e = np.array([contact.restitution for contact in contacts])
    z = without_gain(e)
    after = v + X @ z
    # bounces that are over before they are seen
    problem.at(t, q, after, angles, nothing)
    normals = lines.D[lines.normal]
    free = lines.D @ problem.acceleration() + lines.biases(contacts)
    resting = [k for k, rate in enumerate(normals @ after) if abs(rate) <= small]
    fall = np.maximum(_falls(lines, contacts, G, free, lines.D @ after, resting, small), 0.0)
    size = np.array([contact.size for contact in contacts])
    slow = np.maximum(0.5 * shortest * fall, np.sqrt(2.0 * fall * lowest * size))  # a speed that is none
    short = (z[lines.normal] > 0.0) & (normals @ after < slow)
    if short.any():
        z = without_gain(np.where(short, 0.0, e))
        after = v + X @ z
    # nor does a corner part that would be back at once, or slide on by what is left, as when rocking ends
    rate = normals @ after
    stays = np.abs(rate) <= np.maximum(slow, small)
    kept = [int(lines.normal[k]) for k in np.flatnonzero(stays)]
    for k, own in lines.tangent.items():
        if stays[k] and np.linalg.norm(lines.D[own] @ after) <= slow[k]:
            kept += range(own.start, own.stop)
    if np.abs(lines.D[kept] @ after).max(initial=0.0) > small:
        z[kept] -= np.linalg.lstsq(G[np.ix_(kept, kept)], lines.D[kept] @ after, rcond=REPEATED)[0]
        after = v + X @ z
    each = -0.5 * z * (lines.D @ after + before)
    loss = each[lines.normal]
    for k, own in lines.tangent.items():
        loss[k] += each[own].sum()
    return Impact(after, z[lines.normal], loss, lines.D.T @ z)


def _falls(
    lines: Lines,
    contacts: list[OneSided],
    G: Array,
    free: Array,
    rate: Array,
    resting: list[int],
    small: float,
) -> Array:
    """How fast gaps close again that have the accelerations `free` alone; what rests pushes and rubs."""
    at = [range(line, line + 1 + len(contacts[k].slip_rows)) for k, line in enumerate(lines.normal)]
    index = np.array([i for k in resting for i in at[k]], np.int64)
    own = Lines.of([contacts[k] for k in resting], [], lines.D.shape[1])
    slips = {k: rate[index[span]] for k, span in own.tangent.items()}
    sliding = {k: u / size for k, u in slips.items() if (size := float(np.linalg.norm(u))) > small}
    coefficient = {
        k: contacts[resting[k]].kinetic if k in sliding else contacts[resting[k]].static for k in own.tangent
    }
    parts = own.parts(coefficient, sliding, np.zeros(0))
    z = cones.solve(G[np.ix_(index, index)], free[index], *parts) if resting else np.zeros(0)
    return np.asarray(-(free + G[:, index] @ z)[lines.normal])


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
        shared = Shared(z, _closed(lines, z, G, sliding, coefficient), {})
        if not begin:
            shared = _shared(problem.driver, lines, contacts, sliding, coefficient, bound, (G, free, z))
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
        closed = _with_successors(lines, w, contacts, closed, left, HOLDS * largest)
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


@dataclass(frozen=True)
class Shared:
    """How contacts at rest share what more of them hold than is needed."""

    z: Array
    closed: list[int]  # contacts without those without which the others hold as much
    rows: dict[int, tuple[int, ...]]  # contact → directions of slip that it alone holds; others: all


def _shared(
    driver: Driver,
    lines: Lines,
    contacts: list[OneSided],
    sliding: dict[int, Array],
    coefficient: dict[int, float],
    bound: Array,
    problem: tuple[Array, Array, Array],
) -> Shared:
    """The same at rest with the least share of what friction can hold, where its rows repeat others.

    Where closed contacts, joints and their frictions leave no motion without a friction, its value is not
    unique (a sleeve that is jammed, a pin behind a hook, a wedge on a guide that rubs, a box in a corner).
    Rows would find one of many, perhaps beyond the cone.
    """
    G, free, z = problem
    largest = float(np.abs(free).max(initial=0.0))
    still = np.abs(free + G @ z) <= HOLDS * largest
    holding = [bool(still[own].all()) for own in lines.held]
    held = [own for own, holds in zip(lines.held, holding, strict=True) if holds]
    closed = _closed(lines, z, G, sliding, coefficient)
    rows = _rows_of_their_own(driver, lines, contacts, sliding, held, G, z, closed)
    if not rows:
        return Shared(z, closed, rows)
    at_rest = [*held, *(lines.tangent[k] for k in closed if k in lines.tangent and k not in sliding)]
    alone = Lines.of([contacts[k] for k in closed], [lines.D[own] for own in lines.held], lines.D.shape[1])
    at = [i for k in closed for i in (int(lines.normal[k]), *_of(lines.tangent.get(k, slice(0, 0))))]
    at += [i for own in lines.held for i in _of(own)]
    G_alone, free_alone = np.ascontiguousarray(G[np.ix_(at, at)]), free[at]
    slides = {j: sliding[k] for j, k in enumerate(closed) if k in sliding}

    def with_share(share: float) -> Array | None:
        less = {
            j: coefficient[k] * (1.0 if k in sliding else share)
            for j, k in enumerate(closed)
            if k in lines.tangent
        }
        parts = alone.parts(less, slides, np.where(holding, share, 1.0) * bound)
        found = np.zeros(len(z))
        found[at] = cones.solve(G_alone, free_alone, *parts)
        w = free + G @ found
        rests = all(np.linalg.norm(w[own]) <= HOLDS * largest for own in at_rest)
        return found if rests and (w[lines.normal] > -HOLDS * largest).all() else None

    given = (lines, sliding, coefficient, closed, holding, bound, problem)
    low, high, best = 0.0, 1.0, None
    if any(rows.values()):
        best = _with_least_friction(*given)
    if best is None:
        best = with_share(0.0)
    if best is None:
        best = z
        for _ in range(SHARES):
            middle = 0.5 * (low + high)
            found = with_share(middle)
            low, high = (middle, high) if found is None else (low, middle)
            best = best if found is None else found
    push = best[lines.normal]
    closed = _closed(lines, best, G, sliding, coefficient)
    closed = [k for k in closed if push[k] > CARRIES * push.max()]
    return Shared(best, closed, _rows_of_their_own(driver, lines, contacts, sliding, held, G, best, closed))


def _with_least_friction(
    lines: Lines,
    sliding: dict[int, Array],
    coefficient: dict[int, float],
    closed: list[int],
    holding: list[bool],
    bound: Array,
    problem: tuple[Array, Array, Array],
) -> Array | None:
    """The least squares of the shares of friction among all ways to rest, if it is within the cones: most
    are decided by it, at once and to rounding."""
    G, free, z = problem
    rubs = [k for k in closed if k in lines.tangent and k not in sliding]
    own = [_of(part) for part, rests in zip(lines.held, holding, strict=True) if rests]
    given = [float(most) for most, rests in zip(bound, holding, strict=True) if rests]
    parts = [*(_of(lines.tangent[k]) for k in rubs), *own]
    at = [*(int(lines.normal[k]) for k in closed), *(i for part in parts for i in part)]
    others = np.zeros(len(z))  # frictions of joints at their bounds
    for part, rests in zip(lines.held, holding, strict=True):
        others[part] = 0.0 if rests else z[part]
    answer = np.eye(len(z))[:, at]
    for k, way in sliding.items():
        if k in closed:
            answer[lines.tangent[k], at.index(int(lines.normal[k]))] = -coefficient[k] * way
    A = (G @ answer)[at]
    own_size = np.sqrt(np.maximum(np.diag(G)[at], 1e-300))
    left, sizes, right = np.linalg.svd(A / np.outer(own_size, own_size))
    rank = int((sizes > INDEPENDENT * sizes.max(initial=0.0)).sum())
    wanted = left.T @ (-(free + G @ others)[at] / own_size)
    some = right[:rank].T @ (wanted[:rank] / sizes[:rank]) / own_size
    idle = right[rank:].T / own_size[:, None]  # ways to press and rub that move nothing
    found, first = z, len(closed)
    for _ in range(WEIGHINGS):
        most = [*(coefficient[k] * float(found[lines.normal[k]]) for k in rubs), *given]
        if min(most, default=0.0) <= 0.0:
            return None
        weight = np.array([c**-0.5 for part, c in zip(parts, most, strict=True) for _ in part])
        share, *_ = np.linalg.lstsq(weight[:, None] * idle[first:], -weight * some[first:], rcond=INDEPENDENT)
        found = others + answer @ (some + idle @ share)
    push, w, largest = found[lines.normal], free + G @ found, float(np.abs(free).max(initial=0.0))
    most = [*(coefficient[k] * float(push[k]) for k in rubs), *given]
    within = all(np.linalg.norm(found[part]) <= c for part, c in zip(parts, most, strict=True))
    rests = np.abs(w[at]).max(initial=0.0) <= HOLDS * largest and w[lines.normal].min() > -HOLDS * largest
    return found if within and rests and push[closed].min(initial=1.0) > 0.0 else None


def _rows_of_their_own(
    driver: Driver,
    lines: Lines,
    contacts: list[OneSided],
    sliding: dict[int, Array],
    held: list[slice],
    G: Array,
    z: Array,
    closed: list[int],
) -> dict[int, tuple[int, ...]]:
    """Of the closed contacts in whose group others hold what it holds, the directions that are left to them;
    those that hold most are asked first."""
    groups = groups_of(driver, {k: contacts[k] for k in closed if k in lines.tangent and k not in sliding})
    size = np.sqrt(np.maximum(np.diag(G), 1e-300))
    whole = G / np.outer(size, size)
    index = [*(int(lines.normal[k]) for k in closed), *(i for own in held for i in _of(own))]

    def rank(rows: list[int]) -> int:
        return int(np.linalg.matrix_rank(whole[np.ix_(rows, rows)], tol=INDEPENDENT, hermitian=True))

    own_rows: dict[int, tuple[int, ...]] = {}
    used = {k: float(np.linalg.norm(z[own])) for k, own in lines.tangent.items()}
    for group in sorted(groups, key=lambda group: -max(used[k] for k in group)):
        tangents = [i for k in group for i in _of(lines.tangent[k])]
        before = rank(index)
        if rank([*index, *tangents]) == before + rank(tangents):
            index += tangents
            continue
        for k in sorted(group, key=lambda k: -used[k]):
            kept: list[int] = []
            for c, i in enumerate(_of(lines.tangent[k])):
                if rank([*index, i]) > rank(index):
                    index.append(i)
                    kept.append(c)
            own_rows[k] = tuple(kept)
    return own_rows


def _of(part: slice) -> range:
    return range(part.start, part.stop)


def _slide_on(lines: Lines, begin: dict[int, Array], v: Array) -> dict[int, Array]:
    """Directions of contacts that were taken for resting and begin to slip against the slip they still have:
    it is not over."""
    slips = {k: lines.D[lines.tangent[k]] @ v for k in begin}
    sizes = {k: float(np.linalg.norm(u)) for k, u in slips.items()}
    return {k: u / sizes[k] for k, u in slips.items() if sizes[k] > rate_at_rest(v) and u @ begin[k] <= 0.0}


def _closed(
    lines: Lines, z: Array, G: Array, sliding: dict[int, Array], coefficient: dict[int, float]
) -> list[int]:
    """Contacts that push, of those that could carry the same load alone, with the friction of what slides."""
    push = z[lines.normal]
    closed = [k for k in range(len(push)) if push[k] > NO_PUSH * push.max(initial=0.0)]
    answer = np.eye(len(z))[:, lines.normal[closed]]
    for j, k in enumerate(closed):
        if k in sliding:
            answer[lines.tangent[k], j] = -coefficient[k] * sliding[k]
    slide = any(k in sliding for k in closed)
    return _independent(
        lines.D[lines.normal], push, closed, (G @ answer)[lines.normal[closed]] if slide else None
    )


def _with_successors(
    lines: Lines, w: Array, contacts: list[OneSided], closed: list[int], left: set[int], small: float
) -> list[int]:
    """With those that take over from contacts that push no more: at that instant they push by nothing, as
    well, as when the centre of pressure of a box passes a diagonal; without them it would tip first."""
    D = lines.D[lines.normal]
    directions, kept = D / np.linalg.norm(D, axis=1)[:, None], list(closed)
    for k, contact in enumerate(contacts):
        if k in kept or contact.line in left or abs(w[lines.normal[k]]) > small:
            continue
        if _adds(directions, kept, k):
            kept.append(k)
    return sorted(kept)


def _independent(D: Array, push: Array, closed: list[int], answer: Array | None) -> list[int]:
    """Those of the closed contacts that carry the same load alone, each by a push of its own.

    `answer`: accelerations of their gaps by unit pushes, where friction of some goes with them: as a box
    turns, the same load on other corners has another friction.
    """
    if len(closed) < 2:
        return closed
    from scipy.optimize import nnls

    own = D[closed]
    sizes = np.linalg.norm(own, axis=1)
    if np.linalg.matrix_rank(own / sizes[:, None], tol=INDEPENDENT) == len(closed):
        return closed
    if answer is None:
        share, _ = nnls((own / sizes[:, None]).T, own.T @ push[closed])
    else:
        share, _ = nnls(answer / sizes[:, None], (answer / sizes[:, None]) @ push[closed])
    kept: list[int] = []
    for i in np.argsort(-share):  # those that carry most first
        if share[i] > CARRIES * share.max() and _adds(own / sizes[:, None], kept, int(i)):
            kept.append(int(i))
    return sorted(closed[i] for i in kept)


def _adds(directions: Array, kept: list[int], i: int) -> bool:
    return int(np.linalg.matrix_rank(directions[[*kept, i]], tol=INDEPENDENT)) > len(kept)


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
