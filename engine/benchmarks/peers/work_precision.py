"""Work against precision: what a run costs at a given error, here and in other programs.

Time is processor time of all steps, on one thread and without set-up, best of several; the error is the
largest distance of a centre of mass, at the end, from a reference. Both programs are tried with several
settings, and the fastest at an error counts. The reference is Radau IIA with a hundred steps or more; that
other programs converge to it says that all were given the same problem.
"""

from __future__ import annotations

import json
import math
import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from engine.benchmarks.cost_over_size import chain, planar_chain
from engine.benchmarks.peers.problems import PEER_STEPS, STEPS, PeerProblem, Setting, as_data, prepared
from engine.compiled.layout import Array
from engine.simulation.stepping.method_driver import Driver
from engine.solvers.catalogue import find_method
from engine.system.assembly.assemble import Start
from engine.system.compiling.mechanism import Mechanism
from engine.system.equations.evaluator import Evaluator
from engine.system.equations.pose_table import centre

HERE = "Trammel"
OURS: Setting = ("lagrange/rk4/projection", {})
BY_JOINTS: Setting = ("recursive/rk4/none", {})
REFERENCE: Setting = ("radau", {})
ERRORS = (1e-4, 1e-5, 1e-6)  # m
LOST = 1.0  # m: a run that is farther off has become unstable, and says nothing about finer steps
REPEATS, ENOUGH = 20, 0.05  # runs of which the best counts; fewer once they have taken so long [s]
CHAIN_DT, CHAIN_STEPS = 1e-3, 50  # s
PROGRAMS = {"exudyn": "exudyn_runs.py", "mujoco": "mujoco_runs.py"}
TIMEOUT = 600.0  # s for one question to another program


@dataclass(frozen=True)
class Run:
    """Seconds of all steps, and the error at the end [m]."""

    program: str
    steps: int
    seconds: float
    error: float
    settings: str = ""


def compare(
    problem: PeerProblem, python: str, longest: float, scenes: Mapping[str, Path]
) -> tuple[list[Run], str]:
    """Our runs and Exudyn's; why there are none of Exudyn, or an empty string."""
    mechanism, start = prepared(problem.load(scenes))
    _, reference = _run(mechanism, start, REFERENCE, problem.end, problem.reference * problem.finer)
    found = []
    for setting in problem.settings:
        for steps in STEPS:
            seconds, places = _run(mechanism, start, setting, problem.end, steps * problem.finer)
            words = " ".join((setting[0], *(f"{name}={value:g}" for name, value in setting[1].items())))
            found.append(Run(HERE, steps * problem.finer, seconds, _apart(places, reference), words))
    data = as_data(problem, mechanism, start)
    question = {**data, "steps": [problem.finer * count for count in PEER_STEPS], "longest": longest}
    answer, missing = ask("exudyn", python, {**question, "repeats": REPEATS, "enough": ENOUGH})
    for item in answer.get("runs", ()):
        error = _apart(np.array(item["places"]), reference)
        found.append(Run(answer["program"], item["steps"], item["seconds"], error, item["settings"]))
    return found, missing


@dataclass(frozen=True)
class ChainSteps:
    """Seconds of a step of RK4 on a chain in space joint by joint and with rows, of the same in the plane,
    and of MuJoCo's; how far the last bars are apart after some [m]."""

    bars: int
    by_joints: float
    in_space: float
    in_plane: float
    mujoco: float
    apart: float


def chains(sizes: Sequence[int], python: str) -> tuple[list[ChainSteps], str]:
    """Open chains of hinged bars, of each size; why there is nothing of MuJoCo, or an empty string."""
    question = {"sizes": list(sizes), "steps": CHAIN_STEPS, "repeats": REPEATS, "dt": CHAIN_DT}
    answer, missing = ask("mujoco", python, question)
    theirs = {item["size"]: item for item in answer.get("runs", ())}
    rows = []
    for n in sizes:
        other = theirs.get(n, {"seconds": math.nan, "place": [math.nan] * 3})
        times, apart = [], 0.0
        for raw, setting in ((chain(n), BY_JOINTS), (chain(n), OURS), (planar_chain(n), OURS)):
            mechanism, start = prepared(raw)
            seconds, places = _run(mechanism, start, setting, CHAIN_STEPS * CHAIN_DT, CHAIN_STEPS)
            times.append(seconds / CHAIN_STEPS)
            apart = max(apart, float(np.linalg.norm(places[-1] - other["place"])))
        rows.append(ChainSteps(n, times[0], times[1], times[2], other["seconds"], apart))
    return rows, missing


def ask(program: str, python: str, question: dict[str, Any]) -> tuple[dict[str, Any], str]:
    """The answer of another program; empty, with the reason, where it has none."""
    script = Path(__file__).with_name(PROGRAMS[program])
    try:
        done = subprocess.run(
            [python, str(script)], input=json.dumps(question), capture_output=True, text=True, timeout=TIMEOUT
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
    known = sorted((run for run in runs if 0.0 < run.error < math.inf), key=lambda run: run.seconds)
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


def _run(mechanism: Mechanism, start: Start, setting: Setting, end: float, steps: int) -> tuple[float, Array]:
    """Seconds of all steps, best of several runs, and the centres of mass at the end."""
    driver = Driver(mechanism, find_method(setting[0]), dt=end / steps, options=setting[1])
    samples, taken = np.zeros((1, driver.width)), list[float]()
    while len(taken) < REPEATS and sum(taken) < ENOUGH:
        driver.start(0.0, start.q, start.v, start.angles)
        clock = time.thread_time()
        status, _ = driver.advance(end, samples, every=steps + 1)
        taken.append(time.thread_time() - clock)
        if status.failed:
            return min(taken), np.full((len(mechanism.bodies), 3), np.nan)
    seconds = min(taken)
    t, q, _, angles, _ = driver.layout.state(driver.sample())
    pose = Evaluator(mechanism).at(t, q, angles=angles).work.pose
    return seconds, np.array([centre(pose, b) for b in range(len(mechanism.bodies))])


def _apart(places: Array, reference: Array) -> float:
    gap = np.linalg.norm(places - reference, axis=1)
    return float(gap.max()) if (gap < LOST).all() else math.inf
