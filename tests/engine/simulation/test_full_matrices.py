"""Implicit schemes whose matrix is full, by unknowns of their own: told, or refused."""

import json

import pytest

from engine import SceneError, loads
from engine.benchmarks.cost_over_size import chain
from engine.simulation.simulation import Simulation
from engine.simulation.stepping.method_driver import refuse_unfit
from engine.solvers.catalogue import find_method
from engine.system.compiling.compile import compile_scene


def test_a_matrix_beyond_memory_is_refused_with_a_remedy() -> None:
    mechanism = compile_scene(loads(json.dumps(chain(1000))))
    with pytest.raises(SceneError) as caught:
        refuse_unfit(mechanism, find_method("canonical/gauss2/none"))
    (problem,) = caught.value.problems
    assert "of order 36" in problem.message
    assert "radau" in problem.remedy
    refuse_unfit(mechanism, find_method("radau"))
    refuse_unfit(mechanism, find_method("bdf2"))
    refuse_unfit(mechanism, find_method("gauss2"))
    refuse_unfit(mechanism, find_method("rk4"))


def test_a_large_full_matrix_is_told() -> None:
    scene = loads(json.dumps(chain(100)))
    warned = Simulation(scene, method="canonical/rodas3/none", duration=0.01).warnings
    assert any("full matrix of order 36" in warning for warning in warned)
    for method in ("rk4", "bdf2", "rodas3"):
        assert not any("full matrix" in w for w in Simulation(scene, method=method, duration=0.01).warnings)
