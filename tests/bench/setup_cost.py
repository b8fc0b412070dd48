"""What comes before a run, in processor time: load and validate, compile, assemble, check; and the memory.

    python -m tests.bench.setup_cost [--four-bars 10,40,160,320] [--bars 10,100,1000]

Each size has a process of its own, in which a small one of its kind is set up before. The exponent is fitted
to the three largest.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import time

import numpy as np

from engine import dumps, loads
from engine.simulation.scene_check import check_scene
from engine.system.assembly.assemble import assemble
from engine.system.prepared import prepare
from engine.templates import TEMPLATES
from scenes.generators.n_four_bar import n_four_bar

PHASES = ("load", "compile", "assemble", "check")
FITTED = 3


def text_of(kind: str, n: int) -> str:
    if kind == "four-bars":
        return dumps(n_four_bar(n, "spatial"))
    return dumps(TEMPLATES["pendulum_chain"].make(count=n, length=0.05, start=0.3).scene)


def measure(kind: str, n: int) -> dict[str, float]:
    """Seconds of each phase, and megabytes."""
    check_scene(loads(text_of(kind, 2)))  # kernels
    text, clocks = text_of(kind, n), [time.process_time()]
    scene = loads(text)
    clocks.append(time.process_time())
    mechanism = prepare(scene).refuse_problems().mechanism
    clocks.append(time.process_time())
    assemble(mechanism)
    clocks.append(time.process_time())
    check_scene(scene)
    clocks.append(time.process_time())
    found = dict(zip(PHASES, np.diff(clocks).tolist(), strict=True))
    return {**found, "MB": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024.0}


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--four-bars", default="10,40,160,320")
    parser.add_argument("--bars", default="10,100,1000")
    parser.add_argument("--one", nargs=2, metavar=("KIND", "N"), help="measure this one here")
    options = parser.parse_args(arguments)
    if options.one:
        sys.stdout.write(json.dumps(measure(options.one[0], int(options.one[1]))))
        return 0
    sys.stdout.write(f"| | {' | '.join(PHASES)} | all | MB |\n{'|---' * (len(PHASES) + 3)}|\n")
    for kind, listed in (("four-bars", options.four_bars), ("bars", options.bars)):
        sizes, totals = [int(n) for n in listed.split(",")], []
        for n in sizes:
            command = [sys.executable, "-m", "tests.bench.setup_cost", "--one", kind, str(n)]
            found = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
            totals.append(sum(found[phase] for phase in PHASES))
            cells = " | ".join(f"{found[phase]:.2f}" for phase in PHASES)
            sys.stdout.write(f"| {n} {kind} | {cells} | {totals[-1]:.2f} | {found['MB']:.0f} |\n")
            sys.stdout.flush()
        slope = np.polyfit(np.log(sizes[-FITTED:]), np.log(totals[-FITTED:]), 1)[0]
        sys.stdout.write(f"exponent of {kind}: {slope:.2f}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
