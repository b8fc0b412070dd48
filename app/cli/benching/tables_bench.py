"""`trammel bench --tables`: figures as the source works print them, beside ours."""

import argparse
import csv
import io
import json
import math
from collections.abc import Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from app.cli.failure import end_of
from app.cli.interrupt import cancel_on_interrupt
from app.cli.output import write_json, write_line, write_table
from app.cli.progress import ProgressBar
from app.platform.resources import scene_paths
from app.platform.user_error import InputError

if TYPE_CHECKING:
    from engine.benchmarks.printed.base import Compared

HEADINGS = ["figure", "printed", "ours", "ours/printed", "remark"]


def run_tables(options: argparse.Namespace) -> int:
    """Compute, show, save; Ctrl-C keeps what is complete."""
    from engine import load_scene
    from engine.benchmarks.printed import TABLES
    from engine.benchmarks.printed.base import compare_figures

    for name in options.names:
        if name not in TABLES:
            raise InputError(f"there is no table {name!r}", remedy=f"use one of: {', '.join(TABLES.names)}")
    chosen = [TABLES[name] for name in options.names] or list(TABLES)
    expected = sum(len(table.figures) for table in chosen)
    found: list[Compared] = []
    with ProgressBar() as progress, cancel_on_interrupt() as cancel:
        for table in chosen:
            progress(len(found) / expected, table.title)
            for compared in compare_figures(table, lambda name: load_scene(scene_paths()[name]), cancel):
                found.append(compared)
                progress(len(found) / expected, table.title)
            if cancel():
                break
        stopped = cancel()
    if options.out:
        _save(found, options)
    if options.json:
        write_json({"figures": [compared.to_dict() for compared in found], "stopped": stopped})
    else:
        for table, group in groupby(found, key=lambda compared: compared.table):
            write_line(f"{table.title} {table.source}, in {table.unit or 'no unit'}; `{table.name}`")
            write_table(HEADINGS, [_row(compared) for compared in group])
            write_line()
    return end_of(stopped=stopped)


def _row(compared: "Compared") -> list[str]:
    return [
        compared.figure.label,
        f"{compared.figure.printed:.6g}",
        _number(compared.ours, ".4g"),
        _number(compared.ratio, ".3g"),
        compared.message or compared.figure.reason,
    ]


def _number(value: float, form: str) -> str:
    return "–" if math.isnan(value) else format(value, form)


def _save(found: Sequence["Compared"], options: argparse.Namespace) -> None:
    from engine.results.files.whole_file import write_whole

    rows = [compared.to_dict() for compared in found]
    match options.out.suffix.lower():
        case ".json":
            text = json.dumps(rows, indent=2, ensure_ascii=False) + "\n"
        case ".csv":
            stream = io.StringIO()
            writer = csv.DictWriter(stream, list(rows[0]) if rows else [], lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)
            text = stream.getvalue()
        case ".md":
            text = _markdown(found)
        case ending:
            raise InputError(f"--out {options.out}: no {ending} here", remedy="use .md, .csv or .json")
    write_whole(options.out, text)


def _markdown(found: Sequence["Compared"]) -> str:
    lines = ["| source | figure | printed | ours | ours/printed | why |", "|---|---|---|---|---|---|"]
    for compared in found:
        table, (label, printed, ours, ratio, why) = compared.table, _row(compared)
        lines.append(
            f"| {table.source} | {table.title}: {label} | {printed} {table.unit} | {ours} | {ratio} | {why} |"
        )
    return "\n".join(lines) + "\n"
