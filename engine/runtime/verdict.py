"""Whether a run is to be believed: its balance of energy, and whether it went straight on at singular poses.

One measure and one limit each, for messages and reports. Energy does not tell everything: where two motions
meet, a method that leaves by the other one may keep the energy to many digits. But then its velocities jump,
while those of the motion itself are smooth: third differences of equally spaced samples, of order h³ on a
smooth path, are as large as the jump.
"""

import numpy as np
from numpy.typing import NDArray

from engine.problems import BR_INERTIA, BR_MASS, Array
from engine.system.mechanism import Mechanism

CHANNELS = ("energy.kinetic", "energy.error")
GOOD = 1e-3  # share of the largest kinetic energy by which the balance may be off
CURE = "take a smaller step or another method"
BENT = 0.1  # of the largest speed: a third difference that no smooth motion has
UNUSUAL = (
    10.0  # times the median of the third differences: fast motion, sparsely sampled, has large ones, too
)
EVEN = 1e-6  # of a step: samples so equally spaced count as equally spaced


def energy_share(table: Array) -> tuple[float, float]:
    """Largest error of the balance of energy [J], and its share of the largest kinetic energy.

    The first columns of the table are CHANNELS.
    """
    scale, error = (float(np.nanmax(np.abs(table[:, i]), initial=0.0)) for i in range(2))
    return error, error / scale if scale > 0.0 else 0.0


def energy_doubt(error: float, share: float) -> str:
    """Why the energy of a run is not to be believed, or nothing."""
    if share <= GOOD:
        return ""
    return (
        f"do not trust this run: its energy balance is off by {error:.3g} J, {share:.2g} of the largest "
        f"kinetic energy; {CURE}"
    )


def bend(mechanism: Mechanism, t: Array, v: Array, approaching: NDArray[np.bool_]) -> float | None:
    """When the velocities jump next to a singular pose, or None; `approaching` are the samples near one."""
    if len(t) < 4 or not approaching.any():
        return None
    weighted = v * np.sqrt(_masses(mechanism))
    speed = np.linalg.norm(weighted, axis=1)
    scale = float(np.nanmax(speed))
    if not scale > 0.0:
        return None
    third = np.linalg.norm(np.diff(weighted, n=3, axis=0), axis=1) / scale
    steps = np.lib.stride_tricks.sliding_window_view(np.diff(t), 3)
    even = np.ptp(steps, axis=1) <= EVEN * steps.max(axis=1)
    near = np.lib.stride_tricks.sliding_window_view(approaching, 4).any(axis=1)
    if not even.any():
        return None
    limit = max(BENT, UNUSUAL * float(np.nanmedian(third[even])))
    jumps = np.flatnonzero(even & near & (third > limit))
    return float(t[jumps[0] + 2]) if len(jumps) else None


def bend_doubt(t: float) -> str:
    """What to say of a jump at t."""
    return (
        f"do not trust this run from t = {t:.6g} s on: next to a singular pose its velocities jump, as if it "
        f"left by another motion than it came; {CURE}"
    )


def _masses(mechanism: Mechanism) -> Array:
    """Diagonal of M: what makes velocities of all units comparable."""
    reals, planar = mechanism.system.body_reals[:-1], mechanism.planar
    columns = (
        [BR_MASS] * 2 + [BR_INERTIA + 8] if planar else [BR_MASS] * 3 + [BR_INERTIA + 4 * k for k in range(3)]
    )
    return np.asarray(reals[:, columns]).ravel()
