"""The tables of [Antón 2015, chapter 5] beside ours: sizes, forms, and what reordered solves save.

    OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 python -m tests.bench.reordering [--quick]

Prints Markdown, as it stands in docs/orderings.md. Times are processor time of one thread, the best of many;
gains are ratios within this process. `--quick` leaves the motions out.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable

import numpy as np
import scipy

from engine.benchmarks.printed.anton import REORDERED, RUNS, run_of
from engine.compiled.kernel import kernel
from engine.compiled.layout import Array
from engine.maths.sparse import bordered_kernels
from engine.maths.sparse.bordered_factor import BorderedFactor
from engine.maths.sparse.bordered_kernels import BorderedNumbers
from engine.maths.sparse.bordered_structure import Bordered
from engine.maths.sparse.orderings import ORDERINGS, Hints
from engine.maths.sparse.pattern import Pattern
from engine.natural.equations import NaturalEquations
from engine.natural.mechanisms import NATURAL_MECHANISMS, NaturalMechanism
from engine.natural.natural_motion import FULL, NaturalMotion

ROUNDS = 25
CALLS = 40


@kernel
def repeated(times: int, form: Bordered, numbers: BorderedNumbers, b: Array, work: Array, x: Array) -> None:
    """Factor and solve again and again, as a compiled method would."""
    for _ in range(times):
        bordered_kernels.factor(form, numbers)
        bordered_kernels.solve(form, numbers, b, work, x)


def tell(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def best(call: Callable[[], object], calls: int) -> float:
    """Seconds of one of `calls`, the best of several rounds; the first call is not counted."""
    call()
    found = np.inf
    for _ in range(ROUNDS):
        begin = time.thread_time()
        for _ in range(calls):
            call()
        found = min(found, (time.thread_time() - begin) / calls)
    return found


def dependent(kind: NaturalMechanism) -> tuple[NaturalEquations, Pattern, Array, Array]:
    """Equations, pattern of Φ_q^d, its values bent a little from the start, and these as a full matrix."""
    motion = NaturalMotion(kind)
    rates = np.random.default_rng(1).uniform(0.02, 0.1, len(kind.independent))
    q = motion.q
    for name, step in zip(kind.independent, rates, strict=True):
        scale = 0.2 if "." in name or "sigma" in name else 1.0
        q[motion.equations.number[name]] += scale * step
    motion.close(q)
    e = motion.equations
    e.at(q, np.zeros_like(q))
    pattern, entries, _ = e.dependent(kind.independent)
    values = e.jacobian[entries]
    full = np.zeros(pattern.shape)
    full[np.repeat(np.arange(pattern.shape[0]), np.diff(pattern.starts)), pattern.columns] = values
    return e, pattern, values, full


def sizes() -> None:
    tell("| | rows × columns | rank | entries, all free columns | of the dependent part | published |")
    tell("|---|---|---|---|---|---|")
    for kind in NATURAL_MECHANISMS:
        e = NaturalEquations(kind.make())
        e.at(e.q, np.zeros_like(e.q))
        rank = np.linalg.matrix_rank(e.matrix().toarray())
        part, p = e.dependent(kind.independent)[0], kind.published
        tell(
            f"| {kind.title} | {e.pattern.shape[0]} × {e.pattern.shape[1]} | {rank} | {e.pattern.entries} "
            f"| {part.entries} | {p.rows} × {p.columns}, rank {p.rank}, {p.entries} |"
        )


def forms() -> None:
    tell("\n| dependent part | ordering | blocks | border / bottom | published |\n|---|---|---|---|---|")
    for kind in NATURAL_MECHANISMS:
        e = NaturalEquations(kind.make())
        pattern, _, _ = e.dependent(kind.independent)
        p = kind.published
        for ordering in ("bordered", "p5", "bordered_by_blocks"):
            found = ORDERINGS[ordering].order(pattern, Hints())
            blocks = ", ".join(f"{n} × {size}" for size, n in found.sizes().items())
            printed = "" if p.border is None else f"{p.border} / {'–' if p.bottom is None else p.bottom}"
            if ordering == "p5" and kind.name == "vehicle":
                printed = "27 / –"
            if ordering == "bordered_by_blocks":
                printed = "not done"
            tell(f"| {kind.title} | `{ordering}` | {blocks} | {found.border} / {found.bottom} | {printed} |")


def kernels() -> None:
    tell(
        "\n| matrix | right sides | block solver | called from Python | LAPACK | SuperLU | gain over LAPACK "
        "| published gain |\n|---|---|---|---|---|---|---|---|"
    )
    cases = [(kind, len(kind.independent)) for kind in NATURAL_MECHANISMS if kind.name != "bricard 2"]
    cases.append((NATURAL_MECHANISMS["vehicle"], 1))
    for kind, sides in cases:
        _kernel(kind, sides)


def _kernel(kind: NaturalMechanism, sides: int) -> None:
    _, pattern, values, full = dependent(kind)
    x = np.random.default_rng(2).normal(size=(pattern.shape[1], sides))
    b = np.ascontiguousarray(full @ x)
    made = BorderedFactor(pattern, ORDERINGS["bordered"], Hints(full))
    made.factor(values)
    error = np.abs(made.solve(b) - x).max()
    assert error < 1e-8, (kind.name, error)
    out = np.empty_like(x)

    def loop() -> None:
        repeated(CALLS, made.structure, made.numbers, b, made._work, out)

    def python() -> None:
        made.factor(values)
        made.solve(b, out)

    compiled = best(loop, 1) / CALLS
    called = best(python, CALLS)
    square = pattern.shape[0] == pattern.shape[1]
    getrf, getrs = scipy.linalg.get_lapack_funcs(("getrf", "getrs"), (full,))
    given = np.asfortranarray(full)

    def lapack() -> object:
        if not square:
            return scipy.linalg.lstsq(full, b, lapack_driver="gelsy", check_finite=False)
        lu, pivots, _ = getrf(given)
        return getrs(lu, pivots, b)

    dense = best(lapack, 30)
    sparse = scipy.sparse.csc_array(full)
    superlu = best(lambda: scipy.sparse.linalg.splu(sparse).solve(b), 30) if square else np.nan
    words = f"{1e6 * superlu:.1f} µs" if square else "–"
    note = "" if square else " (least squares)"
    tell(
        f"| {kind.title} | {sides} | {1e6 * compiled:.2f} µs | {1e6 * called:.1f} µs "
        f"| {1e6 * dense:.1f} µs{note} "
        f"| {words} | {dense / compiled:.1f} | {kind.published.solve_gain or '–'} |"
    )


def motions() -> None:
    tell(
        "\n| mechanism | steps, evaluations | published | solves: full → reordered | gain | published "
        "| integration: gain | published |\n|---|---|---|---|---|---|---|---|"
    )
    for name, printed in RUNS.items():
        kind, runs = NATURAL_MECHANISMS[name], {}
        for ordering in (FULL, REORDERED, FULL, REORDERED):  # twice: the first compiles
            runs[ordering] = run_of(name, ordering)
        full, own, p = runs[FULL], runs[REORDERED], kind.published
        tell(
            f"| {kind.title} | {own.steps}, {own.evaluations} | {printed.steps}, {printed.evaluations} "
            f"| {full.solve_seconds:.3f} → {own.solve_seconds:.3f} s "
            f"| {full.solve_seconds / own.solve_seconds:.1f} | {p.solve_gain} "
            f"| {full.integration_seconds / own.integration_seconds:.2f} | {p.integration_gain} |"
        )


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="leave the motions out")
    options = parser.parse_args(arguments)
    sizes()
    forms()
    kernels()
    if not options.quick:
        motions()
    return 0


if __name__ == "__main__":
    sys.exit(main())
