"""Compiled code allocates nothing: neither by declaration nor in a long run."""

import resource
import tracemalloc

import numba
import numpy as np
import pytest
from numba.core.errors import NumbaError
from numba.core.runtime import _nrt_python, rtsys

from engine.compiled import kernel as kernels
from engine.compiled.layout import StepStatus
from engine.simulation.stepping.method_driver import Driver
from engine.solvers.catalogue import find_method
from tests.contract.cases import shipped
from tests.contract.numerics import assembled, at_pose, random_state

STEPS = 100_000


@pytest.mark.parametrize("decorator", [kernels.kernel, kernels.inlined, kernels.fast_kernel])
def test_kernels_have_no_memory_runtime(decorator: object) -> None:
    def make(n: int) -> float:
        return float(np.zeros(n)[0])

    compiled = decorator(make)  # type: ignore[operator]
    assert compiled.targetoptions["_nrt"] is False
    assert compiled.targetoptions["nogil"] is True
    numba.njit(make).compile((numba.int64,))
    with pytest.raises(NumbaError):
        compiled.compile((numba.int64,))


@pytest.mark.parametrize("name", ["pendulum", "four_bar"])
def test_a_long_run_leaves_memory_as_it_was(name: str) -> None:
    ev = shipped(name)
    start = assembled(ev, at_pose(ev, random_state(ev, 0, shift=0.0, turn=0.0), ev.mechanism.q))
    driver = Driver(ev.mechanism, find_method("rk4"), dt=1e-5)
    assert driver.start(0.0, start.q, np.zeros_like(start.v)) == StepStatus.OK
    samples = np.zeros((4, driver.width))
    driver.advance(1.0, samples, most_steps=10, every=STEPS)
    _nrt_python.memsys_enable_stats()
    tracemalloc.start()
    try:
        before, peak = rtsys.get_allocation_stats(), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        traced = tracemalloc.get_traced_memory()[0]
        status, _ = driver.advance(10.0, samples, most_steps=STEPS, every=STEPS)
        grown = tracemalloc.get_traced_memory()[0] - traced
        after = rtsys.get_allocation_stats()
    finally:
        tracemalloc.stop()
        _nrt_python.memsys_disable_stats()
    assert status == StepStatus.OK
    assert after == before
    assert grown < 10_000  # what the call itself returns
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - peak < 2_000  # kB
