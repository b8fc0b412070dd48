"""Singular configurations and redundant rows: a method passes them, or is refused at the start, or its run
is doubted.

Never a wrong curve without a warning. What is right is known without integrating: the energy of these three
mechanisms is constant, and the motion goes straight on where two motions meet. In the slider-crank with bars
of equal length rod and crank are mirror images; in the double four-bar the couplers stay level.
"""

import numpy as np
import pytest

from engine import SceneError, Trajectory, simulate
from engine.compiled.layout import Array
from engine.results.assessment.assess import GOOD
from engine.solvers.catalogue import METHODS
from engine.solvers.method_patterns import select_methods
from tests.verification.runs import shipped

MECHANISMS = ("bricard", "double_four_bar", "slider_crank")
STRAYED = 0.05  # rad; the other branch is a radian away
# s: past the first two singular configurations (0.39 and 1.28 s, 0.71 and 1.23 s); Bricard's has none
SHORT = {"bricard": 0.3, "double_four_bar": 1.4, "slider_crank": 1.4}


def astray(run: Trajectory) -> Array:
    """How far the pose is from the branch on which it began [rad], sample by sample."""
    name = run.scene.title
    if name == "Slider-crank":
        lean = run.channel("body.crank.angle") + run.channel("body.rod.angle")
        return np.abs(2.0 * np.sin(0.5 * lean))
    if name == "Double four-bar":
        across = [
            run.channel(f"body.{coupler}.point.{end}.pos.y")
            for coupler, end in (("coupler1", "B1"), ("coupler2", "B2"))
        ]
        first = run.channel("body.coupler1.point.B0.pos.y")
        return np.maximum(np.abs(across[0] - first), np.abs(across[1] - across[0]))
    return np.zeros(len(run))


def verdict(scene: str, method: str, factor: float, duration: float | None = None) -> str:
    """passed, refused or told; raises where a wrong curve is handed out without a word."""
    mechanism = shipped(scene)
    try:
        run = simulate(
            mechanism, method=method, dt=factor * float(mechanism.simulation.dt), duration=duration
        )
    except SceneError as error:
        (problem,) = error.problems
        assert problem.path == "simulation.method"
        assert problem.remedy
        return "refused"
    if run.status.failed:
        assert run.message.count("stopped at t = ")
        return "told"
    if "do not trust" in run.accuracy_warning:
        return "told"
    kinetic, error = np.abs(run.table(["energy.kinetic", "energy.error"])).max(axis=0)
    share = error / kinetic
    assert share <= GOOD
    assert astray(run).max() < STRAYED, f"left its branch: {run.message}"
    return "passed"


@pytest.mark.parametrize("method", [method.name for method in select_methods(["all"])])
def test_no_wrong_curve_without_a_warning(method: str) -> None:
    verdict("slider_crank", method, 1.0, 0.6)
    for scene in MECHANISMS:
        verdict(scene, method, 5.0, SHORT[scene])


@pytest.mark.soak
@pytest.mark.parametrize("factor", [1.0, 5.0])
@pytest.mark.parametrize("scene", MECHANISMS)
@pytest.mark.parametrize("method", METHODS.names)
def test_no_method_at_all_gives_a_wrong_curve_without_a_warning(
    method: str, scene: str, factor: float
) -> None:
    verdict(scene, method, factor)
