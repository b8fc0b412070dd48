"""Time per step against Exudyn, in one run: same mechanism, same number of steps, one thread, output off.

    python -m tests.bench.speed [--rounds 10] [--json FILE]

Rounds alternate between the programs, so that a noisy machine treats both alike; the best of them counts.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from numba import types

from engine.compiled.columns import counters as COUNT
from engine.compiled.dispatch import call_rate
from engine.compiled.kernel import compiled, kernel
from engine.compiled.layout import F1, PACKED, Array, Packed
from engine.model.files.scene_file import load_scene
from engine.simulation.stepping.method_driver import Driver
from engine.solvers.catalogue import find_method
from engine.system.assembly.assemble import assemble
from engine.system.compiling.compile import compile_scene
from tests.bench import exudyn_models
from tests.paths import SCENES

# our scene, the name of the peer's model, step [s]
PROBLEMS = (
    ("spatial_four_bar", "four_bar", 1e-3),
    ("double_four_bar", "double_four_bar", 1e-3),
    ("andrews", "andrews", 1e-5),
)
METHODS = ("lagrange/rk4/baumgarte", "lagrange/rk4/projection")
LIMITS = {"lagrange/rk4/baumgarte": 1 / 5, "lagrange/rk4/projection": 1 / 4, "acceleration": 1 / 15}
STEPS = 1000
EVALUATIONS = 4000


@kernel
def repeat_rate(packed: Packed, y: Array, dy: Array, n: int) -> None:
    for _ in range(n):
        call_rate(packed, 0.0, y, dy)


class Ours:
    """One of our methods on one mechanism."""

    def __init__(
        self, scene: str, method: str, dt: float, clock: Callable[[], float] = time.perf_counter
    ) -> None:
        self.clock = clock
        self.mechanism = compile_scene(load_scene(SCENES / f"{scene}.json"))
        self.driver = Driver(self.mechanism, find_method(method), dt=dt)
        self.begin = assemble(self.mechanism)
        self.samples = np.zeros((1, self.driver.width))
        self.dt = dt

    def step(self, steps: int = STEPS) -> float:
        """Seconds per step."""
        driver = self.driver
        driver.work.counters[:] = 0
        driver.start(0.0, self.begin.q, self.begin.v, self.begin.angles)
        begin = self.clock()
        status, _ = driver.advance(steps * self.dt, self.samples, every=steps + 1)
        seconds = self.clock() - begin
        assert not status.failed, status.text
        return seconds / int(driver.work.counters[COUNT.STEPS])

    def acceleration(self) -> float:
        """Seconds per evaluation of all accelerations and multipliers."""
        self.driver.start(0.0, self.begin.q, self.begin.v, self.begin.angles)
        loop = compiled(repeat_rate, types.void(PACKED, F1, F1, types.int64))
        slope = np.zeros_like(self.driver.y)
        begin = time.perf_counter()
        loop(self.driver.packed, self.driver.y, slope, EVALUATIONS)
        return (time.perf_counter() - begin) / EVALUATIONS


# what a user of Exudyn gets, then its fast build, then the fastest settings found: label, build, preset
PEERS = (
    ("as installed", "installed", "default"),
    ("fast build", "fast", "default"),
    ("fast build, tuned", "fast", "tuned"),
)


def choose_build(build: str) -> None:
    os.environ["EXUDYN_BUILD"] = build


def peer_step(model: str, dt: float, preset: str) -> float:
    """Seconds per step of Exudyn, in a process that holds one of its builds."""
    settings = exudyn_models.PRESETS[model][preset]
    result = exudyn_models.time_per_step(model, dt=dt, steps=STEPS, repeats=1, settings=settings)
    return float(result["seconds_per_step"])


@contextmanager
def peer_builds() -> Iterator[dict[str, ProcessPoolExecutor]]:
    """A process for each build of Exudyn."""
    spawn = multiprocessing.get_context("spawn")
    builds = {
        build: ProcessPoolExecutor(1, mp_context=spawn, initializer=choose_build, initargs=(build,))
        for build in ("installed", "fast")
    }
    try:
        yield builds
    finally:
        for executor in builds.values():
            executor.shutdown()


def measure(rounds: int) -> list[dict[str, Any]]:
    """A line per problem: best seconds of each program."""
    lines = []
    with peer_builds() as builds:
        for scene, model, dt in PROBLEMS:
            runs: dict[str, Callable[[], float]] = {}
            for method in METHODS:
                ours = Ours(scene, method, dt)
                runs[method] = ours.step
                runs["acceleration"] = ours.acceleration
            for label, build, preset in PEERS:
                runs[label] = lambda b=build, p=preset, m=model, h=dt: (
                    builds[b].submit(peer_step, m, h, p).result()
                )  # type: ignore[misc]
            best = dict.fromkeys(runs, np.inf)
            for _ in range(rounds):
                for name, run in runs.items():
                    best[name] = min(best[name], run())
            lines.append({"problem": scene, "dt": dt, **best})
    return lines


def table(lines: list[dict[str, Any]]) -> str:
    """Markdown: microseconds, and our share of the peer's time."""
    labels = [label for label, _, _ in PEERS]
    out = [
        "| problem | what | µs | " + " | ".join(f"of Exudyn {label}" for label in labels) + " | limit |",
        "|---" * (4 + len(labels)) + "|",
    ]
    for line in lines:
        peers = ", ".join(f"{label} {line[label] * 1e6:.1f}" for label in labels)
        out.append(f"| {line['problem']} | Exudyn step: {peers} |" + " |" * (2 + len(labels)))
        for name, limit in LIMITS.items():
            shares = " | ".join(f"{line[name] / line[label]:.3f}" for label in labels)
            out.append(f"| | {name} | {line[name] * 1e6:.2f} | {shares} | {limit:.3f} |")
    return "\n".join(out)


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args(arguments)
    warnings.simplefilter("ignore")
    lines = measure(options.rounds)
    sys.stdout.write(table(lines) + "\n")
    if options.json:
        options.json.write_text(json.dumps(lines, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
