"""Impacts where friction acts at the contacts: cones instead of one-sided lines.

Normals by Newton's law, tangents within µ times the impulse of their normal, all at once; where that would
add energy (it can, with friction and restitution together), restitution is lowered until it does not
[Glocker 2001] [Jean 1999].
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engine.compiled.layout import Array
from engine.maths import cones
from engine.simulation.rigid.contact_lines import Lines, response
from engine.simulation.rigid.contact_problem import REPEATED, ContactProblem
from engine.simulation.rigid.one_sided import OneSided

NO_GAIN = 1e-14  # of the energy that impulses move: what they may add is rounding
HALVINGS = 40  # of restitution, until an impact does not add energy


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
