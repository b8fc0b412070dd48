"""`trammel bench --scaling`: time per step and set-up over size, with the exponents that fit them."""

import argparse
import csv
import io
import json
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from app.cli.failure import end_of
from app.cli.interrupt import cancel_on_interrupt
from app.cli.output import write_json, write_line, write_table
from app.cli.progress import ProgressBar
from app.platform.user_error import InputError

if TYPE_CHECKING:
    from engine.benchmarks.cost_over_size import Family, Timing

SET_UP = "set-up"


def run_scaling(options: argparse.Namespace) -> int:
    """Measure, show, save; Ctrl-C keeps what is complete."""
    from engine.benchmarks.cost_over_size import FAMILIES, measure
    from engine.solvers.method_patterns import select_methods

    names = {family.name: family for family in FAMILIES}
    for name in options.names:
        if name not in names:
            raise InputError(f"there is no family {name!r}", remedy=f"use one of: {', '.join(names)}")
    families = [names[name] for name in options.names] or list(FAMILIES)
    methods = select_methods((options.methods or "all").split(","))
    found: list[Timing] = []
    with ProgressBar() as progress, cancel_on_interrupt() as cancel:
        for family in families:
            sizes = options.sizes or family.sizes
            expected = len(sizes) * (len(methods) + 1)
            for number, timing in enumerate(measure(family, methods, sizes, options.seconds)):
                found.append(timing)
                progress((number + 1) / expected, f"{timing.size} {family.unit}: {timing.method or SET_UP}")
                if cancel():
                    break
            if cancel():
                break
        stopped = cancel()
    if options.out:
        _save(families, found, options)
    if options.plot:
        _draw(families, found, options)
    if options.json:
        write_json({"timings": [vars(timing) for timing in found], "stopped": stopped})
    else:
        for family in families:
            write_line(f"{family.title}: µs per step, ms of the set-up (processor time)")
            write_table(*_table(family, found))
            write_line()
    return end_of(stopped=stopped)


def parse_sizes(text: str) -> tuple[int, ...]:
    """Sizes as `5,20,80`; raises argparse's error for anything else."""
    try:
        sizes = tuple(sorted({int(part) for part in text.split(",")}))
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is no list of sizes; write 5,20,80") from None
    if sizes[0] < 1:
        raise argparse.ArgumentTypeError("sizes begin at 1")
    return sizes


def _table(family: "Family", found: Sequence["Timing"]) -> tuple[list[str], list[list[str]]]:
    """Headings and rows: one per method, with a fitted exponent; the set-up first."""
    from engine.benchmarks.cost_over_size import exponent

    own = [timing for timing in found if timing.family == family.name]
    sizes = sorted({timing.size for timing in own})
    rows = []
    for method in dict.fromkeys(timing.method for timing in own):
        timings = [timing for timing in own if timing.method == method]
        by_size = {timing.size: timing.seconds for timing in timings}
        scale = 1e6 if method else 1e3
        slope = exponent(family, timings)
        rows.append(
            [
                method or f"{SET_UP} [ms]",
                *(_cell(scale * by_size.get(size, math.nan)) for size in sizes),
                "–" if math.isnan(slope) else f"{slope:.2f}",
            ]
        )
    return ["method", *(f"{size} {family.unit}" for size in sizes), "exponent"], rows


def _cell(value: float) -> str:
    return "–" if math.isnan(value) else f"{value:.0f}"


def _draw(families: Sequence["Family"], found: Sequence["Timing"], options: argparse.Namespace) -> None:
    """Time per step over size; two families at most."""
    from app.cli.pictures.plot_page import Series, save_double_logarithmic

    plots = []
    for family in families[:2]:
        own = [timing for timing in found if timing.family == family.name and math.isfinite(timing.seconds)]
        lines = [
            Series(
                method,
                [timing.size for timing in own if timing.method == method],
                [timing.seconds for timing in own if timing.method == method],
            )
            for method in dict.fromkeys(timing.method for timing in own if timing.method)
        ]
        plots.append((family.title, f"{family.unit}", "processor time per step [s]", lines))
    save_double_logarithmic(plots, options.plot)


def _save(families: Sequence["Family"], found: Sequence["Timing"], options: argparse.Namespace) -> None:
    from engine.results.files.whole_file import write_whole

    rows = [vars(timing) for timing in found]
    match options.out.suffix.lower():
        case ".json":
            text = json.dumps(rows, indent=2) + "\n"
        case ".csv":
            stream = io.StringIO()
            writer = csv.DictWriter(stream, ["family", "method", "size", "seconds"])
            writer.writeheader()
            writer.writerows(rows)
            text = stream.getvalue()
        case _:
            parts = []
            for family in families:
                headings, lines = _table(family, found)
                parts.append(f"{family.title}, µs per step:\n")
                parts += [f"| {' | '.join(cells)} |" for cells in (headings, ["---"] * len(headings), *lines)]
                parts.append("")
            text = "\n".join(parts)
    write_whole(options.out, text)
