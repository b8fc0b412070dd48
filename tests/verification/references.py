"""Reference solutions in minimal coordinates, sharing no code with the engine.

Each problem is reduced by hand to as many coordinates as it has freedoms and integrated with SciPy's DOP853
at a relative tolerance of 3e-14 (Radau at 1e-11 for the stiff governor). SI units, radians; the data are
those of the scenes of the same name. Functions take one time or an array of times and give one array per
quantity, of the shape of `t`.

One-coordinate problems share one equation. With the kinetic energy T = m(q) q̇²/2 and the potential V(q),

    m q̈ = -m' q̇²/2 - V',

where the derivatives of m and V come from complex steps: exact to rounding for analytic formulas.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from scipy.integrate import solve_ivp

Array = np.ndarray
Rate = Callable[[float, Array], Any]

GRAVITY = 9.81  # m/s²
TOLERANCE = 3e-14  # relative, of every explicit integration
STIFF_TOLERANCE = 1e-11  # of the implicit one
COMPLEX_STEP = 1e-30


def _integrate(rate: Rate, start: list[float], t: Any, *, stiff: bool = False) -> Array:
    """State at the times `t`, shape (n, *t.shape). Each wanted time ends a step: no interpolation error."""
    settings: dict[str, Any] = {"method": "DOP853", "rtol": TOLERANCE, "atol": 0.1 * TOLERANCE}
    if stiff:
        settings = {
            "method": "Radau",
            "rtol": STIFF_TOLERANCE,
            "atol": 0.1 * STIFF_TOLERANCE,
            "jac": _jacobian(rate),
        }
    times = np.atleast_1d(np.asarray(t, dtype=float))
    order = np.argsort(times, kind="stable")
    states = np.empty((len(start), times.size))
    now, state = 0.0, np.array(start, dtype=float)
    for i in order:
        if times[i] > now:
            done = solve_ivp(rate, (now, times[i]), state, **settings)
            if not done.success:
                raise RuntimeError(f"reference integration stopped at t = {done.t[-1]}: {done.message}")
            now, state = times[i], done.y[:, -1]
        states[:, i] = state
    return states.reshape(len(start), *np.shape(t))


def _jacobian(rate: Rate) -> Rate:
    """∂rate/∂y by complex steps."""

    def jacobian(t: float, y: Array) -> Array:
        return (
            np.column_stack([rate(t, y + 1j * COMPLEX_STEP * unit).imag for unit in np.eye(len(y))])
            / COMPLEX_STEP
        )

    return jacobian


class OneFreedom(NamedTuple):
    """A mechanism of one freedom: T = mass(q) q̇²/2, V = potential(q); both accept complex arguments."""

    mass: Callable[[Any], Any]
    potential: Callable[[Any], Any]

    def acceleration(self, q: float, q_dot: float) -> float:
        # m q̈ = -m' q̇²/2 - V'
        shifted = complex(q, COMPLEX_STEP)
        mass = self.mass(shifted)
        slope = self.potential(shifted).imag / COMPLEX_STEP
        return float((-0.5 * mass.imag / COMPLEX_STEP * q_dot * q_dot - slope) / mass.real)

    def energy(self, q: Any, q_dot: Any) -> Any:
        return 0.5 * self.mass(q) * q_dot**2 + self.potential(q)

    def motion(self, t: Any, q: float, q_dot: float) -> Array:
        """(q, q̇) at the times `t` from the given start, shape (2, *t.shape)."""
        return _integrate(lambda _, y: (y[1], self.acceleration(y[0], y[1])), [q, q_dot], t)


# --- simple pendulum (IFToMM A01) --------------------------------------------------------------------------

# m L² θ̈ = -m g L cos θ, θ from the x axis; starts at (-1, 0) at rest
PENDULUM = OneFreedom(mass=lambda q: 1.0 + 0.0 * q, potential=lambda q: GRAVITY * np.sin(q))


def pendulum_angle(t: Any) -> tuple[Array, Array]:
    """Angle from the x axis and its rate."""
    theta, rate = PENDULUM.motion(t, np.pi, 0.0)
    return theta, rate


def pendulum_mass(t: Any) -> tuple[Array, Array, Array, Array]:
    """x, y, vx, vy of the point mass."""
    theta, rate = pendulum_angle(t)
    return np.cos(theta), np.sin(theta), -rate * np.sin(theta), rate * np.cos(theta)


# --- double pendulum ---------------------------------------------------------------------------------------


class DoublePendulum(NamedTuple):
    """Two bars with centres of mass at mid-length; angles from the x axis."""

    m1: float = 1.0
    m2: float = 0.8
    L1: float = 1.0
    L2: float = 0.8
    I1: float = 1.0 / 12.0
    I2: float = 0.8 * 0.8**2 / 12.0

    def _masses(self, theta1: Any, theta2: Any) -> tuple[float, Any, float]:
        # M11 = I1 + m1 L1²/4 + m2 L1²,  M12 = m2 L1 L2/2 cos(θ1 - θ2),  M22 = I2 + m2 L2²/4
        m11 = self.I1 + self.m1 * self.L1**2 / 4 + self.m2 * self.L1**2
        m12 = self.m2 * self.L1 * self.L2 / 2 * np.cos(theta1 - theta2)
        return m11, m12, self.I2 + self.m2 * self.L2**2 / 4

    def energy(self, theta1: Any, theta2: Any, rate1: Any, rate2: Any) -> Any:
        m11, m12, m22 = self._masses(theta1, theta2)
        kinetic = 0.5 * m11 * rate1**2 + m12 * rate1 * rate2 + 0.5 * m22 * rate2**2
        upper = (self.m1 / 2 + self.m2) * self.L1 * np.sin(theta1)
        return kinetic + GRAVITY * (upper + self.m2 * self.L2 / 2 * np.sin(theta2))

    def rate(self, _: float, y: Array) -> Array:
        # M11 θ̈1 + M12 θ̈2 = -h θ̇2² - g (m1/2 + m2) L1 cos θ1,  h = m2 L1 L2/2 sin(θ1 - θ2)
        # M12 θ̈1 + M22 θ̈2 = +h θ̇1² - g m2 L2/2 cos θ2
        theta1, theta2, rate1, rate2 = y
        m11, m12, m22 = self._masses(theta1, theta2)
        h = self.m2 * self.L1 * self.L2 / 2 * np.sin(theta1 - theta2)
        f1 = -h * rate2**2 - GRAVITY * (self.m1 / 2 + self.m2) * self.L1 * np.cos(theta1)
        f2 = h * rate1**2 - GRAVITY * self.m2 * self.L2 / 2 * np.cos(theta2)
        det = m11 * m22 - m12 * m12
        return np.array([rate1, rate2, (m22 * f1 - m12 * f2) / det, (m11 * f2 - m12 * f1) / det])

    def motion(self, t: Any, theta1: float, theta2: float) -> Array:
        """(θ1, θ2, θ̇1, θ̇2) released from rest, shape (4, *t.shape)."""
        return _integrate(self.rate, [theta1, theta2, 0.0, 0.0], t)


def double_pendulum_angles(t: Any) -> tuple[Array, Array, Array, Array]:
    """θ1, θ2, θ̇1, θ̇2 of the scene `double_pendulum`."""
    theta1, theta2, rate1, rate2 = DoublePendulum().motion(t, 0.0, np.pi / 3)
    return theta1, theta2, rate1, rate2


# --- row of N four-bars (IFToMM A02) -----------------------------------------------------------------------


def n_four_bar(n: int) -> OneFreedom:
    """Parallelogram branch: n + 1 cranks turn alike, n couplers translate with the crank ends."""
    # ((n+1)/3 + n) θ̈ = -((n+1)/2 + n) g cos θ
    return OneFreedom(
        mass=lambda q: (n + 1) / 3 + n + 0.0 * q, potential=lambda q: ((n + 1) / 2 + n) * GRAVITY * np.sin(q)
    )


def n_four_bar_angle(t: Any, n: int = 2, v0: float = 1.0) -> tuple[Array, Array]:
    """Crank angle from the x axis and its rate; upright at t = 0, B0 with v0 along x."""
    theta, rate = n_four_bar(n).motion(t, np.pi / 2, -v0)
    return theta, rate


def n_four_bar_point(t: Any, n: int = 2, v0: float = 1.0) -> tuple[Array, Array, Array, Array]:
    """x, y, vx, vy of B0."""
    theta, rate = n_four_bar_angle(t, n, v0)
    return np.cos(theta), np.sin(theta), -rate * np.sin(theta), rate * np.cos(theta)


# --- planar four-bar ---------------------------------------------------------------------------------------

FOUR_BAR_LENGTHS = (0.1, 0.4, 0.3, 0.4)  # crank, coupler, rocker, ground; uniform bars of 1 kg/m


def four_bar_loop(phi1: Any) -> tuple[Any, Any, Any, Any]:
    """φ2, φ3 and their derivatives by φ1 on the upper branch; φ1 may be complex."""
    a, b, c, d = FOUR_BAR_LENGTHS
    # from B to D, in polar form; the triangle B C D by the cosine rule, C above the diagonal
    ex, ey = d - a * np.cos(phi1), -a * np.sin(phi1)
    r2 = ex * ex + ey * ey
    r = np.sqrt(r2)
    heading = np.arctan(ey / ex)  # ex > 0 always, since d > a
    phi2 = heading + _arccos((b * b + r2 - c * c) / (2 * b * r))
    phi3 = np.pi + heading - _arccos((c * c + r2 - b * b) / (2 * c * r))
    # a sin(φ1 - φ3) + b φ2' sin(φ2 - φ3) = 0 and the like, from the loop projected across each bar
    slope2 = a * np.sin(phi3 - phi1) / (b * np.sin(phi2 - phi3))
    slope3 = a * np.sin(phi2 - phi1) / (c * np.sin(phi2 - phi3))
    return phi2, phi3, slope2, slope3


def _arccos(x: Any) -> Any:
    return np.pi / 2 - np.arctan(x / np.sqrt(1 - x * x))  # analytic, unlike numpy's branch rule on the axis


def _four_bar_mass(phi1: Any) -> Any:
    a, b, c, _ = FOUR_BAR_LENGTHS
    phi2, _, slope2, slope3 = four_bar_loop(phi1)
    # crank and rocker turn about their ends; coupler: v_B, turning about B, and their product
    coupler = b * (a * a + a * b * slope2 * np.cos(phi1 - phi2) + b * b / 3 * slope2 * slope2)
    return a**3 / 3 + coupler + c**3 / 3 * slope3 * slope3


def _four_bar_potential(phi1: Any) -> Any:
    a, b, c, _ = FOUR_BAR_LENGTHS
    phi2, phi3, _, _ = four_bar_loop(phi1)
    height = (
        a * a / 2 * np.sin(phi1) + b * (a * np.sin(phi1) + b / 2 * np.sin(phi2)) + c * c / 2 * np.sin(phi3)
    )
    return GRAVITY * height


FOUR_BAR = OneFreedom(_four_bar_mass, _four_bar_potential)


def four_bar_angle(t: Any) -> tuple[Array, Array]:
    """Crank angle φ1 and its rate; released from rest at 90 degrees."""
    phi, rate = FOUR_BAR.motion(t, np.pi / 2, 0.0)
    return phi, rate


# --- planar slider-crank with singular poses ---------------------------------------------------------------

# branch φ_rod = -θ: G_rod = (3/2 cos θ, 1/2 sin θ), slider at 2 cos θ, massless; slender bars 1 kg, 1 m
# m = 1/3 + (9 sin² + cos²)/4 + 1/12,  V = g sin θ
SLIDER_CRANK = OneFreedom(mass=lambda q: 2 / 3 + 2 * np.sin(q) ** 2, potential=lambda q: GRAVITY * np.sin(q))


def slider_crank_angle(t: Any) -> tuple[Array, Array]:
    """Crank angle and its rate; starts at 45 degrees, the slider with 4 m/s towards the pivot."""
    theta, rate = SLIDER_CRANK.motion(t, np.pi / 4, 2 * np.sqrt(2.0))
    return theta, rate


def slider_crank_slider(t: Any) -> tuple[Array, Array]:
    """Slider position and velocity."""
    theta, rate = slider_crank_angle(t)
    return 2 * np.cos(theta), -2 * rate * np.sin(theta)


# --- spatial slider-crank ----------------------------------------------------------------------------------


Vector = tuple[Any, Any, Any]


def _cross(a: Vector, b: Vector) -> Vector:
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


def _dot(a: Vector, b: Vector) -> Any:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]  # no conjugate: stays analytic


class SpatialSliderCrank(NamedTuple):
    """Crank about x at A, rod with a ball at B and a cross at C, slider on the x axis; θ from the z axis.

    `arm` is the arm of the cross that the slider carries; the other is perpendicular to it and to the rod.
    """

    rod_inertia: tuple[float, float] = (4e-4, 4e-3)  # along and across the rod
    arm: tuple[float, float, float] = (1.0, 0.0, 0.0)

    def kinematics(self, theta: Any) -> tuple[Any, Any, Vector, Vector]:
        """Slider x, dx/dθ, rod direction u from B to C, and ω_rod/θ̇."""
        radius, length = 0.08, 0.3
        # B = A + r (0, -sin θ, cos θ), A = (0, 0.1, 0.12); |C - B| = l with C = (x, 0, 0)
        y, z = 0.1 - radius * np.sin(theta), 0.12 + radius * np.cos(theta)
        y_t, z_t = -radius * np.cos(theta), -radius * np.sin(theta)
        x = np.sqrt(length * length - y * y - z * z)
        x_t = -(y * y_t + z * z_t) / x
        u = (x / length, -y / length, -z / length)
        u_t = (x_t / length, -y_t / length, -z_t / length)
        # ω = u × u' + σ u: the rod's arm b = e × u stays perpendicular to the slider's arm e, which does
        # not turn, so ω · (b × e) = 0 gives the spin σ
        normal = _cross(_cross(self.arm, u), self.arm)
        swing = _cross(u, u_t)
        spin = -_dot(swing, normal) / _dot(u, normal)
        return x, x_t, u, (swing[0] + spin * u[0], swing[1] + spin * u[1], swing[2] + spin * u[2])

    def mass(self, theta: Any) -> Any:
        x_t, u, w = self.kinematics(theta)[1:]
        # centre of the rod = C - l/2 u, so its velocity is x' - l/2 u'; crank: I + m (r/2)² about x
        u_t = _cross(w, u)
        v = (x_t - 0.15 * u_t[0], -0.15 * u_t[1], -0.15 * u_t[2])
        along, across = self.rod_inertia
        spin = _dot(w, u)
        rod = 0.5 * _dot(v, v) + across * (_dot(w, w) - spin * spin) + along * spin * spin
        return 1e-4 + 0.12 * 0.04**2 + rod + 2.0 * x_t * x_t

    def potential(self, theta: Any) -> Any:
        z = 0.12 + 0.08 * np.cos(theta)
        return GRAVITY * (0.12 * (0.12 + 0.04 * np.cos(theta)) + 0.5 * z / 2)

    def freedom(self) -> OneFreedom:
        return OneFreedom(self.mass, self.potential)


def spatial_slider_crank_angle(t: Any, crank: SpatialSliderCrank | None = None) -> tuple[Array, Array]:
    """Crank angle and its rate; starts at 0 with 6 rad/s."""
    theta, rate = (crank or SpatialSliderCrank()).freedom().motion(t, 0.0, 6.0)
    return theta, rate


def spatial_slider_crank_slider(t: Any, crank: SpatialSliderCrank | None = None) -> tuple[Array, Array]:
    """Slider position and velocity."""
    crank = crank or SpatialSliderCrank()
    theta, rate = spatial_slider_crank_angle(t, crank)
    x, x_t, _, _ = crank.kinematics(theta)
    return x, x_t * rate


# --- spinning top ------------------------------------------------------------------------------------------

TOP_MASS, TOP_HEIGHT = 1.7355017e-2, 0.03993  # kg, m
TOP_ACROSS, TOP_ALONG = 3.256544e-6 + TOP_MASS * TOP_HEIGHT**2, 1.99486e-6  # kg·m² about the tip
TOP_SPIN = 523.6  # rad/s


def top_push(t: float) -> float:
    """Sideways force at the centre of mass along world x [N]."""
    return 0.01 * np.exp(-((t - 0.6) ** 2) / (2 * 0.1**2))


def _top_rate(t: float, y: Array) -> Array:
    # Two angles tilt the axis away from the vertical: u = Rx(a) Ry(b) z, regular at the upright pose where
    # the usual nutation angle is not:  u = (sin b, -sin a cos b, cos a cos b).
    # ω in the non-spinning frame: (ȧ cos b, ḃ, ȧ sin b + ċ); spin momentum p = J3 (ȧ sin b + ċ) is constant.
    # T = J1/2 (ȧ² cos² b + ḃ²) + J3/2 (ȧ sin b + ċ)²,  V = m g h cos a cos b,  force f along x at h u
    a, b, a_dot, b_dot, _ = y
    p = TOP_ALONG * TOP_SPIN
    weight = TOP_MASS * GRAVITY * TOP_HEIGHT
    sa, ca, sb, cb = np.sin(a), np.cos(a), np.sin(b), np.cos(b)
    # J1 d/dt(ȧ cos² b) + p ḃ cos b = m g h sin a cos b
    a_acc = (weight * sa * cb - p * b_dot * cb + 2 * TOP_ACROSS * a_dot * b_dot * sb * cb) / (
        TOP_ACROSS * cb * cb
    )
    # J1 b̈ + J1 ȧ² sin b cos b - p ȧ cos b = m g h cos a sin b + f h cos b
    b_acc = (
        weight * ca * sb + top_push(t) * TOP_HEIGHT * cb + p * a_dot * cb
    ) / TOP_ACROSS - a_dot**2 * sb * cb
    return np.array([a_dot, b_dot, a_acc, b_acc, TOP_SPIN - a_dot * sb])


def top_angles(t: Any) -> Array:
    """Tilts a, b, their rates, and the spin angle c: R_WB = Rx(a) Ry(b) Rz(c); shape (5, *t.shape)."""
    return _integrate(_top_rate, [0.0, 0.0, 0.0, 0.0, 0.0], t)


def top_centre(t: Any) -> tuple[Array, Array, Array]:
    """x, y, z of the centre of mass."""
    a, b, *_ = top_angles(t)
    return TOP_HEIGHT * np.sin(b), -TOP_HEIGHT * np.sin(a) * np.cos(b), TOP_HEIGHT * np.cos(a) * np.cos(b)


def top_angular_velocity(t: Any) -> Array:
    """ω in the axes of the spinning body, shape (3, *t.shape)."""
    _, b, a_dot, b_dot, c = top_angles(t)
    w1, w2 = a_dot * np.cos(b), b_dot
    return np.array(
        [w1 * np.cos(c) + w2 * np.sin(c), -w1 * np.sin(c) + w2 * np.cos(c), np.full_like(c, TOP_SPIN)]
    )


def top_energy(y: Array) -> Any:
    """Kinetic and potential energy of a state of `top_angles` (the push adds to it while it acts)."""
    a, b, a_dot, b_dot, _ = y
    kinetic = 0.5 * TOP_ACROSS * (a_dot**2 * np.cos(b) ** 2 + b_dot**2) + 0.5 * TOP_ALONG * TOP_SPIN**2
    return kinetic + TOP_MASS * GRAVITY * TOP_HEIGHT * np.cos(a) * np.cos(b)


# --- stiff flyball governor (IFToMM A05) -------------------------------------------------------------------

GOVERNOR_STIFFNESS, GOVERNOR_DAMPING = 8e5, 4e4  # N/m, N·s/m
_ROD, _BALL, _SLEEVE, _OFFSET, _SIDE = 0.3, 5.0, 3.0, 0.05, 0.01  # kg, kg, kg, m, m
_ARM = _ROD * (1 + _SIDE**2) / 12 + _ROD * 0.25 + _BALL  # an arm about its hinge axis


def _governor_inertia(alpha: Any) -> tuple[Any, Any]:
    """Moment of inertia of everything about the shaft, and its derivative by α."""
    # a point at distance ξ on the arm has the radius x0 + ξ cos α; first and second moments of rod and ball
    first, second = _ROD / 2 + _BALL, _ROD / 3 + _BALL
    thick_along, thick_across = _ROD * _SIDE**2 / 6, _ROD * _SIDE**2 / 12
    s, c = np.sin(alpha), np.cos(alpha)
    arm = (_ROD + _BALL) * _OFFSET**2 + 2 * _OFFSET * first * c + second * c * c
    arm = arm + thick_along * s * s + thick_across * c * c
    slope = -2 * _OFFSET * first * s - 2 * second * s * c + 2 * (thick_along - thick_across) * s * c
    fixed = _ROD * _SIDE**2 / 6 + _SLEEVE * 0.1**2 / 6  # shaft and slider
    return fixed + 2 * arm, 2 * slope


def _governor_spring(alpha: Any, s: Any) -> tuple[Any, Any, Any]:
    """Length of a coupler and its derivatives by α and s."""
    # from (x0 + cos α / 2, 1 - sin α / 2) to (x0, s)
    dx, dz = 0.5 * np.cos(alpha), 1 - 0.5 * np.sin(alpha) - s
    d = np.sqrt(dx * dx + dz * dz)
    return d, (-0.5 * np.sin(alpha) * dx - 0.5 * np.cos(alpha) * dz) / d, -dz / d


def _governor_momentum() -> float:
    return float(_governor_inertia(np.pi / 6)[0]) * 2 * np.pi


def _governor_rate(_: float, y: Array) -> Array:
    # α: arms below the horizontal, s: slider, ψ: shaft; H = J(α) ψ̇ is constant (free bearing)
    # 2 J_arm α̈ = J' ψ̇²/2 + 2 g (m_rod/2 + m_ball) cos α - 2 F d_α,  F = k (d - l0) + c ḋ
    # m_s s̈ = -m_s g - 2 F d_s
    alpha, s, _, alpha_dot, s_dot, _ = y
    inertia, slope = _governor_inertia(alpha)
    d, d_alpha, d_s = _governor_spring(alpha, s)
    d_dot = d_alpha * alpha_dot + d_s * s_dot
    force = GOVERNOR_STIFFNESS * (d - 0.5) + GOVERNOR_DAMPING * d_dot
    psi_dot = _governor_momentum() / inertia
    alpha_acc = 0.25 * slope * psi_dot**2 + GRAVITY * (_ROD / 2 + _BALL) * np.cos(alpha) - force * d_alpha
    s_acc = -GRAVITY - 2 * force * d_s / _SLEEVE
    return np.array([alpha_dot, s_dot, psi_dot, alpha_acc / _ARM, s_acc, 2 * GOVERNOR_DAMPING * d_dot**2])


def governor_state(t: Any) -> Array:
    """α, s, ψ, α̇, ṡ and the energy lost in the dampers, shape (6, *t.shape)."""
    return _integrate(_governor_rate, [np.pi / 6, 0.5, 0.0, 0.0, 0.0, 0.0], t, stiff=True)


def governor_slider(t: Any) -> tuple[Array, Array]:
    """Slider height s and its rate."""
    state = governor_state(t)
    return state[1], state[4]


def governor_energy(y: Array) -> Any:
    """Energy of a state of `governor_state`, with what the dampers took added back."""
    alpha, s, _, alpha_dot, s_dot, lost = y
    inertia, _ = _governor_inertia(alpha)
    stretch = _governor_spring(alpha, s)[0] - 0.5
    kinetic = 0.5 * _governor_momentum() ** 2 / inertia + _ARM * alpha_dot**2 + 0.5 * _SLEEVE * s_dot**2
    height = _ROD / 2 + 2 * (_ROD * (1 - np.sin(alpha) / 2) + _BALL * (1 - np.sin(alpha))) + _SLEEVE * s
    return kinetic + GRAVITY * height + GOVERNOR_STIFFNESS * stretch**2 + lost


# --- Andrews' squeezer mechanism ---------------------------------------------------------------------------

# IVP test set, t = 0.03 s (PSIDE at 1e-14); order β, Θ, γ, Φ, δ, Ω, ε
ANDREWS_TIME = 0.03
ANDREWS_START = np.array(
    [
        -0.0617138900142764496,
        0.0,
        0.455279819163070380,
        0.222668390165885885,
        0.487364979543842550,
        -0.222668390165885885,
        1.23054744454982119,
    ]
)
ANDREWS_POSITION = np.array(
    [
        15.81077119629904,
        -15.75637105984298,
        0.04082224013073101,
        -0.5347301163226948,
        0.5244099658805304,
        0.5347301163226948,
        1.048080741042263,
    ]
)
ANDREWS_VELOCITY = np.array(
    [
        1139.920302151208,
        -1424.379294994111,
        11.03291221937134,
        19.29337464421385,
        0.5735699284790808,
        -19.29337464421385,
        0.3231791658026955,
    ]
)


def andrews_body_angles(q: Array) -> Array:
    """Angles of the bodies K1 … K7 of the scene `andrews` from the test set's seven.

    K4 points from G to E and K7 from A to H, a quarter turn behind Φ + δ and ε.
    """
    beta, theta, gamma, phi, delta, omega, epsilon = q
    return np.array(
        [beta, beta + theta, gamma, phi + delta - np.pi / 2, delta, omega + epsilon, epsilon - np.pi / 2]
    )


def andrews_body_rates(q_dot: Array) -> Array:
    """Angular velocities of K1 … K7 from the test set's seven rates."""
    return andrews_body_angles(q_dot) - andrews_body_angles(np.zeros(7))


def andrews_loops(q: Array) -> Array:
    """The six loop equations of the test set [m], shape (6,)."""
    beta, theta, gamma, phi, delta, omega, epsilon = q
    xa, ya, xb, yb = -0.06934, -0.00227, -0.03635, 0.03273
    d, rr, ss, e, zf, zt, u = 0.028, 0.007, 0.035, 0.02, 0.02, 0.04, 0.04
    x_e = rr * np.cos(beta) - d * np.cos(beta + theta)
    y_e = rr * np.sin(beta) - d * np.sin(beta + theta)
    return np.array(
        [
            x_e - ss * np.sin(gamma) - xb,
            y_e + ss * np.cos(gamma) - yb,
            x_e - e * np.sin(phi + delta) - zt * np.cos(delta) - xa,
            y_e + e * np.cos(phi + delta) - zt * np.sin(delta) - ya,
            x_e - zf * np.cos(omega + epsilon) - u * np.sin(epsilon) - xa,
            y_e - zf * np.sin(omega + epsilon) + u * np.cos(epsilon) - ya,
        ]
    )
