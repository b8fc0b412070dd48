"""Time per step of every method, beside Exudyn's: same mechanism, same step, one thread, output off.

    python -m tests.bench.steps [--rounds 5] [--methods NAME,…] [--alone] [--json FILE]

With `--alone` only our methods run, by processor time, which a busy machine hardly changes, and the table has
multiples of the default method instead of shares of Exudyn. Rounds go through all methods in turn, so that a
noisy machine treats them alike; the best of them counts.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import time
import warnings
from contextlib import nullcontext
from pathlib import Path
from typing import Any

from engine.errors import SceneError
from engine.solvers.catalogue import Method
from engine.solvers.method_patterns import select_methods
from tests.bench.speed import PROBLEMS, Ours, peer_builds, peer_step

STEPS = 200  # before the first singular configuration, where some methods end
PEERS = {"Exudyn, generalised-α, as installed": "installed", "the same, fast build": "fast"}


DEFAULT = "lagrange/rk4/projection"


def prepared(scene: str, method: Method, dt: float, alone: bool) -> Ours | None:
    """The method after one run, which compiles; None where it refuses the mechanism or fails."""
    try:
        ours = Ours(scene, method.name, dt, time.thread_time if alone else time.perf_counter)
        ours.step(STEPS)
    except (SceneError, AssertionError):
        return None
    return ours


def measure(methods: list[Method], rounds: int, alone: bool) -> dict[str, dict[str, float]]:
    """Best seconds per step by method or peer, then by problem; NaN where there is none."""
    peers = {} if alone else PEERS
    found: dict[str, dict[str, float]] = {name: {} for name in (*peers, *(m.name for m in methods))}
    with nullcontext({}) if alone else peer_builds() as builds:
        for scene, model, dt in PROBLEMS:
            ready = {method.name: prepared(scene, method, dt, alone) for method in methods}
            best = dict.fromkeys(found, math.inf)
            for _ in range(rounds):
                for name, build in peers.items():
                    seconds = builds[build].submit(peer_step, model, dt, "default").result()
                    best[name] = min(best[name], seconds)
                for name, ours in ready.items():
                    best[name] = min(best[name], ours.step(STEPS)) if ours else math.nan
            for name, seconds in best.items():
                found[name][scene] = seconds
    return found


def table(found: dict[str, dict[str, float]]) -> str:
    """Markdown: microseconds, and the share of Exudyn as installed, or the multiple of our default method."""
    scenes, other = [scene for scene, _, _ in PROBLEMS], found.get(next(iter(PEERS)), found[DEFAULT])
    lines = ["| method | " + " | ".join(f"{scene}, µs" for scene in scenes) + " |", "|---" * 4 + "|"]
    for name, times in found.items():
        cells = [
            "–"
            if math.isnan(times[scene])
            else f"{times[scene] * 1e6:.1f} ({times[scene] / other[scene]:.2f})"
            for scene in scenes
        ]
        lines.append(f"| {name if name in PEERS else f'`{name}`'} | {' | '.join(cells)} |")
    return "\n".join(lines)


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--methods", default="all,newmark_nullspace/fox_goodwin,newmark_nullspace/midstep")
    parser.add_argument("--alone", action="store_true", help="without Exudyn, by processor time")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args(arguments)
    warnings.simplefilter("ignore")
    chosen = select_methods([DEFAULT, *options.methods.split(",")])
    found = measure(chosen, options.rounds, options.alone)
    sys.stdout.write(table(found) + "\n")
    if options.json:
        facts: dict[str, Any] = {name: dict(times) for name, times in found.items()}
        options.json.write_text(json.dumps(facts, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
