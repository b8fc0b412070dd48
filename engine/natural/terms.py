"""Constraints as sums of products of coordinates, evaluated by one compiled pass.

Natural coordinates make constraints of degree three at most [García de Jalón 1994, chapter 2]:

    Φ_r = Σ c q_i q_j q_k + a trig(θ) + d

with indices that may be missing, and for the definition of an angle a sine or a cosine. A definition has both
forms; `forms` says which one holds, the one whose slope is the larger [Antón 2015, footnote to section 5.1].
"""

from __future__ import annotations

from typing import Final

import numpy as np

from engine.compiled.kernel import fast_kernel
from engine.compiled.layout import Array, Ints

# columns of the table of terms
ROW: Final = 0
FORM: Final = 1  # ALWAYS, or the form of the row in which the term counts
I: Final = 2  # coordinates of the product; -1: none  # noqa: E741
J: Final = 3
K: Final = 4
AT_I: Final = 5  # entry of the Jacobian that the derivative by it belongs to; -1: it is held
AT_J: Final = 6
AT_K: Final = 7
TERM_COLUMNS: Final = 8
# columns of the table of angles
ANGLE_ROW: Final = 0
THETA: Final = 1  # the coordinate
AT_THETA: Final = 2  # its entry of the Jacobian
ALWAYS, SINE, COSINE = 0, 1, 2
SWITCH = np.sqrt(0.5)  # of |cos θ|: above, the sine has the larger slope


@fast_kernel
def choose_forms(q: Array, angles: Ints, fixed: Ints, forms: Ints) -> None:
    """The form of every angle at q; `fixed` is the one form that an angle has, or ALWAYS for both."""
    for a in range(angles.shape[0]):
        form = fixed[a]
        if form == ALWAYS:
            form = SINE if abs(np.cos(q[angles[a, THETA]])) >= SWITCH else COSINE
        forms[angles[a, ANGLE_ROW]] = form


@fast_kernel
def evaluate(
    q: Array,
    v: Array,
    terms: Ints,
    coefficients: Array,
    angles: Ints,
    amplitudes: Array,
    constants: Array,
    forms: Ints,
    phi: Array,
    jacobian: Array,
    c: Array,
) -> None:
    """Φ, the entries of Φ_q and c = −Φ̇_q q̇; `constants` has a column for every form."""
    for r in range(phi.shape[0]):
        phi[r], c[r] = constants[r, forms[r]], 0.0
    for e in range(jacobian.shape[0]):
        jacobian[e] = 0.0
    for t in range(terms.shape[0]):
        r = terms[t, ROW]
        if terms[t, FORM] != ALWAYS and terms[t, FORM] != forms[r]:
            continue
        f, i, j, k = coefficients[t], terms[t, I], terms[t, J], terms[t, K]
        x, dx = q[i], v[i]
        y, dy = (q[j], v[j]) if j >= 0 else (1.0, 0.0)
        z, dz = (q[k], v[k]) if k >= 0 else (1.0, 0.0)
        phi[r] += f * x * y * z
        c[r] -= 2.0 * f * (dx * dy * z + dx * y * dz + x * dy * dz)
        if terms[t, AT_I] >= 0:
            jacobian[terms[t, AT_I]] += f * y * z
        if j >= 0 and terms[t, AT_J] >= 0:
            jacobian[terms[t, AT_J]] += f * x * z
        if k >= 0 and terms[t, AT_K] >= 0:
            jacobian[terms[t, AT_K]] += f * x * y
    for a in range(angles.shape[0]):
        r, n = angles[a, ANGLE_ROW], angles[a, THETA]
        s, co, rate = np.sin(q[n]), np.cos(q[n]), v[n]
        if forms[r] == SINE:
            value, slope = s, co
        else:
            value, slope = co, -s
        phi[r] -= amplitudes[a] * value
        c[r] -= amplitudes[a] * value * rate * rate
        if angles[a, AT_THETA] >= 0:
            jacobian[angles[a, AT_THETA]] -= amplitudes[a] * slope
