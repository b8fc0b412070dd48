"""A cylinder that rolls on a body that moves, beside Newton's equations."""

import numpy as np
import pytest

from engine import Scene
from tests.verification.runs import G, energy_error, finished

RADIUS = 0.2


def on_a_board(mass: float, board: float, tilt: float, *, space: str = "planar") -> Scene:
    """A uniform cylinder on a board that slides without friction along x; the board's top is tilted."""
    normal = [-np.sin(tilt), np.cos(tilt)]
    centre = [RADIUS * normal[0], RADIUS * normal[1]]
    inertia = 0.5 * mass * RADIUS**2
    if space == "planar":
        flat, axis = {"reference": normal}, [1.0, 0.0]
        sizes: dict[str, list[float]] = {"bar": [0.1], "roll": [inertia]}
    else:
        normal, centre = [*normal, 0.0], [*centre, 0.0]
        flat, axis = {"axis": [0.0, 0.0, 1.0], "reference": normal}, [1.0, 0.0, 0.0]
        sizes = {"bar": [0.1] * 3, "roll": [inertia] * 3}
    return (
        Scene(space=space, gravity=(0.0, -G) if space == "planar" else (0.0, -G, 0.0))
        .with_body("board", mass=board, inertia=sizes["bar"])
        .with_body("cylinder", position=centre, mass=mass, inertia=sizes["roll"])
        .with_joint("prismatic", "track", a={"body": "world", "axis": axis}, b={"body": "board"})
        .with_joint("roller", "roll", a={"body": "board", **flat}, b={"body": "cylinder"}, radius=RADIUS)
    )


@pytest.mark.parametrize("space", ["planar", "spatial"])
def test_a_cylinder_on_a_board_that_is_pulled(space: str) -> None:
    """Pulled by F, a level board leaves the cylinder behind, which has a third of its acceleration: the
    board is slowed by a third of the mass, F = (M + m/3) a."""
    scene = on_a_board(1.2, 2.0, 0.0, space=space).with_force(
        "force",
        "pull",
        body="board",
        point=[0.0] * (2 if space == "planar" else 3),
        components=[6.0, 0.0, 0.0],
    )
    run = finished(scene, "rk4", 1e-3, 1.0)
    pulled = 6.0 / (2.0 + 1.2 / 3)
    np.testing.assert_allclose(run.channel("body.board.com.acc.x"), pulled, rtol=1e-12)
    np.testing.assert_allclose(run.channel("body.cylinder.com.acc.x"), pulled / 3, rtol=1e-12)
    np.testing.assert_allclose(run.channel("body.cylinder.alpha.z"), 2 / 3 * pulled / RADIUS, rtol=1e-10)


def test_a_cylinder_rolls_down_a_wedge_that_gives_way() -> None:
    """Cylinder m on a wedge M at the angle β, both free along x: with s down the wedge and X of the wedge,

    (3/2) m s'' + m X'' cos β = m g sin β,   (M + m) X'' + m s'' cos β = 0.
    """
    m, M, tilt = 1.2, 3.0, 0.4
    run = finished(on_a_board(m, M, -tilt), "rk4", 1e-3, 0.5)
    c, s = np.cos(tilt), np.sin(tilt)
    down, wedge = np.linalg.solve([[1.5 * m, m * c], [m * c, M + m]], [m * G * s, 0.0])
    np.testing.assert_allclose(run.channel("body.board.com.acc.x"), wedge, rtol=1e-9)
    # y of the flat points up the slope, to the left of its normal
    way = run.channel("joint.roll.displacement")
    np.testing.assert_allclose(way - way[0], -0.5 * down * run.t**2, atol=1e-10)
    assert energy_error(run) < 1e-9


def test_it_rolls_without_slip_over_whole_turns() -> None:
    run = finished(on_a_board(1.2, 1e9, -0.4), "rk4", 1e-3, 2.0)
    way, turn = run.channel("joint.roll.displacement"), run.channel("joint.roll.angle")
    assert abs(turn[-1]) > 2 * np.pi
    np.testing.assert_allclose(way - way[0], RADIUS * (turn - turn[0]), atol=1e-10)
