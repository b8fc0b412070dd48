"""The gap between a point of B and one feature of A, both rounded: its frame of contact and how that moves.

With d from a point of the feature to the point of B, x a direction of the feature, radii r_A and r_B:

    face     n = x                        half-space with the outward normal x
    corner   n = d/|d|                    a point
    hollow   n = −d/|d|                   a round hole about the point; its radius counts below zero
    edge     n = w/|w|,  w = d − (x·d) x  a line along x
    crossed  n = ±x × y/|x × y|           a line along x, and B has a line along y instead of the point

n points from A to B. In all cases the gap is s = n·d − r_A − r_B with the rate n·d' + n'·d. The bodies touch
at c = P_B − (r_B + s/2) n, half-way between their surfaces, where friction acts on both of them; of crossed
lines P_B is the place on that of B, β y from its beginning, β = (d × x)·(x × y)/|x × y|².

A direction e of the frame of contact (the normal, or a tangent) gives the speed u = e·U, U the velocity of B
against A at the place c; its gradient is that of a force e at c, and

    u' = e·(a_B + α_B × ρ_B − a_A − α_A × ρ_A) + e'·U + e·(ω_B × ρ_B' − ω_A × ρ_A'),   ρ = c − r

For the normal u is the rate of the gap, as c lies on the line of the normal.
"""

from typing import Final

from engine.compiled.kernel import inlined, kernel
from engine.maths.vectors import Rotation, Vector, add, cross, dot, mix, rotate, scale, sub, unrotate

FACE: Final = 0
CORNER: Final = 1
HOLLOW: Final = 2
EDGE: Final = 3
CROSSED: Final = 4
AGAINST: Final = 5  # crossed, with the other sign of n
NEARLY_NONE: Final = 1e-12  # m: closer than this a direction is undefined and taken from a clamped length

# cosine to the z axis of A beyond which tangents are next to its x axis. The choice turns the frame of
# contact, which no step may see: normals of shapes hardly lie there, but often as near to one axis as another
UPRIGHT: Final = 0.8435

NORMAL: Final = 0  # directions of the frame of contact
FIRST: Final = 1
SECOND: Final = 2

Body = tuple[Rotation, Vector, Vector, Vector]  # rotation, centre, its velocity (world), spin (body axes)
# sort; a point and a direction of the feature of A, and its radius; the point (or line) of B, and its radius
Feature = tuple[int, Vector, Vector, float, Vector, Vector, float]
Contact = tuple[float, Vector, Vector, Vector, Vector]  # gap, n, n', c, c'


@kernel
def contact_of(feature: Feature, A: Body, B: Body) -> Contact:
    """Gap and frame of contact; the feature is given in axes of A, the point (or line) in those of B."""
    sort, p_A, x_A, r_A, p_B, y_B, r_B = feature
    x, x1 = rotate(A[0], x_A), rotate(A[0], cross(A[3], x_A))
    from_B = rotate(B[0], p_B)
    P = add(B[1], from_B)
    P1 = add(B[2], rotate(B[0], cross(B[3], p_B)))
    d = sub(P, add(A[1], rotate(A[0], p_A)))
    d1 = sub(P1, add(A[2], rotate(A[0], cross(A[3], p_A))))
    if sort == FACE:
        n, n1 = x, x1
    elif sort >= CROSSED:
        y, y1 = rotate(B[0], y_B), rotate(B[0], cross(B[3], y_B))
        sign = 1.0 if sort == CROSSED else -1.0
        across, across1 = cross(x, y), add(cross(x1, y), cross(x, y1))
        length2 = dot(across, across)
        length = length2**0.5
        n = scale(sign / length, across)
        n1 = mix(sign / length, across1, -sign * dot(n, across1) / length, n)
        lever, lever1 = cross(d, x), add(cross(d1, x), cross(d, x1))
        along = dot(lever, across) / length2
        along1 = (dot(lever1, across) + dot(lever, across1) - 2.0 * along * dot(across, across1)) / length2
        P = mix(1.0, P, along, y)
        P1 = add(P1, mix(along1, y, along, y1))
    else:
        w, w1 = d, d1
        if sort == EDGE:
            along, along1 = dot(x, d), dot(x1, d) + dot(x, d1)
            w = mix(1.0, d, -along, x)
            w1 = sub(mix(1.0, d1, -along1, x), scale(along, x1))
        length = dot(w, w) ** 0.5
        sign = -1.0 if sort == HOLLOW else 1.0
        if length < NEARLY_NONE:
            n, n1 = x, x1
        else:
            n = scale(sign / length, w)
            n1 = mix(sign / length, w1, -sign * dot(n, w1) / length, n)
    s = dot(n, d) - r_A - r_B
    s1 = dot(n1, d) + dot(n, d1)
    inwards = r_B + 0.5 * s
    c = mix(1.0, P, -inwards, n)
    c1 = sub(mix(1.0, P1, -inwards, n1), scale(0.5 * s1, n))
    return s, n, n1, c, c1


@kernel
def tangents_of(planar: int, n: Vector, n1: Vector, A: Body) -> tuple[Vector, Vector, Vector, Vector]:
    """Two directions across the normal and their rates; in the plane the first lies in it."""
    if planar:
        t, t1 = (-n[1], n[0], 0.0), (-n1[1], n1[0], 0.0)
        return t, t1, (0.0, 0.0, 1.0), (0.0, 0.0, 0.0)
    axis = (1.0, 0.0, 0.0) if abs(unrotate(A[0], n)[2]) > UPRIGHT else (0.0, 0.0, 1.0)
    g, g1 = rotate(A[0], axis), rotate(A[0], cross(A[3], axis))
    w = mix(1.0, g, -dot(g, n), n)
    w1 = sub(mix(1.0, g1, -(dot(g1, n) + dot(g, n1)), n), scale(dot(g, n), n1))
    length = dot(w, w) ** 0.5
    t = scale(1.0 / length, w)
    t1 = mix(1.0 / length, w1, -dot(t, w1) / length, t)
    return t, t1, cross(n, t), add(cross(n1, t), cross(n, t1))


@inlined
def direction(which: int, planar: int, contact: Contact, A: Body) -> tuple[Vector, Vector]:
    """One direction of the frame of contact, and its rate."""
    _, n, n1, _, _ = contact
    if which == NORMAL:
        return n, n1
    t, t1, b, b1 = tangents_of(planar, n, n1, A)
    if which == FIRST:
        return t, t1
    return b, b1


@kernel
def speed_along(e: Vector, e1: Vector, contact: Contact, A: Body, B: Body) -> tuple[float, float]:
    """u and what u' has beside the accelerations."""
    _, _, _, c, c1 = contact
    w_A, w_B = rotate(A[0], A[3]), rotate(B[0], B[3])
    U = sub(add(B[2], cross(w_B, sub(c, B[1]))), add(A[2], cross(w_A, sub(c, A[1]))))
    moved = sub(cross(w_B, sub(c1, B[2])), cross(w_A, sub(c1, A[2])))
    return dot(e, U), dot(e1, U) + dot(e, moved)


@inlined
def torques_of(e: Vector, c: Vector, A: Body, B: Body) -> tuple[Vector, Vector]:
    """Torques of the force e at c about both centres, in axes of each body."""
    return unrotate(A[0], cross(sub(c, A[1]), e)), unrotate(B[0], cross(sub(c, B[1]), e))
