"""Results on the published problems as one page to hand in: HTML that needs nothing else."""

from __future__ import annotations

import math
import platform
from collections.abc import Iterable, Sequence
from html import escape
from typing import Any

from engine.benchmarks.base import Benchmark, Published
from engine.results.files.formats.base import program

STYLE = """
body { font: 15px/1.5 sans-serif; color: #1c232b; max-width: 70em; margin: 2em auto; padding: 0 1em; }
h1 { margin-bottom: 0; } h2 { margin-top: 1.6em; border-bottom: 1px solid #ccd3da; }
table { border-collapse: collapse; width: 100%; }
td, th { padding: .2em .9em .2em 0; text-align: left; vertical-align: top; }
th { font-weight: 600; border-bottom: 1px solid #ccd3da; }
td.n { font-variant-numeric: tabular-nums; white-space: nowrap; }
.pass { color: #00734f; } .fail { color: #b3400a; } .muted, .published td { color: #66717d; }
"""
HEADINGS = ("Method", "Step [s]", "Error", "Verdict", "Time [s]", "Steps", "Remark")


def results_page(
    benchmarks: Iterable[Benchmark], rows: Sequence[dict[str, Any]], *, stopped: bool = False
) -> str:
    """The page; rows are outcomes as plain data."""
    by_problem = [
        (benchmark, [r for r in rows if r["benchmark"] == benchmark.name]) for benchmark in benchmarks
    ]
    met = sum(any(row["verdict"] == "pass" for row in found) for _, found in by_problem)
    passed = sum(row["verdict"] == "pass" for row in rows)
    machine = f"{platform.machine()}, {platform.system()}, Python {platform.python_version()}"
    note = " It was stopped before its end." if stopped else ""
    parts = "".join(_problem(benchmark, found) for benchmark, found in by_problem if found)
    return f"""<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>Test centre</title><style>{STYLE}</style></head><body>
<h1>Published problems of multibody dynamics</h1>
<p class="muted">{escape(program())}; {escape(machine)}</p>
<p>{met} of {len(by_problem)} problems are met by at least one method; {passed} of {len(rows)} runs
pass.{note} A run passes when the official measure of its problem is below the limit. Times are those of this
machine, without compiling; published times are their authors' own, on the machines named.</p>
{parts}
</body></html>
"""


def _problem(benchmark: Benchmark, rows: Sequence[dict[str, Any]]) -> str:
    head = "".join(f"<th>{escape(name)}</th>" for name in HEADINGS)
    limit = f"{benchmark.limit:g} {benchmark.unit}".strip()
    lines = "".join([*map(_row, rows), *(_published(benchmark, one) for one in benchmark.published)])
    return (
        f"<h2>{escape(benchmark.name)} {escape(benchmark.title)}</h2>"
        f"<p>{escape(benchmark.summary[:1].upper() + benchmark.summary[1:])}; limit {escape(limit)}. Scene "
        f"<code>{escape(benchmark.scene)}</code>.</p><table><tr>{head}</tr>{lines}</table>"
    )


def _row(row: dict[str, Any]) -> str:
    judgement = str(row["verdict"])
    note = "" if row["status"] == "finished" else f"{row['status']}: {first_line(str(row['message']))}"
    return _line(
        (
            f"<code>{escape(str(row['method']))}</code>",
            number(row["dt"], "g"),
            number(row["error"], ".2e"),
            f'<b class="{"pass" if judgement == "pass" else "fail"}">{escape(judgement)}</b>',
            number(row["wall_time"], ".3f"),
            str(row["steps"]),
            escape(note),
        )
    )


def _published(benchmark: Benchmark, one: Published) -> str:
    error = f"{'< ' if one.below else ''}{one.error:.2e}"
    judgement = "pass" if one.below or one.error < benchmark.limit else "fail"
    time = "" if one.time is None else f"{one.time:g}"
    cells = (
        f"published: {escape(one.code)}",
        escape(one.step),
        error,
        judgement,
        time,
        "",
        escape(one.machine),
    )
    return _line(cells, "published")


def _line(cells: Sequence[str], kind: str = "") -> str:
    named = f' class="{kind}"' if kind else ""
    return (
        f"<tr{named}>"
        + "".join(f'<td class="n">{cell}</td>' for cell in cells[:-1])
        + f"<td>{cells[-1]}</td></tr>"
    )


def number(value: Any, form: str) -> str:
    """A number, or a dash where there is none."""
    return "–" if value is None or math.isnan(float(value)) else format(float(value), form)


def first_line(text: str, most: int = 160) -> str:
    """A message without line breaks, not too long."""
    return " ".join(text.split())[:most]
