"""`trammel optimise STUDY`: the best values of a study's variables, or those that fit measured data."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from app.cli.arguments.mesh_files import check_meshes
from app.cli.base import Command
from app.cli.failure import FAILED, INTERRUPTED
from app.cli.interrupt import cancel_on_interrupt
from app.cli.output import format_cell, write_facts, write_json, write_line, write_table
from app.cli.progress import ProgressBar
from app.cli.simulated_run import check_file, check_other_file
from app.platform.resources import find_scene
from app.platform.user_error import InputError

if TYPE_CHECKING:
    from engine import Study
    from engine.studies.optimisation.optimise import Optimum

SEARCHES = ("nelder_mead", "least_squares", "differential_evolution", "optuna")
PICTURES = (".png", ".svg")


def _configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("study", type=Path, metavar="STUDY", help="study file with a goal, NAME.study.json")
    parser.add_argument(
        "--search",
        choices=SEARCHES,
        default="nelder_mead",
        help="how to search (optuna: needs the extra optimise); default: nelder_mead",
    )
    parser.add_argument(
        "--budget", type=_count, default=500, metavar="N", help="at most so many runs; default: 500"
    )
    parser.add_argument(
        "--seed", type=_count, default=0, metavar="N", help="of searches that draw; default: 0"
    )
    parser.add_argument("--workers", type=_count, metavar="N", help="processes; 0: none but this one")
    parser.add_argument(
        "--fit",
        action="append",
        default=[],
        metavar="EXPRESSION=FILE",
        help="targets from measured values: a table (.csv) of t and values; may be repeated",
    )
    parser.add_argument(
        "--store", type=Path, metavar="FILE", help="keep all runs here; what is there is not run again"
    )
    parser.add_argument(
        "-o", "--out", type=Path, metavar="SCENE.json", help="save the scene with the best values"
    )
    parser.add_argument(
        "--plot", type=Path, metavar="FILE", help=f"draw the cost over the runs: {' '.join(PICTURES)}"
    )


def _count(text: str) -> int:
    if not text.isdigit():
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number")
    return int(text)


def _execute(options: argparse.Namespace) -> int:
    if options.out:
        check_file(options.out, (".json",))
        check_other_file(options.out, options.study)
    if options.plot:
        check_file(options.plot, PICTURES, "--plot")
    from engine import save_scene  # heavy: Numba
    from engine.missing_extra import MissingExtra
    from engine.studies.study_file import read_study

    study, folder = read_study(options.study, find_scene)
    check_meshes(study.scene, options.study, folder)
    for text in options.fit:
        study = _fitted(study, text)
    try:
        with ProgressBar() as progress, cancel_on_interrupt() as cancel:
            found = study.optimise(
                options.search,
                budget=options.budget,
                seed=options.seed,
                store=options.store,
                workers=options.workers,
                watch=lambda standing: progress(min(1.0, standing.tried / standing.budget), standing.words),
                cancel=cancel,
            )
    except MissingExtra as error:
        raise InputError(error.message, remedy=error.remedy) from None
    if options.out and found.best is not None:
        save_scene(found.scene, options.out)
    if options.plot and found.costs:
        _draw(found, options.plot)
    _report(found, options)
    if found.end == "stopped":
        return INTERRUPTED
    return 0 if found.best is not None else FAILED


def _fitted(study: "Study", text: str) -> "Study":
    """The study with the values of a table as targets."""
    from engine import read_table
    from engine.model.files.text_table import TableError

    expression, equals, name = text.rpartition("=")
    if not (expression and equals and name):
        remedy = "write for instance --fit joint.pin.angle=measured.csv"
        raise InputError(f"--fit {text!r} is not EXPRESSION=FILE", remedy=remedy)
    file = Path(name)
    if not file.is_file():
        raise InputError(f"--fit: there is no file {file}", remedy="check the name")
    try:
        table = read_table(file)
        t = table.instants()
    except TableError as error:
        raise InputError(f"--fit: {file}: {error}", remedy="mend the table, or leave the line out") from None
    if len(table.headings) < 2:
        raise InputError(
            f"--fit: {file} has one column", remedy="write the instant and the value in each line"
        )
    return study.with_fit(expression, t, table.in_si(1)[0])


def _draw(found: "Optimum", file: Path) -> None:
    from app.platform.application import application  # heavy: Qt
    from app.widgets.charts.chart_picture import save_charts
    from engine.studies.optimisation.cost_chart import cost_chart

    application(offscreen=True)
    save_charts([cost_chart(found.costs)], file)


def _report(found: "Optimum", options: argparse.Namespace) -> None:
    lines = found.lines()
    facts: dict[str, Any] = {
        "study": found.study.title,
        "search": found.search,
        "trials": len(found.tried),
        "allowed": sum(trial.allowed for trial in found.tried),
        "end": found.end,
    }
    if options.json:
        write_json(
            {
                **facts,
                "cost": None if found.best is None else found.best.cost,
                "values": {edit.path: edit.value for edit in found.edits},
                "costs": list(found.costs),
                "lines": [dict(zip(("name", "scene", "best"), line, strict=True)) for line in lines],
            }
        )
        return
    write_table(found.HEADINGS, [[format_cell(cell) for cell in line] for line in lines])
    write_line()
    write_facts(facts)
    if found.best is None:
        write_line(found.summary())
    elif options.out:
        write_line(f"saved {options.out}")


COMMAND = Command(
    name="optimise",
    summary="search the best values of a study, within bounds and limits, or fit them to data",
    configure=_configure,
    execute=_execute,
)
