"""`trammel bench --peers`: the same problems in other programs, work against precision, steps of chains."""

import argparse
import json
import math
import sys
from typing import TYPE_CHECKING, Any

from app.cli.failure import end_of
from app.cli.interrupt import cancel_on_interrupt
from app.cli.output import write_json, write_line, write_table
from app.cli.progress import ProgressBar
from app.platform.resources import scene_paths
from app.platform.user_error import InputError

if TYPE_CHECKING:
    from engine.benchmarks.peers.work_precision import ChainSteps, Run

CHAINS = "chains"
SIZES = (10, 25, 50, 100, 200, 400)


def run_peers(options: argparse.Namespace) -> int:
    """Measure, show, save; what is not installed is named."""
    from engine.benchmarks.peers.problems import PROBLEMS
    from engine.benchmarks.peers.work_precision import chains, compare

    known = {problem.name: problem for problem in PROBLEMS}
    for name in options.names:
        if name not in known and name != CHAINS:
            raise InputError(
                f"there is no problem {name!r}", remedy=f"use one of: {', '.join((*known, CHAINS))}"
            )
    chosen = [problem for name, problem in known.items() if not options.names or name in options.names]
    python = options.python or sys.executable
    found: dict[str, list[Run]] = {}
    missing: list[str] = []
    steps: list[ChainSteps] = []
    with ProgressBar() as progress, cancel_on_interrupt() as cancel:
        for number, problem in enumerate(chosen):
            progress(number / (len(chosen) + 1), problem.title)
            found[problem.title], why = compare(problem, python, options.seconds, scene_paths())
            missing += [why] if why else []
            if cancel():
                break
        if not cancel() and (not options.names or CHAINS in options.names):
            progress(len(chosen) / (len(chosen) + 1), "open chains")
            steps, why = chains(options.sizes or SIZES, python)
            missing += [why] if why else []
        stopped = cancel()
    tables = [_precision(found), _chains(steps)]
    if options.out:
        _save(found, steps, tables, options)
    if options.plot:
        _draw(found, options)
    if options.json:
        write_json(_facts(found, steps) | {"missing": list(dict.fromkeys(missing)), "stopped": stopped})
    else:
        for title, headings, rows in tables:
            if rows:
                write_line(title)
                write_table(headings, rows)
                write_line()
        for why in dict.fromkeys(missing):
            write_line(f"remark: {why}")
    return end_of(stopped=stopped)


Titled = tuple[str, list[str], list[list[str]]]


def _precision(found: dict[str, list["Run"]]) -> Titled:
    """Milliseconds at equal errors, and our share."""
    from engine.benchmarks.peers.work_precision import ERRORS, HERE, at_error

    rows = []
    for title, runs in found.items():
        ours = [run for run in runs if run.program == HERE]
        others = [run for run in runs if run.program != HERE]
        cells = [title]
        for error in ERRORS:
            a, b = at_error(ours, error), at_error(others, error)
            cells += [_number(1e3 * a), _number(1e3 * b), _number(a / b)]
        rows.append(cells)
    headings = ["problem"]
    for error in ERRORS:
        headings += [f"{error:.0e} m: here [ms]", "Exudyn [ms]", "share"]
    return "Time of a run at equal errors (processor time, without set-up)", headings, rows


def _chains(steps: list["ChainSteps"]) -> Titled:
    rows = [
        [
            str(item.bars),
            _number(1e6 * item.by_joints),
            _number(1e6 * item.in_space),
            _number(1e6 * item.in_plane),
            _number(1e6 * item.mujoco),
            _number(item.by_joints / item.mujoco),
            _number(item.in_space / item.mujoco),
            _number(item.in_plane / item.mujoco),
            _number(item.apart),
        ]
        for item in steps
    ]
    headings = [
        "bars",
        "here, joint by joint [µs]",
        "with rows [µs]",
        "in the plane [µs]",
        "MuJoCo [µs]",
        "share joint by joint",
        "with rows",
        "in the plane",
        "apart after 50 ms [m]",
    ]
    return "A step of RK4 on open chains", headings, rows


def _number(value: float) -> str:
    return "–" if not math.isfinite(value) else f"{value:.3g}"


def _facts(found: dict[str, list["Run"]], steps: list["ChainSteps"]) -> dict[str, Any]:
    return {
        "problems": {title: [vars(run) for run in runs] for title, runs in found.items()},
        "chains": [vars(item) for item in steps],
    }


def _save(
    found: dict[str, list["Run"]],
    steps: list["ChainSteps"],
    tables: list[Titled],
    options: argparse.Namespace,
) -> None:
    from engine.results.files.whole_file import write_whole

    if options.out.suffix.lower() == ".json":
        write_whole(options.out, json.dumps(_facts(found, steps), indent=2) + "\n")
        return
    if options.out.suffix.lower() == ".csv":
        lines = [["problem", "program", "settings", "steps", "seconds", "error"]]
        lines += [
            [title, run.program, run.settings, str(run.steps), repr(run.seconds), repr(run.error)]
            for title, runs in found.items()
            for run in runs
        ]
        write_whole(options.out, "".join(",".join(f'"{cell}"' for cell in line) + "\n" for line in lines))
        return
    parts = []
    for title, headings, rows in tables:
        if rows:
            parts.append(f"{title}:\n")
            parts += [f"| {' | '.join(cells)} |" for cells in (headings, ["---"] * len(headings), *rows)]
            parts.append("")
    write_whole(options.out, "\n".join(parts))


def _draw(found: dict[str, list["Run"]], options: argparse.Namespace) -> None:
    """Error over time, a plot for each problem."""
    from app.cli.pictures.plot_page import Series, save_double_logarithmic

    plots = []
    for title in found:
        lines = []
        for program in dict.fromkeys(run.program for run in found[title]):
            best: list[Run] = []  # runs that no cheaper one beats
            for run in sorted(found[title], key=lambda run: run.seconds):
                if run.program == program and 0.0 < run.error < (best[-1].error if best else math.inf):
                    best.append(run)
            lines.append(Series(program, [run.seconds for run in best], [run.error for run in best]))
        plots.append((title, "time of the steps [s]", "error [m]", lines))
    if plots:
        save_double_logarithmic(plots, options.plot)
