"""Work against precision: what a run costs at a given error, here and in other programs.

Time is processor time of all steps, on one thread and without set-up, best of several; the error is the
largest distance of a centre of mass, at the end, from a reference. The reference is Radau IIA with a hundred
steps; that other programs converge to it says that all were given the same problem.
"""

from __future__ import annotations

import json
import math
import subprocess
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from engine.benchmarks.cost_over_size import chain
from engine.benchmarks.peers.problems import PeerProblem, as_data, prepared
from engine.compiled.layout import Array
from engine.simulation.method_driver import Driver
from engine.solvers.catalogue import find_method
from engine.system.assembly.assemble import Start
from engine.system.compiling.mechanism import Mechanism
from engine.system.equations.evaluator import Evaluator
from engine.system.equations.pose_table import centre

OURS = "lagrange/rk4/projection"
REFERENCE, REFERENCE_STEPS = "radau", 100
STEPS = (2, 3, 4, 5, 7, 10, 14, 20, 50, 100)
PEER_STEPS = (20, 50, 100, 200, 500, 1000, 2000, 5000, 10000, 20000)
ERRORS = (1e-4, 1e-5, 1e-6)  # m
REPEATS = 3
CHAIN_DT, CHAIN_STEPS = 1e-3, 50  # s
PROGRAMS = {"exudyn": "exudyn_runs.py", "mujoco": "mujoco_runs.py"}
LONGEST = 600.0  # s for one question to another program


@dataclass(frozen=True)
class Run:
    """Seconds of all steps, and the error at the end [m]."""

    program: str
    steps: int
    seconds: float
    error: float


def compare(problem: PeerProblem, python: str, longest: float) -> tuple[list[Run], str]:
    """Our runs and Exudyn's; why there are none of Exudyn, or an empty string."""
    mechanism, start = prepared(problem.scene())
    _, reference = _run(mechanism, start, REFERENCE, problem.end, REFERENCE_STEPS)
    found = []
    for steps in STEPS:
        best, places = math.inf, np.zeros(0)
        for _ in range(REPEATS + 1):  # the first compiles
            seconds, places = _run(mechanism, start, OURS, problem.end, steps)
            best = min(best, seconds)
        found.append(Run("Trammel", steps, best, _apart(places, reference)))
    data = as_data(problem, mechanism, start)
    asked = {**data, "steps": PEER_STEPS, "longest": longest, "repeats": REPEATS}
    answer, missing = ask("exudyn", python, asked)
    for item in answer.get("runs", ()):
        error = _apart(np.array(item["places"]), reference)
        found.append(Run(answer["program"], item["steps"], item["seconds"], error))
    return found, missing


def chains(sizes: Sequence[int], python: str) -> tuple[list[tuple[int, float, float, float]], str]:
    """Size, our time per step of RK4 and MuJoCo's [s], and how far the ends of the chains are apart [m]."""
    question = {"sizes": list(sizes), "steps": CHAIN_STEPS, "repeats": REPEATS, "dt": CHAIN_DT}
    answer, missing = ask("mujoco", python, question)
    theirs = {item["size"]: item for item in answer.get("runs", ())}
    rows = []
    for n in sizes:
        mechanism, start = prepared(chain(n))
        best, places = math.inf, np.zeros((1, 3))
        for _ in range(REPEATS + 1):
            seconds, places = _run(mechanism, start, OURS, CHAIN_STEPS * CHAIN_DT, CHAIN_STEPS)
            best = min(best, seconds / CHAIN_STEPS)
        other = theirs.get(n, {"seconds": math.nan, "place": [math.nan] * 3})
        rows.append((n, best, other["seconds"], float(np.linalg.norm(places[-1] - other["place"]))))
    return rows, missing


def ask(program: str, python: str, question: dict[str, Any]) -> tuple[dict[str, Any], str]:
    """The answer of another program; empty, with the reason, where it has none."""
    script = Path(__file__).with_name(PROGRAMS[program])
    try:
        done = subprocess.run(
            [python, str(script)], input=json.dumps(question), capture_output=True, text=True, timeout=LONGEST
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return {}, f"{program}: {error}"
    if done.returncode:
        last = done.stderr.strip().splitlines()[-1:] or ["no message"]
        if "No module named" in last[0]:
            return (
                {},
                f"{program} is not installed for {python}: pip install {program}, or name another --python",
            )
        return {}, f"{program}: {last[0]}"
    found: dict[str, Any] = json.loads(done.stdout)
    return found, ""


def at_error(runs: Sequence[Run], error: float) -> float:
    """Seconds at an error, between two runs as a power law; NaN where it is not reached."""
    known = sorted((run for run in runs if run.error > 0.0), key=lambda run: run.seconds)
    best: list[Run] = []  # runs that no cheaper one beats
    for run in known:
        if not best or run.error < best[-1].error:
            best.append(run)
    if not best or best[-1].error > error:
        return math.nan
    if best[0].error <= error:
        return best[0].seconds
    k = next(i for i, run in enumerate(best) if run.error <= error)
    a, b = best[k - 1], best[k]
    share = math.log(a.error / error) / math.log(a.error / b.error)
    return math.exp(math.log(a.seconds) + share * math.log(b.seconds / a.seconds))


def _run(mechanism: Mechanism, start: Start, method: str, end: float, steps: int) -> tuple[float, Array]:
    """Seconds of all steps, and the centres of mass at the end."""
    driver = Driver(mechanism, find_method(method), dt=end / steps)
    driver.start(0.0, start.q, start.v, start.angles)
    samples = np.zeros((1, driver.width))
    clock = time.thread_time()
    status, _ = driver.advance(end, samples, every=steps + 1)
    seconds = time.thread_time() - clock
    if status.failed:
        return seconds, np.full((len(mechanism.bodies), 3), np.nan)
    t, q, _, angles, _ = driver.layout.state(driver.sample())
    pose = Evaluator(mechanism).at(t, q, angles=angles).work.pose
    return seconds, np.array([centre(pose, b) for b in range(len(mechanism.bodies))])


def _apart(places: Array, reference: Array) -> float:
    gap = np.linalg.norm(places - reference, axis=1)
    return float(gap.max()) if np.isfinite(gap).all() else math.inf
