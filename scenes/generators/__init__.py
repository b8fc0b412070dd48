"""The shipped scenes by category: one generator each.

Poses and velocities are in closed form, as expressions of the scene's parameters where a user would change
them, so that every joint is closed to rounding error (`tests/scenes` checks it).
"""

from collections.abc import Callable

from msgspec.structs import replace

from engine.model.scene import Scene
from scenes.generators.andrews import andrews
from scenes.generators.bicycle import bicycle, bicycle_capsize, bicycle_weave
from scenes.generators.bricard import bricard, five_bar_pendulum
from scenes.generators.cardan_shaft import cardan_shaft
from scenes.generators.double_pendulum import double_pendulum
from scenes.generators.double_pendulum_canonical import double_pendulum_hanging, double_pendulum_upright
from scenes.generators.flyball_governor import flyball_governor
from scenes.generators.forced_oscillator import forced_oscillator
from scenes.generators.four_bar import double_rocker, driven_four_bar, four_bar, spatial_four_bar
from scenes.generators.n_four_bar import (
    double_four_bar,
    four_bar_spring_damper,
    four_bar_torque,
    parallelogram,
)
from scenes.generators.pantograph import pantograph
from scenes.generators.pendulum import pendulum
from scenes.generators.shock_chain import shock_chain
from scenes.generators.slider_crank import (
    change_point_slider_crank,
    slider_crank,
    slider_crank_orientation,
    slider_crank_torque,
)
from scenes.generators.spatial_pendulum import spatial_pendulum
from scenes.generators.spatial_slider_crank import spatial_slider_crank
from scenes.generators.spinning_top import spinning_top
from scenes.generators.stewart_platform import stewart_platform
from scenes.generators.stiff_double_pendulum import stiff_double_pendulum
from scenes.generators.stiff_pendulum import stiff_pendulum
from scenes.generators.striking_ball import striking_ball
from scenes.generators.tether import tether
from scenes.generators.walking import walking

Generator = Callable[[], Scene]

# in the order of the welcome page
CATEGORIES: dict[str, tuple[Generator, ...]] = {
    "Basics": (pendulum, double_pendulum, four_bar, spinning_top, pantograph, bicycle),
    "Linkages": (
        parallelogram,
        slider_crank,
        slider_crank_torque,
        driven_four_bar,
        four_bar_torque,
        four_bar_spring_damper,
        striking_ball,
        walking,
        andrews,
        spatial_four_bar,
        double_four_bar,
    ),
    "Spatial": (
        spatial_slider_crank,
        bricard,
        flyball_governor,
        cardan_shaft,
        stewart_platform,
        five_bar_pendulum,
        tether,
        bicycle_weave,
        bicycle_capsize,
    ),
    "Studies": (
        stiff_pendulum,
        stiff_double_pendulum,
        double_pendulum_hanging,
        double_pendulum_upright,
        forced_oscillator,
        shock_chain,
        spatial_pendulum,
        slider_crank_orientation,
        double_rocker,
        change_point_slider_crank,
    ),
}

SCENES: dict[str, Generator] = {made.__name__: made for group in CATEGORIES.values() for made in group}


def scene_of(name: str) -> Scene:
    """A shipped scene with its category."""
    generator = SCENES[name]
    category = next(title for title, group in CATEGORIES.items() if generator in group)
    return replace(generator(), category=category)
