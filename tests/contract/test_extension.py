"""A new scheme, formulation or direct method is one file and one registry line."""

from dataclasses import replace

import pytest

from engine.registry import Registry
from engine.simulation.simulation import simulate
from engine.solvers import catalogue as methods
from engine.solvers.direct import DIRECT
from engine.solvers.formulations import FORMULATIONS
from engine.solvers.integrators import SCHEMES
from tests.contract.prototypes import leapfrog, trapezoidal
from tests.engine.system.mechanisms import hinge, scene

MOMENTA = replace(FORMULATIONS["canonical"], name="prototype_canonical")
ADDED = methods.all_methods(
    formulations=Registry("formulation", *FORMULATIONS, MOMENTA),
    schemes=Registry("scheme", *SCHEMES, trapezoidal.KIND),
    directs=Registry("direct method", *DIRECT, leapfrog.KIND),
)
NEW = sorted(set(ADDED.names) - set(methods.METHODS.names))
# the direct methods, and the scheme with one formulation: pieces are compiled on their own
WHOLE = [name for name in NEW if "/" not in name or name.startswith("lagrange/prototype_trapezoidal")]


def test_every_combination_that_makes_sense_appears() -> None:
    assert "lagrange/prototype_trapezoidal/baumgarte" in NEW
    assert "prototype_canonical/dopri5/none" in NEW
    # positions and momenta: no velocities to project
    assert "prototype_canonical/rk4/projection" not in ADDED
    assert "prototype_leapfrog" in NEW


@pytest.mark.parametrize("name", WHOLE)
def test_a_whole_run_with_a_new_method(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """By its name, with a knot in a force and a stop condition, channels and work integrals."""
    monkeypatch.setattr(methods, "METHODS", ADDED)
    swing = scene(
        "planar",
        [{"name": "bob", "position": [1, 0], "mass": 1.0, "inertia": [0.1]}],
        [hinge("O", "world", [0, 0], "bob", [-1, 0])],
        forces=[
            {
                "name": "push",
                "kind": "torque",
                "body": "bob",
                "components": [0, 0, {"points": [[0, 0], [0.1234, 1], [10, 1]]}],
            }
        ],
        simulation={"dt": 0.002, "duration": 2.0, "stop_when": ["body.bob.pos.x"]},
    )
    trajectory = simulate(swing, method=name)
    assert trajectory.status.name == "STOPPED"
    assert trajectory.method.name == name
    assert abs(float(trajectory.channel("body.bob.pos.x")[-1])) < 1e-9
    assert float(abs(trajectory.channel("energy.error")).max()) < 1e-3


def test_a_new_direct_method_gets_controlled_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing in its file knows of them."""
    monkeypatch.setattr(methods, "METHODS", ADDED)
    swing = scene(
        "planar",
        [{"name": "bob", "position": [1, 0], "mass": 1.0, "inertia": [0.1]}],
        [hinge("O", "world", [0, 0], "bob", [-1, 0])],
        simulation={"dt": 0.05, "duration": 1.0},
    )
    errors = []
    for tolerance in (1e-4, 1e-5):
        options = {"step_control": 1, "rtol": tolerance, "atol": tolerance}
        run = simulate(swing, method="prototype_leapfrog", options=options)
        errors.append(float(abs(run.channel("energy.error")).max()))
    assert errors[0] < 1e-2
    assert errors[0] / errors[1] == pytest.approx(10.0, rel=0.4)
