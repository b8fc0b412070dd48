"""Time per step over size: spatial rows of N four-bars at 1 ms, and the exponent that fits the three largest.

    python -m tests.bench.scaling [--sizes 2,10,40,160] [--methods NAME,…] [--seconds 1]

Best of several runs of processor time in this thread, which a busy machine hardly changes.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import time
import warnings

import numpy as np

from engine import loads
from engine.compiled.columns import counters as COUNT
from engine.errors import SceneError
from engine.simulation.method_driver import Driver
from engine.solvers.method_patterns import select_methods
from engine.system.assembly.assemble import Start, assemble
from engine.system.compiling.compile import compile_scene
from engine.system.compiling.mechanism import Mechanism
from scenes.generators.n_four_bar import n_four_bar

DT = 1e-3
MOST_STEPS = 100  # before the first singular configuration
RUNS = 4
FITTED = 3  # sizes


def seconds_per_step(mechanism: Mechanism, begin: Start, method: str, budget: float) -> float:
    """NaN where the method refuses the mechanism or fails."""
    try:
        driver = Driver(mechanism, select_methods([method])[0], dt=DT)
    except SceneError:
        return math.nan
    samples, best, steps = np.zeros((1, driver.width)), math.inf, 2
    for run in range(RUNS):
        driver.work.counters[:] = 0
        driver.start(0.0, begin.q, begin.v, begin.angles)
        clock = time.thread_time()
        status, _ = driver.advance(steps * DT, samples, every=steps + 1)
        spent = time.thread_time() - clock
        if status.failed:
            return math.nan
        found = spent / int(driver.work.counters[COUNT.STEPS])
        best = min(best, found) if run > 1 else found  # the first run compiles
        steps = max(2, min(MOST_STEPS, int(budget / RUNS / max(best, 1e-7))))
    return best


def exponent(sizes: list[int], seconds: list[float]) -> float:
    return float(np.polyfit(np.log(sizes[-FITTED:]), np.log(seconds[-FITTED:]), 1)[0])


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sizes", default="2,10,40,160")
    parser.add_argument("--methods", default="lagrange/rk4/projection,central_differences,newmark_nullspace")
    parser.add_argument("--seconds", type=float, default=1.0, help="budget for a method and a size")
    options = parser.parse_args(arguments)
    warnings.simplefilter("ignore")
    sizes = [int(size) for size in options.sizes.split(",")]
    ready = []
    for n in sizes:
        mechanism = compile_scene(loads(json.dumps(n_four_bar(n, "spatial"))))
        ready.append((mechanism, assemble(mechanism)))
    heads = " | ".join(f"N = {n}" for n in sizes)
    sys.stdout.write(f"| method | {heads} | exponent |\n{'|---' * (len(sizes) + 2)}|\n")
    for method in options.methods.split(","):
        times = [seconds_per_step(mechanism, begin, method, options.seconds) for mechanism, begin in ready]
        cells = " | ".join("–" if math.isnan(t) else f"{t * 1e6:.0f}" for t in times)
        sys.stdout.write(f"| `{method}` | {cells} | {exponent(sizes, times):.2f} |\n")
        sys.stdout.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
