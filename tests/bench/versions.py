"""Time per step of methods here beside those of another checkout of this program, such as an older commit.

    git worktree add ../older a81064f
    python -m tests.bench.versions ../older [--methods NAME,…] [--rounds 5] [--steps 1000 5000]

Each checkout has a process; they take turns, so that a noisy machine treats both alike. Processor time; the
slope between two numbers of steps leaves out what a start costs, and the best of the rounds counts.
"""

from __future__ import annotations

import argparse
import json
import math
import subprocess
import sys
import time
import warnings
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).parents[2]
PROBLEMS = (("spatial_four_bar", 1e-3), ("double_four_bar", 1e-3), ("andrews", 1e-5))
METHODS = (
    "lagrange/rk4/projection,lagrange/dopri5/projection,lagrange/implicit_midpoint/projection,"
    "null_space/rk4/projection,penalty/rk4/projection,augmented_lagrangian/rk4/projection,"
    "canonical_augmented/rk4/none,independent_velocities/rk4/none,independent_coordinates/rk4/none,"
    "generalized_alpha,hht,wilson_theta,bdf_dae,augmented_index3,central_differences,newmark_index3,"
    "newmark_nullspace,newmark_nullspace/midstep,radau"
)


def serve(checkout: str) -> None:
    """Lines `scene method step steps` from standard input, seconds of all steps to standard output."""
    sys.path[:0] = [checkout]
    warnings.simplefilter("ignore")
    from tests.bench.speed import Ours

    ready: dict[tuple[str, ...], Ours] = {}
    for line in sys.stdin:
        *key, steps = line.split()
        scene, method, dt = key
        try:
            if tuple(key) not in ready:
                ready[tuple(key)] = Ours(scene, method, float(dt), time.thread_time)
            seconds = ready[tuple(key)].step(int(steps)) * int(steps)
        except Exception as error:  # refused, failed, or not known to that version: said in the table
            sys.stdout.write(json.dumps(f"{type(error).__name__}: {error}".splitlines()[0]) + "\n")
        else:
            sys.stdout.write(json.dumps(seconds) + "\n")
        sys.stdout.flush()


class Checkout:
    """A process that times the methods of one checkout."""

    def __init__(self, folder: Path) -> None:
        self._process = subprocess.Popen(
            [sys.executable, str(Path(__file__).resolve()), "--serve", str(folder.resolve())],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=folder,
        )

    def seconds(self, scene: str, method: str, dt: float, steps: int) -> float:
        """Of so many steps; raises RuntimeError with what stood in the way."""
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.write(f"{scene} {method} {dt} {steps}\n")
        self._process.stdin.flush()
        answer: float | str = json.loads(self._process.stdout.readline())
        if isinstance(answer, str):
            raise RuntimeError(answer)
        return answer

    def close(self) -> None:
        assert self._process.stdin
        self._process.stdin.close()
        self._process.wait()


def slopes(
    checkouts: Sequence[Checkout], run: tuple[str, str, float], steps: tuple[int, int], rounds: int
) -> list[float]:
    """µs per step of each, between two numbers of steps; the first turn compiles and does not count."""
    best = [[math.inf, math.inf] for _ in checkouts]
    for number in range(rounds + 1):
        for times, checkout in zip(best, checkouts, strict=True):
            for k, count in enumerate(steps):
                seconds = checkout.seconds(*run, count)
                times[k] = min(times[k], seconds) if number else math.inf
    few, many = steps
    return [(long - short) / (many - few) * 1e6 for short, long in best]


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("other", type=Path, help="folder of the other checkout")
    parser.add_argument("--methods", default=METHODS)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--steps", type=int, nargs=2, default=(1000, 5000))
    options = parser.parse_args()
    checkouts = [Checkout(options.other), Checkout(ROOT)]
    sys.stdout.write("| method | " + " | ".join(f"{scene}, µs" for scene, _ in PROBLEMS) + " |\n")
    sys.stdout.write("|---" * (1 + len(PROBLEMS)) + "|\n")
    for method in options.methods.split(","):
        cells = []
        for scene, dt in PROBLEMS:
            try:
                there, here = slopes(checkouts, (scene, method, dt), options.steps, options.rounds)
            except RuntimeError as error:  # refused, or it broke off
                cells.append(str(error))
            else:
                cells.append(f"{there:.1f} → {here:.1f} ({here / there:.2f})")
        sys.stdout.write(f"| `{method}` | {' | '.join(cells)} |\n")
        sys.stdout.flush()
    for checkout in checkouts:
        checkout.close()
    return 0


if __name__ == "__main__":
    if sys.argv[1:2] == ["--serve"]:
        serve(sys.argv[2])
    else:
        sys.exit(main())
