"""States with names: joint coordinates and their speeds in place of directions of the null space.

Of the channels that could be states, those are taken whose deviations depend on each other least: joint
coordinates first, then coordinates of bodies. A set that is complete is a basis; the model is written in it.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from engine.analyses.answers.state_space import Signal
from engine.compiled.layout import Array
from engine.results.channels import Channels
from engine.system.assembly.scaling import Scales
from engine.system.compiling.mechanism import Mechanism

DEPENDENT = 0.02  # of its size: what is left of a deviation that others give already
WORST = 1e8  # condition of a basis


def candidates(mechanism: Mechanism, channels: Channels) -> list[tuple[str, str]]:
    """Pairs of channels, a coordinate and its speed; joints first."""
    pairs = []
    for joint, coordinate in mechanism.coordinates:
        speed = f"joint.{joint}.speed"
        longer = f"joint.{joint}.{coordinate}.speed"
        pairs.append((f"joint.{joint}.{coordinate}", longer if longer in channels else speed))
    for body in mechanism.bodies:
        pairs += [(f"body.{body}.pos.{x}", f"body.{body}.vel.{x}") for x in "xyz"]
        pairs.append((f"body.{body}.angle", f"body.{body}.omega.z"))
        # small rotations of a body in space have no channel of their own but twice the quaternion's parts
        pairs += [(f"body.{body}.quat.{x}", f"body.{body}.omega.{x}") for x in "xyz"]
    return [pair for pair in pairs if all(name in channels for name in pair)]


def chosen(rows: Array, wanted: int, sizes: Sequence[float]) -> list[int]:
    """The first rows that are independent of those before, as many as wanted or fewer."""
    basis: list[Array] = []
    picked: list[int] = []
    for i, row in enumerate(rows):
        if len(picked) == wanted:
            break
        scaled = row / sizes[i]
        size = float(np.linalg.norm(scaled))
        left = scaled.copy()
        for unit in basis:
            left -= (unit @ left) * unit
        rest = float(np.linalg.norm(left))
        if size and rest > DEPENDENT * size and rest > DEPENDENT:
            basis.append(left / rest)
            picked.append(i)
    return picked


def named_basis(
    mechanism: Mechanism, channels: Channels, scales: Scales, rows: Array, free: tuple[int, int]
) -> tuple[Array, tuple[Signal, ...]] | None:
    """T of (z, y) → named states with their signals; None where no such set is complete.

    `rows` are the derivatives of all candidates by (z, y): coordinates first, then speeds.
    """
    pairs = candidates(mechanism, channels)
    n, f = free
    signals = [[Signal(pair[k], channels.unit(pair[k])) for pair in pairs] for k in (0, 1)]
    lengths = [scales.length if unit.unit.startswith("m") else 1.0 for unit in signals[0]]
    positions = chosen(rows[: len(pairs), :n], n, lengths)
    speeds = rows[len(pairs) :]
    first = [*positions, *(i for i in range(len(pairs)) if i not in positions)]
    order = chosen(speeds[first, n : n + f], f, [lengths[i] for i in first])
    if len(positions) < n or len(order) < f:
        return None
    rates = [first[i] for i in order]
    T = np.vstack([rows[positions], speeds[rates]])[:, : n + f]
    if len(T) and np.linalg.cond(T) > WORST * max(1.0, max(lengths), 1.0 / min(lengths)):
        return None
    return T, (*(signals[0][i] for i in positions), *(signals[1][i] for i in rates))
