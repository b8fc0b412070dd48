"""What contacts at rest hold by friction where its value is not unique: the least share of every cone.

Where closed contacts, joints and their frictions leave no motion without a friction (a sleeve that is jammed,
a pin behind a hook, a box in a corner), rows would find one of many, perhaps beyond the cone.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engine.compiled.layout import Array
from engine.maths import cones
from engine.simulation.rigid.carrying import CARRIES, closed_alone
from engine.simulation.rigid.contact_lines import Lines, indices
from engine.simulation.rigid.contact_problem import INDEPENDENT
from engine.simulation.rigid.friction_groups import groups_of
from engine.simulation.rigid.one_sided import OneSided
from engine.simulation.stepping.method_driver import Driver

HOLDS = 1e-9  # of the largest acceleration: a slip that does not begin
WEIGHINGS = 6  # of friction by the push that it depends on
SHARES = 34  # halvings, to find how little of friction is enough


@dataclass(frozen=True)
class Shared:
    """How contacts at rest share what more of them hold than is needed."""

    z: Array
    closed: list[int]  # contacts without those without which the others hold as much
    rows: dict[int, tuple[int, ...]]  # contact → directions of slip that it alone holds; others: all


def least_friction(
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
    closed = closed_alone(lines, z, G, sliding, coefficient)
    rows = _rows_of_their_own(driver, lines, contacts, sliding, held, G, z, closed)
    if not rows:
        return Shared(z, closed, rows)
    at_rest = [*held, *(lines.tangent[k] for k in closed if k in lines.tangent and k not in sliding)]
    alone = Lines.of([contacts[k] for k in closed], [lines.D[own] for own in lines.held], lines.D.shape[1])
    at = [i for k in closed for i in (int(lines.normal[k]), *indices(lines.tangent.get(k, slice(0, 0))))]
    at += [i for own in lines.held for i in indices(own)]
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
    closed = closed_alone(lines, best, G, sliding, coefficient)
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
    own = [indices(part) for part, rests in zip(lines.held, holding, strict=True) if rests]
    given = [float(most) for most, rests in zip(bound, holding, strict=True) if rests]
    parts = [*(indices(lines.tangent[k]) for k in rubs), *own]
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
    index = [*(int(lines.normal[k]) for k in closed), *(i for own in held for i in indices(own))]

    def rank(rows: list[int]) -> int:
        return int(np.linalg.matrix_rank(whole[np.ix_(rows, rows)], tol=INDEPENDENT, hermitian=True))

    own_rows: dict[int, tuple[int, ...]] = {}
    used = {k: float(np.linalg.norm(z[own])) for k, own in lines.tangent.items()}
    for group in sorted(groups, key=lambda group: -max(used[k] for k in group)):
        tangents = [i for k in group for i in indices(lines.tangent[k])]
        before = rank(index)
        if rank([*index, *tangents]) == before + rank(tangents):
            index += tangents
            continue
        for k in sorted(group, key=lambda k: -used[k]):
            kept: list[int] = []
            for c, i in enumerate(indices(lines.tangent[k])):
                if rank([*index, i]) > rank(index):
                    index.append(i)
                    kept.append(c)
            own_rows[k] = tuple(kept)
    return own_rows
