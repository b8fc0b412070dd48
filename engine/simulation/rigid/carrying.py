"""Which of the contacts that push carry the same load alone, each by a push of its own."""

from __future__ import annotations

import numpy as np

from engine.compiled.layout import Array
from engine.simulation.rigid.contact_lines import Lines
from engine.simulation.rigid.contact_problem import INDEPENDENT
from engine.simulation.rigid.one_sided import OneSided

NO_PUSH = 1e-10  # of the largest push: none
CARRIES = 1e-7  # the same where contacts share a load that fewer could carry


def closed_alone(
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


def with_successors(
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
