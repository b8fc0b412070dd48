"""Reference solutions in minimal coordinates, sharing no code with the engine.

Each problem is reduced by hand to as many coordinates as it has degrees of freedom and integrated with
SciPy's DOP853 at a relative tolerance of 3e-14 (Radau at 1e-11 for the stiff governor). SI units, radians;
the data are those of the scenes of the same name. Functions take one time or an array of times and give one
array per quantity, of the shape of `t`.
"""

from tests.verification.references.andrews import (
    ANDREWS_POSITION,
    ANDREWS_START,
    ANDREWS_TIME,
    ANDREWS_VELOCITY,
    andrews_body_angles,
    andrews_body_rates,
    andrews_loops,
)
from tests.verification.references.four_bars import (
    FOUR_BAR,
    FOUR_BAR_LENGTHS,
    four_bar_angle,
    four_bar_loop,
    n_four_bar,
    n_four_bar_angle,
    n_four_bar_point,
)
from tests.verification.references.governor import (
    GOVERNOR_DAMPING,
    GOVERNOR_STIFFNESS,
    governor_energy,
    governor_inertia,
    governor_slider,
    governor_state,
)
from tests.verification.references.integration import GRAVITY
from tests.verification.references.pendulums import (
    PENDULUM,
    DoublePendulum,
    double_pendulum_angles,
    pendulum_angle,
    pendulum_mass,
    stiff_double_pendulum_angles,
)
from tests.verification.references.slider_cranks import (
    SLIDER_CRANK,
    SpatialSliderCrank,
    slider_crank_angle,
    slider_crank_slider,
    spatial_slider_crank_angle,
    spatial_slider_crank_slider,
)
from tests.verification.references.top import (
    TOP_ACROSS,
    TOP_ALONG,
    TOP_HEIGHT,
    TOP_MASS,
    TOP_SPIN,
    top_angles,
    top_angular_velocity,
    top_centre,
    top_energy,
    top_push,
)

__all__ = [
    "ANDREWS_POSITION",
    "ANDREWS_START",
    "ANDREWS_TIME",
    "ANDREWS_VELOCITY",
    "FOUR_BAR",
    "FOUR_BAR_LENGTHS",
    "GOVERNOR_DAMPING",
    "GOVERNOR_STIFFNESS",
    "GRAVITY",
    "PENDULUM",
    "SLIDER_CRANK",
    "TOP_ACROSS",
    "TOP_ALONG",
    "TOP_HEIGHT",
    "TOP_MASS",
    "TOP_SPIN",
    "DoublePendulum",
    "SpatialSliderCrank",
    "andrews_body_angles",
    "andrews_body_rates",
    "andrews_loops",
    "double_pendulum_angles",
    "four_bar_angle",
    "four_bar_loop",
    "governor_energy",
    "governor_inertia",
    "governor_slider",
    "governor_state",
    "n_four_bar",
    "n_four_bar_angle",
    "n_four_bar_point",
    "pendulum_angle",
    "pendulum_mass",
    "slider_crank_angle",
    "slider_crank_slider",
    "spatial_slider_crank_angle",
    "spatial_slider_crank_slider",
    "stiff_double_pendulum_angles",
    "top_angles",
    "top_angular_velocity",
    "top_centre",
    "top_energy",
    "top_push",
]
