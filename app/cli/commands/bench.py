"""`trammel bench [NAME…]`: the benchmark problems with their official measures and published results."""

import argparse
import csv
import json
import math
from collections.abc import Callable, Sequence
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

from app.cli.arguments.set_argument import add_method_options, parse_options
from app.cli.arguments.time_argument import positive_seconds
from app.cli.base import Command
from app.cli.benching.peers_bench import run_peers
from app.cli.benching.scaling_bench import parse_sizes, run_scaling
from app.cli.benching.tables_bench import run_tables
from app.cli.failure import FAILED, end_of
from app.cli.interrupt import cancel_on_interrupt
from app.cli.output import write_json, write_line, write_table
from app.cli.progress import ProgressBar
from app.cli.simulated_run import check_file
from app.platform.resources import scene_paths
from app.platform.user_error import InputError

if TYPE_CHECKING:
    from engine.benchmarks.base import Benchmark, Outcome

ENDINGS = (".md", ".csv", ".json", ".html")
PICTURES = (".png", ".svg")
HEADINGS = ("method", "step [s]", "error", "verdict", "iterations/step", "time [s]", "remark")


def _configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("names", metavar="NAME", nargs="*", help="problems, such as A01; default: all")
    parser.add_argument(
        "--methods",
        metavar="A,B,…",
        help="names or patterns of methods, or `all`: every piece once; default: each scene's method",
    )
    add_method_options(parser)
    parser.add_argument("--dt", type=positive_seconds, metavar="S", help="step [s]; default: the scene's")
    parser.add_argument("--repeat", type=int, default=1, metavar="N", help="the time is the best of N runs")
    parser.add_argument(
        "-o", "--out", type=Path, metavar="FILE", help=f"save the table too: {' '.join(ENDINGS)}"
    )
    parser.add_argument(
        "--scaling",
        action="store_true",
        help="instead: time per step over the size of a mechanism; NAMEs are families, four_bars or chains",
    )
    parser.add_argument(
        "--peers",
        action="store_true",
        help="instead: the same problems in Exudyn, work against precision, and open chains in MuJoCo",
    )
    parser.add_argument(
        "--tables",
        action="store_true",
        help="instead: figures as the sources print them, beside ours; NAMEs are tables, such as cd-bricard",
    )
    parser.add_argument(
        "--python",
        metavar="FILE",
        help="for --peers: the Python that has exudyn and mujoco installed; default: this one",
    )
    parser.add_argument("--sizes", type=parse_sizes, metavar="N,N,…", help="sizes for --scaling and --peers")
    parser.add_argument(
        "--plot", type=Path, metavar="FILE", help="for --scaling and --peers: draw the result (.png, .svg)"
    )
    parser.add_argument(
        "--seconds",
        type=positive_seconds,
        default=1.0,
        metavar="S",
        help="for --scaling: for each method at each size; for --peers: the longest run of another program; "
        "default 1",
    )


def _execute(options: argparse.Namespace) -> int:
    if options.out:
        check_file(options.out, ENDINGS)
    if options.repeat < 1:
        raise InputError(f"--repeat {options.repeat}", remedy="give at least 1")
    if options.plot:
        check_file(options.plot, PICTURES, "--plot")
    if options.scaling:
        return run_scaling(options)
    if options.peers:
        return run_peers(options)
    if options.tables:
        return run_tables(options)
    from engine.benchmarks import BENCHMARKS  # heavy: Numba

    known = {name.lower(): name for name in BENCHMARKS.names}
    for name in options.names:
        if name.lower() not in known:
            raise InputError(
                f"there is no benchmark {name!r}", remedy=f"use one of: {', '.join(BENCHMARKS.names)}"
            )
    chosen = [BENCHMARKS[known[name.lower()]] for name in options.names] or list(BENCHMARKS)
    with ProgressBar() as progress, cancel_on_interrupt() as cancel:
        outcomes = _outcomes(chosen, options, progress, cancel)
        stopped = cancel()
    if options.out:
        _save(outcomes, options.out)
    if options.json:
        write_json(
            {
                "benchmarks": [_facts(benchmark) for benchmark in chosen],
                "outcomes": [outcome.to_dict() for outcome in outcomes],
                "stopped": stopped,
            }
        )
    else:
        _show(outcomes)
    if stopped:
        return end_of(stopped=True)
    solved = {outcome.benchmark.name for outcome in outcomes if outcome.passed}
    return 0 if all(benchmark.name in solved for benchmark in chosen) else FAILED


def _outcomes(
    chosen: Sequence["Benchmark"],
    options: argparse.Namespace,
    progress: ProgressBar,
    cancel: Callable[[], bool],
) -> list["Outcome"]:
    """Problem by problem, method by method; Ctrl-C keeps what is complete."""
    from engine import load_scene
    from engine.benchmarks.base import run_benchmark
    from engine.solvers.catalogue import find_method
    from engine.solvers.method_patterns import option_choices, select_methods

    methods = select_methods(options.methods.split(",")) if options.methods else None
    values = parse_options(options.method_options)
    outcomes: list[Outcome] = []
    for benchmark in chosen:
        scene = load_scene(scene_paths()[benchmark.scene])
        chosen_methods = methods or [find_method(scene.simulation.method)]
        choices = option_choices(chosen_methods, values)
        variants = [(method.name, given) for method in chosen_methods for given in choices[method.name]]
        for method, given in variants:
            runs = [
                run_benchmark(
                    benchmark,
                    scene,
                    method=method,
                    dt=options.dt,
                    options=given,
                    progress=progress,
                    cancel=cancel,
                )
                for _ in range(options.repeat)
                if not cancel()
            ]
            if cancel():
                return outcomes
            outcomes.append(min(runs, key=lambda run: run.time))
    return outcomes


def _facts(benchmark: "Benchmark") -> dict[str, object]:
    return {
        "name": benchmark.name,
        "title": benchmark.title,
        "scene": benchmark.scene,
        "measure": benchmark.summary,
        "unit": benchmark.unit,
        "limit": benchmark.limit,
        "published": [
            {
                "code": result.code,
                "dt": result.step,
                "error": result.error,
                "below": result.below,
                "wall_time": result.time,
                "machine": result.machine,
            }
            for result in benchmark.published
        ],
    }


def _show(outcomes: Sequence["Outcome"]) -> None:
    for benchmark, group in groupby(outcomes, key=lambda outcome: outcome.benchmark):
        write_line(f"{benchmark.name}  {benchmark.title} (scene {benchmark.scene})")
        write_line(f"{benchmark.summary}; limit {benchmark.limit:g} {benchmark.unit}".rstrip())
        write_table(HEADINGS, [*[_row(outcome) for outcome in group], *_published(benchmark)])
        write_line()


def _row(outcome: "Outcome") -> list[str]:
    return [
        outcome.method.name,
        f"{outcome.dt:g}",
        "–" if math.isnan(outcome.error) else f"{outcome.error:.2e}",
        outcome.judgement,
        f"{outcome.iterations:.2f}" if outcome.iterations else "–",
        f"{outcome.time:.3f}",
        "" if outcome.status == "finished" else f"{outcome.status}: {_first_line(outcome.message)}",
    ]


def _first_line(text: str) -> str:
    return " ".join(text.split())[:120]


def _published(benchmark: "Benchmark") -> list[list[str]]:
    return [
        [
            f"  published: {result.code}",
            result.step,
            f"< {result.error:.2e}" if result.below else f"{result.error:.2e}",
            "pass" if result.below or result.error < benchmark.limit else "fail",
            "",
            "" if result.time is None else f"{result.time:.3f}",
            result.machine,
        ]
        for result in benchmark.published
    ]


def _save(outcomes: Sequence["Outcome"], file: Path) -> None:
    from engine.results.files.whole_file import whole, write_whole

    rows = [outcome.to_dict() for outcome in outcomes]
    match file.suffix.lower():
        case ".json":
            write_whole(file, json.dumps(rows, indent=2, ensure_ascii=False) + "\n")
        case ".csv":
            with whole(file) as temporary, temporary.open("w", encoding="utf-8", newline="") as stream:
                writer = csv.DictWriter(stream, list(rows[0]) if rows else [])
                writer.writeheader()
                writer.writerows(rows)
        case ".html":
            from engine.benchmarks.results_page import results_page

            problems = list({outcome.benchmark.name: outcome.benchmark for outcome in outcomes}.values())
            write_whole(file, results_page(problems, rows))
        case _:
            write_whole(file, _markdown(outcomes))


def _markdown(outcomes: Sequence["Outcome"]) -> str:
    """Of one method everything; of several the errors, methods down, problems across, failures in italics."""
    methods = list(dict.fromkeys(outcome.method.name for outcome in outcomes))
    if len(methods) <= 1:
        return _listed(outcomes)
    problems = list({outcome.benchmark.name: outcome.benchmark for outcome in outcomes}.values())
    found = {(outcome.method.name, outcome.benchmark.name): outcome for outcome in outcomes}
    heads = [f"{problem.name}, {problem.limit:g} {problem.unit}".strip() for problem in problems]
    lines = [f"| method | {' | '.join(heads)} | met |", f"|---|{'---|' * len(heads)}---|"]
    for method in methods:
        row = [found.get((method, problem.name)) for problem in problems]
        cells = ["" if outcome is None else _cell(outcome) for outcome in row]
        met = sum(outcome is not None and outcome.passed for outcome in row)
        lines.append(f"| `{method}` | {' | '.join(cells)} | {met} |")
    return "\n".join([*lines, *_reasons(outcomes)]) + "\n"


def _reasons(outcomes: Sequence["Outcome"]) -> list[str]:
    """Why runs were refused or broke off, each reason once."""
    found: dict[str, list[str]] = {}
    for outcome in outcomes:
        if math.isnan(outcome.error):
            text = " ".join(outcome.message.split())
            found.setdefault(text, []).append(f"`{outcome.method.name}` on {outcome.benchmark.name}")
    return ["", *(f"- {', '.join(runs)}: {text}" for text, runs in found.items())] if found else []


def _cell(outcome: "Outcome") -> str:
    if math.isnan(outcome.error):
        return f"*{outcome.status.replace('_', ' ')}*"
    return f"{outcome.error:.1e}" if outcome.passed else f"*{outcome.error:.1e}*"


def _listed(outcomes: Sequence["Outcome"]) -> str:
    lines = [
        "| problem | limit | method | step [s] | error | met | iterations/step | time [s] |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for outcome in outcomes:
        name, step, error, _, iterations, time, _ = _row(outcome)
        limit = f"{outcome.benchmark.limit:g} {outcome.benchmark.unit}".strip()
        title = f"{outcome.benchmark.name} {outcome.benchmark.title}"
        met = "yes" if outcome.passed else "**no**"
        lines.append(f"| {title} | {limit} | `{name}` | {step} | {error} | {met} | {iterations} | {time} |")
    return "\n".join(lines) + "\n"


COMMAND = Command(
    name="bench",
    summary="run the benchmark problems; show error, verdict and time beside published results",
    configure=_configure,
    execute=_execute,
)
