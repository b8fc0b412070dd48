"""Newton's method kept near the state where a step began: when its prediction cannot be trusted.

Stiff forces that are out of balance at the start of a step, a damper above all, give accelerations that hold
for a small part of the step only. A prediction with them turns bodies by radians, and from there Newton's
method diverges, or finds a solution of the discrete equations that has nothing to do with the motion. So

 1. where constant acceleration would turn a body by more than `LARGE_TURN`, and spin it the other way or
    faster than before, the iteration begins at the old state;
 2. what is found from there is refused where it turns a body by more than `ASTRAY`;
 3. an iteration that failed is repeated from the old state with restricted corrections: none turns a body by
    more than `RADIUS`, and where the correction x = −A⁻¹r (the residual in the scale of the unknowns) is
    larger than the one before, the next is at most half as long as the last: a trust region, with x as the
    measure of the residual as in [Deuflhard 2004, §3].

Easy steps pass neither: their iterates are those of plain Newton.
"""

import math

from engine.compiled.columns import bodies as BODY
from engine.compiled.kernel import inlined
from engine.compiled.layout import Array, Ints

LARGE_TURN = 0.1  # rad
RADIUS = 0.5  # rad
ASTRAY = 1.0  # rad: a solution that turns a body farther than this in a step, found from the old state
SHRINK, GROW = 0.5, 2.0
MAX_RESTRICTED = 60  # iterations


@inlined
def is_violent(bodies: Ints, h: float, v: Array, a: Array) -> bool:
    """Whether a prediction over h by the constant acceleration a goes astray."""
    for b in range(bodies.shape[0] - 1):
        at, count = (bodies[b, BODY.V] + 2, 1) if bodies[b, BODY.PLANAR] else (bodies[b, BODY.V] + 3, 3)
        spin, change = 0.0, 0.0
        for c in range(at, at + count):
            spin, change = spin + v[c] * v[c], change + a[c] * a[c]
        gained = h * math.sqrt(change)
        if not 0.5 * h * gained <= LARGE_TURN and not gained <= math.sqrt(spin):
            return True
    return False


@inlined
def largest_turn(bodies: Ints, x: Array) -> float:
    """Largest turn of a body in a displacement x [rad], each axis for itself."""
    turn = 0.0
    for b in range(bodies.shape[0] - 1):
        at, count = (bodies[b, BODY.V] + 2, 1) if bodies[b, BODY.PLANAR] else (bodies[b, BODY.V] + 3, 3)
        for c in range(at, at + count):
            turn = max(turn, abs(x[c]))
    return turn


@inlined
def largest_turn_of_coordinates(bodies: Ints, dq: Array) -> float:
    """The same for a change of coordinates: a quaternion changes by half the turn."""
    turn = 0.0
    for b in range(bodies.shape[0] - 1):
        if bodies[b, BODY.PLANAR]:
            turn = max(turn, abs(dq[bodies[b, BODY.Q] + 2]))
        else:
            for c in range(bodies[b, BODY.Q] + 3, bodies[b, BODY.Q] + 7):
                turn = max(turn, 2.0 * abs(dq[c]))
    return turn


@inlined
def trusted_share(size: float, before: float, turn: float, taken: float, reach: float) -> tuple[float, float]:
    """Share of a correction of this size that is applied, and the longest that is allowed from now on.

    `before` is the size of the last correction, `taken` what was applied of it, `reach` what was allowed.
    """
    reach = GROW * reach if size <= before else SHRINK * taken
    share = min(1.0, reach / size) if size > 0.0 else 1.0
    return (min(share, RADIUS / turn) if turn > 0.0 else share), reach
