"""`trammel sweep STUDY`, `trammel sweep SCENE --vary …`: many runs of one scene with other values."""

import argparse
import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from app.cli.arguments.changed_scene import changed_scene
from app.cli.arguments.mesh_files import check_meshes
from app.cli.arguments.set_argument import add_set, parse_setting
from app.cli.arguments.vary_argument import study_of
from app.cli.base import Command
from app.cli.failure import FAILED, INTERRUPTED
from app.cli.interrupt import cancel_on_interrupt
from app.cli.output import format_cell, write_facts, write_json, write_line, write_table
from app.cli.progress import ProgressBar
from app.platform.resources import find_scene
from app.platform.user_error import InputError

if TYPE_CHECKING:
    from engine.studies.outcomes.table import Table
    from engine.studies.running.place import Place
    from engine.studies.sensitivity.derivatives import Sensitivities
    from engine.studies.sensitivity.sobol_indices import SobolIndices
    from engine.studies.study import Study

ENDING = ".study.json"
STORE = ".sqlite"
FORMATS = ("csv", "h5", "parquet")
SHOWN = 20  # rows in a terminal; files have all


def _configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "study",
        metavar="STUDY|SCENE",
        help=f"study file, NAME{ENDING}; with --vary a scene, a file or the name of a shipped one",
    )
    parser.add_argument(
        "--vary",
        action="append",
        default=[],
        metavar="PATH=FROM:TO:N",
        help="vary a value of the scene, or PATH=VALUE,VALUE,…; several of them: all combinations are run",
    )
    parser.add_argument(
        "--probe",
        action="append",
        default=[],
        metavar="[HOW:]CHANNEL",
        help="with --vary: what is asked of each run, its value at the end, or HOW (max, min, range, mean, "
        "rms, time) of a channel or an expression of channels; may be repeated",
    )
    add_set(parser, "with --vary: change the scene first")
    parser.add_argument(
        "--workers",
        type=_count,
        metavar="N",
        help="processes; default: one per processor, 0: none but this one",
    )
    parser.add_argument(
        "-o",
        "--out",
        type=Path,
        metavar="FILE",
        help=f"where rows are kept; what is there is not run again; default: NAME{STORE} beside the study",
    )
    parser.add_argument(
        "--export",
        action="append",
        default=[],
        choices=FORMATS,
        help="write the table beside the rows too; may be repeated (parquet: needs the extra of that name)",
    )
    asked = parser.add_mutually_exclusive_group()
    asked.add_argument(
        "--sensitivity",
        nargs="?",
        const="differences",
        choices=("differences", "direct"),
        help="instead of the design: derivatives of the objectives at the values of the scene, by "
        "differences with errors, or direct from one run",
    )
    asked.add_argument(
        "--sobol",
        type=_count,
        metavar="N",
        help="instead of the design: shares of the variance (Sobol) from N·(variables + 2) runs, N = 2^k",
    )
    parser.add_argument("--retry", action="store_true", help="run again what failed before")
    cluster = parser.add_mutually_exclusive_group()
    cluster.add_argument("--scheduler", metavar="ADDRESS", help="of a Dask cluster, tcp://HOST:8786")
    cluster.add_argument(
        "--scheduler-file", metavar="FILE", help="that the scheduler of a Dask cluster wrote"
    )


def _count(text: str) -> int:
    if not text.isdigit():
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number")
    return int(text)


def _execute(options: argparse.Namespace) -> int:
    from engine.missing_extra import MissingExtra
    from engine.studies.outcomes.exports import EXPORTS
    from engine.studies.running.batch import OtherVersion  # heavy: Numba

    study, default_store = _asked_for(options)
    store: Path = options.out or default_store
    for name in options.export:
        if store.with_suffix(f".{name}") == store:
            raise InputError(
                f"--export {name} would be written over the rows in {store}",
                remedy=f"use --out {store.stem}{STORE}",
            )
    answer: Sensitivities | SobolIndices | None = None
    try:
        for name in options.export:
            EXPORTS[name].require()
        with ProgressBar() as progress, cancel_on_interrupt() as cancel, _place(options) as place:
            running: dict[str, Any] = {
                "store": store,
                "workers": options.workers,
                "place": place,
                "retry": options.retry,
                "progress": progress,
                "cancel": cancel,
            }
            if options.sensitivity:
                answer = study.sensitivities(direct=options.sensitivity == "direct", **running)
            elif options.sobol is not None:
                answer = study.sobol_indices(options.sobol, **running)
            table = study.run(**running) if answer is None else answer.table
    except MissingExtra as error:
        raise InputError(error.message, remedy=error.remedy) from None
    except OtherVersion as error:
        raise InputError(str(error), remedy="start its workers again") from None
    files = [store.with_suffix(f".{name}") for name in options.export]
    for file in files:
        table.save(file)
    _report(table, store, files, answer, as_json=options.json)
    if not table.complete:
        return INTERRUPTED
    return FAILED if len(table.failed) == len(table) else 0


def _asked_for(options: argparse.Namespace) -> "tuple[Study, Path]":
    """The study, and where its rows are kept: beside its file, or where one stands for a scene."""
    from engine.studies.study_file import read_study

    if options.vary:
        path = find_scene(options.study)
        scene = changed_scene(path, [parse_setting(text) for text in options.settings])
        return study_of(scene, options.vary, options.probe), Path(f"{path.stem}{STORE}")
    path = Path(options.study)
    if options.probe or options.settings or not _is_study(path):
        raise InputError(
            f"{options.study}: a scene is swept over values that vary, and none is named",
            remedy="name some, such as --vary parameters.L1=0.2:0.4:5, or give a study file",
        )
    study, folder = read_study(path, find_scene)
    check_meshes(study.scene, path, folder)
    return study, _store_beside(path)


def _is_study(path: Path) -> bool:
    """As far as its name tells: a missing file is told as one."""
    return path.name.endswith(ENDING) or path.is_file()


def _store_beside(study: Path) -> Path:
    name = study.name.removesuffix(ENDING) if study.name.endswith(ENDING) else study.stem
    return study.with_name(name + STORE)


@contextlib.contextmanager
def _place(options: argparse.Namespace) -> Iterator["Place | None"]:
    """The cluster that was named; None for processes of this machine."""
    if options.scheduler is None and options.scheduler_file is None:
        yield None
        return
    from engine.studies.running.dask_cluster import dask_cluster

    with dask_cluster(address=options.scheduler, scheduler_file=options.scheduler_file) as place:
        yield place


def _report(
    table: "Table",
    store: Path,
    files: list[Path],
    answer: "Sensitivities | SobolIndices | None",
    *,
    as_json: bool,
) -> None:
    facts: dict[str, Any] = {
        "study": table.title,
        "runs": len(table),
        "planned": table.planned,
        "failed": len(table.failed),
        "store": str(store),
    }
    found = (
        [] if answer is None else [dict(zip(answer.HEADINGS, line, strict=True)) for line in answer.lines()]
    )
    if as_json:
        content = {**facts, "files": [str(file) for file in files], "rows": list(table)}
        write_json(content if answer is None else {**content, "sensitivity": found})
        return
    if answer is not None:
        write_table(answer.HEADINGS, [[format_cell(cell) for cell in line] for line in answer.lines()])
        write_line()
        write_facts(facts)
        return
    names = (*table.variables, *table.objectives, "status", "message")
    lines = [
        [format_cell(line[name]) for name in names] for line, _ in zip(table, range(SHOWN), strict=False)
    ]
    write_table(names, lines)
    if len(table) > SHOWN:
        write_line(f"… {len(table) - SHOWN} more rows; --export csv writes all of them")
    write_line()
    write_facts(facts)
    for file in files:
        write_line(f"saved {file}")
    if not table.complete:
        write_line("stopped; the same command goes on with what is missing")


COMMAND = Command(
    name="sweep",
    summary="run one scene with many values, by --vary or a study file, on all processors or a cluster",
    configure=_configure,
    execute=_execute,
)
