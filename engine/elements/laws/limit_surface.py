"""How much friction contacts with one normal can hold together, however they share it.

They hold each other in a ring of the table of forces, `NEXT` after `NEXT`; each stands at a place r_k across
the normal and holds what is within c_k = µ N_k. A load of force F and moment M about the normal is held by
some of the ways to share it when no slip of the whole body, u at the centre of pressure and ω, takes less
from friction than the load gives to it [Goyal 1991]:

    F·u + M ω ≤ h(u, ω) = Σ c_k |u + ω n × r_k|.

So what can be held beside the load is the least of h over all slips with F·u + M ω = |(F, M)|, less |(F, M)|.
h is convex; its minimum comes from least squares with weights c_k/|slip of k|, again and again. Without a
moment about the centre of pressure the first of them is the last, and the limit is |F| = Σ c_k.
"""

import math
from typing import Final

from engine.compiled.columns import forces as LAW
from engine.compiled.kernel import kernel
from engine.compiled.layout import Array, Ints2

NEXT: Final = LAW.X + 4  # line of the next contact of the group, round and round
PLACE: Final = 5  # two of the reals: where it is, along both directions of slip [m]
BOUND: Final = 7  # c_k [N]
ROUNDS: Final = 100
AGREED: Final = 1e-14  # of the minimum
TURNED_ABOUT: Final = 1e-12  # of the largest slip: that of a contact which the body turns about
CONCENTRATED: Final = 1e-12  # of the distance from the origin: all contacts are at one place

Reserve = tuple[float, float, float, float]  # [N]; and the slip that is the first: u at the origin, ω


@kernel
def reserve_of(forces: Ints2, reals: Array, first: int, f_x: float, f_y: float, moment: float) -> Reserve:
    """What a ring can hold beside a force and its moment about the origin of the places."""
    total = p_x = p_y = far = 0.0
    k = first
    while True:
        c, x, y = reals[k, BOUND], reals[k, PLACE], reals[k, PLACE + 1]
        total += c
        p_x += c * x
        p_y += c * y
        far = max(far, math.hypot(x, y))
        k = forces[k, NEXT]
        if k == first:
            break
    force = math.hypot(f_x, f_y)
    if not total > 0.0:
        return -force, f_x, f_y, 0.0
    p_x, p_y, arm = p_x / total, p_y / total, 0.0
    while True:
        arm += reals[k, BOUND] / total * math.hypot(reals[k, PLACE] - p_x, reals[k, PLACE + 1] - p_y)
        k = forces[k, NEXT]
        if k == first:
            break
    if arm <= CONCENTRATED * far:
        return total - force, f_x, f_y, 0.0
    turning = (moment - p_x * f_y + p_y * f_x) / arm
    load = math.sqrt(force * force + turning * turning)
    if load == 0.0:
        return total, 0.0, 0.0, 0.0
    d_x, d_y, d_w = f_x / load, f_y / load, turning / load
    x, y, w = d_x, d_y, d_w  # a slip, with moments over `arm`
    best, u, v, omega = math.inf, x, y, w
    for _ in range(ROUNDS):
        least = a = b = e = f = 0.0
        while True:
            r_x, r_y = (reals[k, PLACE] - p_x) / arm, (reals[k, PLACE + 1] - p_y) / arm
            speed, c = math.hypot(x - w * r_y, y + w * r_x), reals[k, BOUND]
            least += c * speed
            weight = c / max(speed, TURNED_ABOUT)
            a += weight
            b -= weight * r_y
            e += weight * r_x
            f += weight * (r_x * r_x + r_y * r_y)
            k = forces[k, NEXT]
            if k == first:
                break
        if least < best:
            u, v, omega = x, y, w
        if least >= best * (1.0 - AGREED):
            best = min(best, least)
            break
        best = least
        left = f - (b * b + e * e) / a
        if not left > 0.0:
            break
        w = (d_w - (b * d_x + e * d_y) / a) / left
        x, y = (d_x - b * w) / a, (d_y - e * w) / a
        size = d_x * x + d_y * y + d_w * w
        x, y, w = x / size, y / size, w / size
    omega /= arm
    return best - load, u + omega * p_y, v - omega * p_x, omega
