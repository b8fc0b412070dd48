"""The shipped scenes by name: one generator each, which returns the plain dictionary of the file.

Poses and velocities are in closed form, as expressions of the scene's parameters where a user would change
them, so that every joint is closed to rounding error (`tests/scenes` checks it).
"""

from collections.abc import Callable

from scenes.generators.andrews import andrews
from scenes.generators.bicycle import bicycle
from scenes.generators.bricard import bricard
from scenes.generators.cardan_shaft import cardan_shaft
from scenes.generators.double_pendulum import double_pendulum
from scenes.generators.flyball_governor import flyball_governor
from scenes.generators.four_bar import four_bar, spatial_four_bar
from scenes.generators.n_four_bar import double_four_bar, parallelogram
from scenes.generators.pantograph import pantograph
from scenes.generators.pendulum import pendulum
from scenes.generators.slider_crank import slider_crank
from scenes.generators.spatial_slider_crank import spatial_slider_crank
from scenes.generators.spinning_top import spinning_top
from scenes.generators.stewart_platform import stewart_platform
from scenes.generators.vocabulary import Scene

SCENES: dict[str, Callable[[], Scene]] = {
    made.__name__: made
    for made in (
        pendulum,
        double_pendulum,
        spinning_top,
        four_bar,
        spatial_four_bar,
        parallelogram,
        slider_crank,
        spatial_slider_crank,
        double_four_bar,
        bricard,
        andrews,
        flyball_governor,
        cardan_shaft,
        bicycle,
        pantograph,
        stewart_platform,
    )
}
