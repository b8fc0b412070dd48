"""Accelerations by the complement J M⁻¹ Jᵀ beside the whole saddle-point system, whichever rows are active.

Bodies in space that hinges and balls hold are put together by turns and pushes apart (`alike.py`).
"""

import itertools
import json

import numpy as np
import pytest

from engine.benchmarks.cost_over_size import chain, row_of_four_bars
from engine.compiled.arenas import open_system, open_work
from engine.compiled.columns import alike as ALIKE
from engine.compiled.columns import bodies as BODY
from engine.compiled.columns import coordinates as COORDINATE
from engine.compiled.columns import rows as ROW
from engine.compiled.columns import sizes as SIZE
from engine.compiled.columns import vectors as VECTOR
from engine.compiled.kernel import kernel
from engine.compiled.layout import Array, Packed
from engine.model.files.scene_file import loads
from engine.model.scene import Scene
from engine.simulation.stepping.method_driver import Driver
from engine.solvers.catalogue import find_method
from engine.solvers.linsolve.schur import assemble, gather
from engine.system.assembly.assemble import assemble as closed
from engine.system.compiling.compile import compile_scene
from engine.system.equations.evaluator import Evaluator


@kernel
def complement(packed: Packed) -> None:
    gather(open_system(packed), open_work(packed))
    assemble(open_system(packed), open_work(packed))


def held_chain() -> Scene:
    """Bars that friction may hold in any of their hinges, a ball at their end."""
    scene = loads(json.dumps(chain(4)))
    for joint in scene.joints:
        given = {"joint": joint.name, "coordinate": "angle", "model": "held", "kinetic": 1.0}
        scene = scene.with_force("friction", f"held_{joint.name}", **given)
    end = scene.bodies[-1].name
    scene = scene.with_body("bob", position=[5.0, 0.3, -0.2], mass=0.7, inertia=[0.02, 0.03, 0.04])
    ends = {"a": {"body": end, "point": [0.5, 0, 0]}, "b": {"body": "bob", "point": [-0.3, 0.1, 0.2]}}
    return scene.with_joint("spherical", "ball", **ends)


def gradients(driver: Driver) -> Array:
    """J of all rows at the state that was evaluated last, conditional ones included."""
    system, J = driver.system, np.zeros((len(driver.system.rows), int(driver.system.sizes[SIZE.NV])))
    for line, row in zip(J, system.rows, strict=True):
        begin, count = system.coordinate_functions[row[ROW.COORDINATE], : COORDINATE.PAIR]
        for block in range(begin, begin + count):
            at = system.bodies[system.block_bodies[block], BODY.V]
            if at >= 0:
                line[at : at + 6] += driver.work.grad[block]
    return J


@pytest.mark.parametrize("held", [*itertools.product((False, True), repeat=4)])
def test_the_complement_of_any_active_rows(held: tuple[bool, ...]) -> None:
    mechanism = compile_scene(held_chain())
    assert (mechanism.system.bodies[:5, BODY.STRAIGHT] == 1).all()
    start = closed(mechanism)
    driver = Driver(mechanism, find_method("lagrange/rk4/projection"), dt=1e-3)
    driver.start(0.0, start.q, start.v, start.angles)
    lines = np.flatnonzero(np.arange(len(mechanism.system.rows)) >= len(mechanism.rows))
    assert len(lines) == 4
    driver.activate(lines[list(held)])
    driver.refresh()
    complement(driver.packed)
    system, m = driver.system, len(mechanism.rows) + sum(held)
    J = gradients(driver)[system.order[:m]]
    M = Evaluator(mechanism).at(0.0, start.q, start.v).mass_matrix()
    expected = np.triu(J @ np.linalg.solve(M, J.T))
    found = np.zeros((m, m))
    for i in range(m):
        first, end = int(system.row_starts[i]), int(system.row_ends[i])
        found[i, i:end] = driver.work.matrix[first + i : first + end]
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-12 * np.abs(expected).max())


@pytest.mark.parametrize(("count", "pairs"), [(1, 27), (2, 54)])
def test_pushes_meet_where_they_are_along_one_axis(count: int, pairs: int) -> None:
    """A bar with two hinges has six rows that push, two along each axis: three pairs for each; one with three
    hinges has six for each."""
    system = compile_scene(loads(json.dumps(row_of_four_bars(count)))).system
    assert len(system.alike) == pairs
    assert set(system.alike[:, ALIKE.AXIS]) == {0, 1, 2}


def test_accelerations_are_those_of_the_saddle_point() -> None:
    mechanism = compile_scene(held_chain())
    start = closed(mechanism)
    v = start.v + np.random.default_rng(3).normal(size=len(start.v)) * 0.1
    driver = Driver(mechanism, find_method("lagrange/rk4/none"), dt=1e-3)
    driver.start(0.0, start.q, v, start.angles)
    ev = Evaluator(mechanism).at(0.0, start.q, v)
    driver.activate(np.array([], np.int64))
    driver.refresh()
    J, M = ev.jacobian, ev.mass_matrix()
    whole = np.block([[M, -J.T], [J, np.zeros((len(J), len(J)))]])
    found = np.linalg.solve(whole, np.concatenate([ev.forces(), ev.gamma]))[: len(v)]
    np.testing.assert_allclose(driver.work.vectors[VECTOR.A], found, rtol=0, atol=1e-9 * np.abs(found).max())
