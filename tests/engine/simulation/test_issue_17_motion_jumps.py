"""A prescribed position that jumps is refused with motion, instant and size; corners are not."""

import pytest

from engine import Scene, SceneError, simulate
from engine.system.compiling.compile import compile_scene
from engine.system.prescribed.jumps import first_jumps
from tests.engine.simulation.scenes import rod_pendulum


def driven(function: str) -> Scene:
    return rod_pendulum().with_motion(
        "joint_motion", "drive", joint="hinge", coordinate="angle", function=function
    )


@pytest.mark.parametrize(
    ("function", "t", "size"),
    [
        ("if(t < 0.05, 0, 1)", 0.05, 1.0),
        ("0.2*t + 0.3*sign(t - 0.4)", 0.4, 0.6),
        (
            "if(sin(7*t) > 0.5, 0.1, 0)",
            0.0747998,
            0.1,
        ),  # asin(0.5)/7: not linear in time, so no corner is known
    ],
)
def test_a_jump_is_found(function: str, t: float, size: float) -> None:
    (jump,) = first_jumps(compile_scene(driven(function)), 0.0, 1.0)
    assert (jump.t, jump.size) == (pytest.approx(t, abs=1e-7), pytest.approx(size, rel=1e-6))
    with pytest.raises(SceneError, match=r"motion 'drive' jumps by .* at t = "):
        simulate(driven(function), duration=1.0)


@pytest.mark.parametrize("function", ["abs(t - 0.3)", "smooth(t/0.01)", "sin(400*t)", "2*t", "exp(-1000*t)"])
def test_corners_and_quick_motions_are_no_jumps(function: str) -> None:
    assert not list(first_jumps(compile_scene(driven(function)), 0.0, 1.0))
