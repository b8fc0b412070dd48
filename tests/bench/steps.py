"""Time per step of every method, beside Exudyn's: same mechanism, same step, one thread, output off.

    python -m tests.bench.steps [--rounds 5] [--methods NAME,…] [--json FILE]

Rounds go through all methods in turn, so that a noisy machine treats them alike; the best of them counts.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import warnings
from pathlib import Path
from typing import Any

from engine.errors import SceneError
from engine.runtime.methods import Method
from engine.runtime.selection import select_methods
from tests.bench.speed import PROBLEMS, Ours, peer_builds, peer_step

STEPS = 200  # before the first singular pose, where some methods end
PEERS = {"Exudyn, generalised-α, as installed": "installed", "the same, fast build": "fast"}


def prepared(scene: str, method: Method, dt: float) -> Ours | None:
    """The method after one run, which compiles; None where it refuses the mechanism or fails."""
    try:
        ours = Ours(scene, method.name, dt)
        ours.step(STEPS)
    except (SceneError, AssertionError):
        return None
    return ours


def measure(methods: list[Method], rounds: int) -> dict[str, dict[str, float]]:
    """Best seconds per step by method or peer, then by problem; NaN where there is none."""
    found: dict[str, dict[str, float]] = {name: {} for name in (*PEERS, *(m.name for m in methods))}
    with peer_builds() as builds:
        for scene, model, dt in PROBLEMS:
            ready = {method.name: prepared(scene, method, dt) for method in methods}
            best = dict.fromkeys(found, math.inf)
            for _ in range(rounds):
                for name, build in PEERS.items():
                    seconds = builds[build].submit(peer_step, model, dt, "default").result()
                    best[name] = min(best[name], seconds)
                for name, ours in ready.items():
                    best[name] = min(best[name], ours.step(STEPS)) if ours else math.nan
            for name, seconds in best.items():
                found[name][scene] = seconds
    return found


def table(found: dict[str, dict[str, float]]) -> str:
    """Markdown: microseconds, and the share of Exudyn as installed."""
    scenes, installed = [scene for scene, _, _ in PROBLEMS], found[next(iter(PEERS))]
    lines = ["| method | " + " | ".join(f"{scene}, µs (share)" for scene in scenes) + " |", "|---" * 4 + "|"]
    for name, times in found.items():
        cells = [
            "–"
            if math.isnan(times[scene])
            else f"{times[scene] * 1e6:.1f} ({times[scene] / installed[scene]:.2f})"
            for scene in scenes
        ]
        lines.append(f"| {name if name in PEERS else f'`{name}`'} | {' | '.join(cells)} |")
    return "\n".join(lines)


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--methods", default="all,newmark_nullspace/fox_goodwin,newmark_nullspace/midstep")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args(arguments)
    warnings.simplefilter("ignore")
    found = measure(select_methods(options.methods.split(",")), options.rounds)
    sys.stdout.write(table(found) + "\n")
    if options.json:
        facts: dict[str, Any] = {name: dict(times) for name, times in found.items()}
        options.json.write_text(json.dumps(facts, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
