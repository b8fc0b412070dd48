"""`trammel compare SCENE --methods A,B,…`: the same mechanism with many methods and steps."""

import argparse
import csv
import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

from app.cli.arguments.changed_scene import changed_scene
from app.cli.arguments.set_argument import add_method_options, add_set, parse_options, parse_setting
from app.cli.arguments.time_argument import positive_seconds
from app.cli.base import Command
from app.cli.failure import end_of
from app.cli.interrupt import cancel_on_interrupt
from app.cli.output import write_json, write_line, write_table
from app.cli.progress import ProgressBar
from app.platform.resources import find_scene, scene_argument
from app.platform.user_error import InputError

if TYPE_CHECKING:
    from engine.benchmarks.comparison import Comparison, Run

HEADINGS = (
    "method",
    "step/tol",
    "position [m]",
    "rotation [rad]",
    "energy [J]",
    "violation",
    "total error",
    "time [s]",
    "evaluations",
    "iterations/step",
    "diverged [s]",
    "remark",
)


def _configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("scene", metavar="SCENE", help="scene file, or name of a shipped scene")
    parser.add_argument(
        "--methods", required=True, metavar="A,B,…", help="names or patterns of methods, or `all`"
    )
    parser.add_argument(
        "--dts", type=_numbers, default=[], metavar="S,S,…", help="steps [s]; default: the scene's"
    )
    parser.add_argument(
        "--tolerances",
        type=_numbers,
        metavar="E,E,…",
        help="of adaptive methods; default: 1e-4,1e-6,1e-8,1e-10",
    )
    add_method_options(parser)
    parser.add_argument(
        "--channel",
        action="append",
        default=[],
        dest="channels",
        metavar="C",
        help="tell the total error of this channel against the reference; may be repeated",
    )
    parser.add_argument("--duration", type=positive_seconds, metavar="S", help="default: the scene's")
    add_set(parser, "change the scene, for instance parameters.L1=0.3")
    parser.add_argument(
        "-o",
        "--out",
        type=Path,
        metavar="FOLDER",
        help="save table, histories and plots there; it is made if missing",
    )


def _numbers(text: str) -> list[float]:
    return [positive_seconds(part) for part in text.split(",")]


def _execute(options: argparse.Namespace) -> int:
    settings = [parse_setting(text) for text in options.settings]
    values = parse_options(options.method_options)
    if options.out and options.out.exists() and not options.out.is_dir():
        raise InputError(f"--out {options.out} is a file", remedy="name a folder")
    path = find_scene(options.scene)
    from engine.benchmarks.comparison import TOLERANCES, compare  # heavy: Numba
    from engine.solvers.method_patterns import select_methods

    methods = [method.name for method in select_methods(options.methods.split(","))]
    scene = changed_scene(path, settings)
    with ProgressBar() as progress, cancel_on_interrupt() as cancel:
        found = compare(
            scene,
            methods,
            dts=options.dts,
            tolerances=options.tolerances or TOLERANCES,
            duration=options.duration,
            options=values,
            channels=options.channels,
            progress=progress,
            cancel=cancel,
        )
        stopped = cancel()
    files = _save(found, scene.title, options.out) if options.out and found.runs else []
    if options.json:
        write_json({"scene": scene_argument(path), **_facts(found), "files": [str(file) for file in files]})
    else:
        _show(found, files)
    return end_of(stopped=stopped)


def _facts(found: "Comparison") -> dict[str, Any]:
    return {
        "duration": found.duration,
        "divergence_threshold": found.threshold,
        "runs": [run.to_dict() for run in found.runs],
        "observed_order": {method.name: found.observed_order(method) for method in found.methods},
    }


def _show(found: "Comparison", files: list[Path]) -> None:
    if found.runs:
        write_table(HEADINGS, [_row(run) for run in found.runs])
        write_line(f"diverged: further than {found.threshold:.2g} m from the reference, or broken off")
    for method in found.methods:
        order = found.observed_order(method)
        if not math.isnan(order):
            write_line(f"{method.name}: observed order {order:.2f}, stated {method.order}")
    for file in files:
        write_line(f"saved {file}")


def _row(run: "Run") -> list[str]:
    facts = run.to_dict()
    numbers = (
        "position_error",
        "rotation_error",
        "energy_error_max",
        "violation_position_max",
        "total_error",
    )
    return [
        run.method.name,
        f"{run.step:g}",
        *("–" if math.isnan(facts[name]) else f"{facts[name]:.2e}" for name in numbers),
        f"{run.time:.3f}",
        str(run.evaluations),
        f"{run.iterations:.2f}" if run.iterations else "–",
        "–" if run.diverged is None else f"{run.diverged:.4g}",
        "" if run.believed else f"{run.status}: {' '.join(run.message.split())[:100]}",
    ]


def _save(found: "Comparison", title: str, folder: Path) -> list[Path]:
    from app.cli.pictures.comparison_plots import save_plots

    folder.mkdir(parents=True, exist_ok=True)
    table, histories = folder / "comparison.csv", folder / "histories.csv"
    rows = [{"step_or_tolerance": run.step, **run.to_dict()} for run in found.runs]
    for row in rows:
        row.pop("dt", None)
        row.pop("tolerance", None)
    _write_csv(table, list(rows[0]), [list(row.values()) for row in rows])
    columns = ["method", "step_or_tolerance", "t", "energy_error", "violation_position", "violation_velocity"]
    lines = [
        [run.method.name, run.step, *values]
        for run in found.runs
        for values in zip(run.t, run.energy, run.violation, run.violation_rate, strict=True)
    ]
    _write_csv(histories, columns, lines)
    return [table, histories, *save_plots(found, title, folder)]


def _write_csv(file: Path, columns: list[str], rows: list[list[Any]]) -> None:
    from engine.results.files.whole_file import whole  # an error then names the file

    with whole(file) as temporary, temporary.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow(columns)
        writer.writerows(rows)


COMMAND = Command(
    name="compare",
    summary="run one scene with many methods and steps; show errors, drift, cost and divergence",
    configure=_configure,
    execute=_execute,
)
