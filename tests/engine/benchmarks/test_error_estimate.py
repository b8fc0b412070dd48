"""The estimated error of positions: exact where it must be, and within a factor of ten of the true one."""

import math

import numpy as np
import pytest

from engine import Scene
from engine.benchmarks.error_estimate import amplification, estimated_error, shadow_of
from engine.benchmarks.racing.distance import Centres, distances
from engine.benchmarks.racing.entry import entry_of, reference_of
from engine.errors import SceneError
from engine.model.files.scene_file import load_scene
from engine.model.races import Lane
from engine.simulation.simulation import simulate
from engine.solvers.catalogue import find_method
from engine.system.assembly.scaling import scales_of
from tests.paths import SCENES

NEGLIGIBLE = 1e-12  # of the size of the mechanism: rounding, in which neither number means anything
WITHIN = 10.0  # times
SHARE = 0.9  # of all cases
SHORT = 0.5  # s
# small and quick, of all sorts: open and closed, planar and spatial
SAMPLE = ("four_bar", "double_pendulum", "spatial_pendulum", "spatial_slider_crank", "spinning_top")
METHODS = ("", "generalized_alpha")


def ran(entry):
    trajectory = simulate(entry.scene, duration=entry.duration, sample_every=entry.every)
    segment = trajectory.segments[0]
    return segment.mechanism, segment.samples, trajectory.status


def case(name, method, duration=None):
    """Estimated and true error over the size of the mechanism; None where there is no reference."""
    scene = load_scene(SCENES / f"{name}.json")
    try:
        entry = entry_of(scene, Lane(name=name, method=method), duration)
        mechanism, samples, status = ran(entry)
        shadow, second, _ = ran(shadow_of(scene, entry.method, entry.dt, entry.duration))
        other, exact, known = ran(reference_of(scene, duration))
    except SceneError:
        return None
    if status.failed or known.failed:
        return None
    estimate = estimated_error(entry.method, mechanism, samples, shadow, second)
    true = float(np.nanmax(distances(Centres(mechanism), samples, Centres(other), exact)))
    length = scales_of(mechanism).length
    return estimate / length, true / length


def agrees(estimate, true):
    if max(estimate, true) < NEGLIGIBLE:
        return True
    return true > 0.0 and 1.0 / WITHIN <= estimate / true <= WITHIN


def test_the_error_of_euler_in_free_fall_is_found_exactly():
    step, end = 0.01, 1.0
    scene = Scene(space="planar").with_body("stone", mass=1.0, inertia=[1.0])
    scene = scene.with_simulation(method="lagrange/euler/none", dt=step, duration=end)
    mechanism, samples, _ = ran(entry_of(scene, Lane(name="stone")))
    other, second, _ = ran(shadow_of(scene, "lagrange/euler/none", step, end))
    found = estimated_error("lagrange/euler/none", mechanism, samples, other, second)
    assert found == pytest.approx(9.81 * step * end / 2.0, rel=1e-6)
    # a second run that broke off says nothing good
    assert estimated_error("lagrange/euler/none", mechanism, samples, other, second[:50]) == math.inf


def test_adaptive_methods_are_compared_with_a_tenth_of_their_tolerance():
    scene = load_scene(SCENES / "four_bar.json")
    entry = shadow_of(scene, "dopri5", 0.001, 1.0)
    default = {option.name: option.default for option in find_method("dopri5").options}
    assert entry.dt == 0.001
    assert float(entry.scene.simulation.options["rtol"]) == pytest.approx(0.1 * default["rtol"])
    assert amplification(find_method("dopri5")) == pytest.approx(1.0 / 0.9)
    assert amplification(find_method("rk4")) == pytest.approx(16.0 / 15.0)


def test_the_estimate_is_calibrated():
    found = [case(name, method, SHORT) for name in SAMPLE for method in METHODS]
    known = [pair for pair in found if pair is not None]
    assert len(known) == len(SAMPLE) * len(METHODS)
    assert sum(agrees(*pair) for pair in known) >= SHARE * len(known)


@pytest.mark.soak
@pytest.mark.parametrize("method", METHODS)
def test_the_estimate_is_calibrated_on_all_shipped_scenes(method):
    names = sorted(path.stem for path in SCENES.glob("*.json"))
    found = {name: case(name, method, 3.0) for name in names}
    known = {name: pair for name, pair in found.items() if pair is not None}
    wrong = {name: pair for name, pair in known.items() if not agrees(*pair)}
    assert len(known) > 20
    assert len(wrong) <= (1.0 - SHARE) * len(known), wrong
