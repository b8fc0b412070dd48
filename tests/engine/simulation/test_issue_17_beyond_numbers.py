"""Numbers so large that others are lost beside them: refused or told, by name, without lines of the program.

Warnings are errors in tests, so those of NumPy fail here, which stood on the terminal.
"""

import pytest

from engine import Scene, SceneError, check_scene, set_value, simulate
from engine.simulation.simulation import Simulation
from tests.contract.cases import CASES


def _free(x: float) -> Scene:
    scene = Scene(space="planar", gravity=[0.0, 0.0])
    return scene.with_body("comet", mass=1.0, inertia=[1.0], position=[x, 0.0], velocity=[1.0, 0.0])


def _contract(kind: str) -> Scene:
    return next(case for case in CASES if case.kind == kind and case.space == "spatial").scene(gravity=True)


def test_a_body_that_stands_still_for_want_of_digits_is_told() -> None:
    """With a speed of 1 m/s it came 0 m far in a second, and nobody said so."""
    run = simulate(_free(1e15), duration=1.0, dt=1e-3, timed=False)
    assert run.channel("body.comet.pos.x")[-1] == pytest.approx(1e15)
    assert "body 'comet' is 1e+15 m from the origin" in run.message
    near = simulate(_free(1e6), duration=1.0, dt=1e-3, timed=False)
    assert near.channel("body.comet.pos.x")[-1] - 1e6 == pytest.approx(1.0, abs=1e-6)
    assert not near.message
    with pytest.raises(SceneError, match="nearer than 1e\\+15 m"):
        check_scene(_free(1e16))


def test_a_point_beyond_all_digits_is_refused() -> None:
    """A rod to a point 1.7e17 m away was open by 32 m in a run that finished without a word."""
    scene = Scene(space="planar").with_body("arm", mass=1.0, inertia=[1.0])
    ends = {"a": {"body": "world"}, "b": {"body": "arm", "point": [-1.7e17, 0.0]}}
    with pytest.raises(SceneError, match=r"b\.point: .*1\.7e\+17 m from the origin of its body"):
        check_scene(scene.with_joint("distance", "rod", **ends))
    ends["b"]["point"] = [-1.7e7, 0.0]
    check_scene(scene.with_joint("distance", "rod", **ends))


def test_an_edit_beyond_all_numbers_is_refused_while_it_runs() -> None:
    """A singular value decomposition did not converge in the assembly, as a mistake of the program."""
    scene = _contract("rack_pinion")
    run = Simulation(scene)
    run.advance(0.01)
    with pytest.raises(SceneError, match="'element' stays open"):
        run.refill(set_value(scene, "joints.element.radius", "cosh(710)"))


def test_a_shape_beyond_all_numbers_is_refused_without_lines_of_the_program() -> None:
    ball = {"kind": "sphere", "radius": 1e90, "density": 1e90}
    with pytest.raises(SceneError, match="ball"):
        check_scene(Scene(space="spatial").with_body("ball", shapes=[ball]))


def test_a_damping_beyond_all_numbers_ends_without_lines_of_the_program() -> None:
    scene = set_value(_contract("bushing"), "forces.element.damping", [0.0, 0.0, "sqrt(1e300)"])
    assert simulate(scene, duration=0.01, timed=False).message
