"""Draws the figures of docs/studies.md and docs/race.md from the studies beside it, and prints their tables.

python docs/studies/figures.py [quick_return | suspension | stiff] …
"""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from app.cli import run_command_line
from app.platform.application import application
from app.widgets.charts.chart_picture import save_charts
from engine import load_scene
from engine.analyses.answers.chart import Axis, Chart, Series
from engine.benchmarks.racing.entry import entry_of, reference_of
from engine.benchmarks.racing.ready import READY
from engine.benchmarks.racing.starter import Starter
from engine.benchmarks.racing.track import COLUMNS, Track

HERE = Path(__file__).resolve().parent
SCENES = HERE.parent.parent / "scenes"
LOOK = 0.1  # s between two looks at a race
POINTS = 400  # of a curve
TOLERANCES = "; ".join(
    f"{path} = 0.0005"
    for path in (
        "bodies.lower arm.points.ball.position.1",
        "bodies.upper arm.points.ball.position.1",
        "joints.upper axis.a.point.2",
        "joints.rack guide.a.point.2",
    )
)


def quick_return() -> None:
    """The cost of the quick return as it falls."""
    study, plot = HERE / "quick_return.study.json", HERE / "quick_return.svg"
    run_command_line(["optimise", str(study), "--search", "least_squares", "--plot", str(plot)])


def suspension() -> None:
    """The band of the wheel's path and of the toe."""
    scene, plot = HERE / "suspension.json", HERE / "suspension.png"
    options = ["--option", "channel=body.upright.quat.z", "--option", f"tolerances={TOLERANCES}"]
    run_command_line(["analyze", str(scene), "tolerance_band", *options, "--plot", str(plot)])


def stiff() -> None:
    """The ready race on the stiff pendulum: who leaves, and what staying costs."""
    ready = READY["stiff"]
    scene = load_scene(SCENES / f"{ready.scene}.json")
    race = Starter(
        lambda: [reference_of(scene), *(entry_of(scene, lane) for lane in ready.race.lanes)], clock=math.inf
    )
    while not race.over:
        time.sleep(LOOK)
    lanes = race.tracks[1:]
    for lane in lanes:
        left = f"left at {lane.left.t:.4g} s, {lane.left.why}" if lane.left is not None else "stayed"
        numbers = f"{lane.largest('distance'):.2g} m, {lane.largest('energy'):.2g} J"
        sys.stdout.write(f"{lane.entry.name}: {left}; {numbers}, {1e3 * lane.cost_per_second:.3g} ms/s\n")
    charts = [_chart(lanes, *words) for words in (("distance", "m"), ("cost", "s/s"))]
    save_charts(charts, HERE / "stiff_race.svg")
    race.stop(LOOK)


TITLES = {
    "distance": "Distance from the reference",
    "cost": "Processor time per simulated second",
}


def _chart(lanes: tuple[Track, ...], column: str, unit: str) -> Chart:
    series = []
    for i, lane in enumerate(lanes):
        table = lane.curves
        step = max(1, len(table) // POINTS)
        y = np.abs(table[::step, 1 + COLUMNS.index(column)])
        series.append(Series(lane.entry.name, table[::step, 0], y, group=i))
    return Chart(
        TITLES[column], Axis("Time", "s"), Axis(TITLES[column], unit, logarithmic=True), tuple(series)
    )


FIGURES: dict[str, Callable[[], None]] = {
    "quick_return": quick_return,
    "suspension": suspension,
    "stiff": stiff,
}


if __name__ == "__main__":
    application(offscreen=True)
    for name in sys.argv[1:] or FIGURES:
        FIGURES[name]()
