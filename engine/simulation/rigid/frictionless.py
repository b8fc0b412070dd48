"""Impulses and pushes of one-sided limits without friction at them, from their matrix G alone.

Rates of the gaps answer impulses by γ⁺ = γ⁻ + G Λ, their accelerations answer pushes by a = a₀ + G λ: linear
complementarity problems [Pfeiffer 1996] [Glocker 2001]. Friction of joints, of bounded force, takes part in
pushes only.
"""

from __future__ import annotations

import numpy as np

from engine.compiled.layout import Array, Ints
from engine.maths.complementarity import solve as complementary
from engine.simulation.rigid.shared_motion import SharedMotion

NO_GAIN = 1e-15  # of the energy that is lost: a gain that is rounding
BLOWS = 200  # that one impact may set off among limits that touch; the rest is inelastic


def impulses_in_turn(G: Array, before: Array, e: Array, small: float) -> tuple[Array, Array]:
    """Λ and the energy lost by each, where an impact sets off others among limits that only touch.

    What approaches at one moment is hit at once; what that sets in motion against others that touch is hit
    next, as a blow goes through a row of balls. Without restitution, and where there is no end of it, all are
    hit at once.
    """
    impulse, loss, rate = np.zeros(len(before)), np.zeros(len(before)), before.copy()

    def hit(which: Ints, bounce: Array) -> None:
        nonlocal rate
        own = impulses(G[np.ix_(which, which)], rate[which], bounce[which])
        after = rate + G[:, which] @ own
        loss[which] -= 0.5 * own * (rate[which] + after[which])
        impulse[which] += own
        rate = after

    every = np.arange(len(before))
    for _ in range(BLOWS if (e > 0.0).any() else 0):
        approaching = np.flatnonzero(rate < -small)
        if not len(approaching):
            return impulse, loss
        hit(approaching, e)
    hit(every, e if not impulse.any() else np.zeros(len(e)))
    return impulse, loss


def impulses(G: Array, before: Array, e: Array) -> Array:
    """Λ of an impact by Newton's law, drawn towards the inelastic one where it would add energy."""
    found = complementary(G, before + e * np.minimum(before, 0.0))
    inelastic = complementary(G, before)
    if inelastic is None:
        return np.zeros(len(before))
    if found is None:
        return inelastic

    def gained(impulse: Array) -> float:
        return float(impulse @ (before + 0.5 * G @ impulse))

    lost = gained(inelastic)
    if gained(found) <= -NO_GAIN * abs(lost):
        return found
    # the energy is a parabola along the way from one to the other: its root in (0, 1]
    step = found - inelastic
    a, b = 0.5 * float(step @ G @ step), float(step @ (before + G @ inelastic))
    if a <= 0.0:
        return inelastic
    share = (-b + np.sqrt(max(b * b - 4.0 * a * lost, 0.0))) / (2.0 * a)
    return np.asarray(inelastic + min(max(float(share), 0.0), 1.0) * step)


def falls(G: Array, free: Array, resting: Ints) -> Array:
    """How fast gaps close again that have the accelerations `free` alone: those that rest push back."""
    push = complementary(G[np.ix_(resting, resting)], free[resting]) if len(resting) else None
    return -free if push is None else -(free + G[:, resting] @ push)


def pushes(G: Array, free: Array, limits: int, bound: Array) -> Array:
    """Pushes of one-sided limits, and of friction within ± bound, for accelerations free + G λ.

    Friction λ ∈ [−F, F] is written with λ_R = λ + F ≥ 0 and λ_L = F − λ ≥ 0 against the two directions of the
    acceleration a_R − a_L [Pfeiffer 1996, §5].
    """
    m, k = limits, len(bound)
    if m + k == 0:
        return np.zeros(0)
    shift = np.concatenate([np.zeros(m), bound])
    M = np.zeros((m + 2 * k, m + 2 * k))
    M[: m + k, : m + k] = G
    M[m : m + k, m + k :] = np.eye(k)
    M[m + k :, m : m + k] = -np.eye(k)
    q = np.concatenate([free - G @ shift, 2.0 * bound])
    z = complementary(M, q)
    if z is None:
        z = np.zeros(m + 2 * k)
    return np.asarray(z[: m + k] - shift)


def shared_pushes(G: Array, free: Array, limits: int, bound: Array, motions: list[SharedMotion]) -> Array:
    """The same where several frictions hold one motion: as one that can hold what all can."""
    if not motions:
        return pushes(G, free, limits, bound)
    most, alone = bound.copy(), np.ones(len(free), dtype=bool)
    for motion in motions:
        most[motion.at[0]] = motion.most
        alone[limits + motion.at[1:]] = False
    force = np.zeros(len(free))
    force[alone] = pushes(G[np.ix_(alone, alone)], free[alone], limits, most[alone[limits:]])
    for motion in motions:
        force[limits + motion.at] = motion.shares * force[limits + motion.at[0]]
    return force
