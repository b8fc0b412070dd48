"""The picture of every method page: `python -m docs.methods.plots.pages [NAME …]`.

Left: largest error of positions of the double pendulum over 0.4 s against the step (adaptive methods: the
tolerance), beside a run of dopri5 near rounding. Right: error of the energy balance and violation of the
joints of the four-bar over 10 s at 2 ms; of the double pendulum where a method takes open chains only.
Pieces run with their usual partners, as in `trammel bench --methods all`.
"""

from __future__ import annotations

import math
import sys
from functools import cache
from pathlib import Path

import numpy as np

from docs.methods.plots.svg import Curve, Panel, picture
from engine import load_scene, simulate
from engine.compiled.layout import Array, StepStatus
from engine.solvers.catalogue import METHODS, find_method
from engine.solvers.direct import DIRECT
from engine.solvers.formulations import FORMULATIONS
from engine.solvers.integrators import SCHEMES
from engine.solvers.method_patterns import showcase
from engine.solvers.stabilisation import STABILISATIONS

FOLDER = Path(__file__).parent
SCENES = FOLDER.parents[2] / "scenes"
REFERENCE, COMPARED = "dopri5", "lagrange/rk4/projection"
SPAN, INSTANTS = 0.4, 10  # s; instants at which errors are taken
STEPS = tuple(0.04 / 2**k for k in range(9))
TOLERANCES = (1e-3, 1e-5, 1e-7, 1e-9, 1e-11)
LONG, STEP, WINDOWS = 10.0, 2e-3, 50  # s, s, points of a curve over time
OPEN_ONLY = ("recursive/",)  # beginnings of the names of methods that take no loops
LOWEST = 1e-17  # what a logarithmic axis shows of zero


def method_of(kind: str) -> str:
    """The method with which a piece is shown."""
    names = [method.name for method in showcase()]
    if kind in DIRECT:
        return kind
    if kind in SCHEMES:
        return find_method(kind).name
    place = 0 if kind in FORMULATIONS else 2
    return next(n for n in names if n.count("/") == 2 and n.split("/")[place] == kind and "/rk4/" in n)


@cache
def positions(method: str, dt: float, tolerance: float = 0.0) -> Array | None:
    """q at the instants; None where the run does not come to its end."""
    options = {"rtol": tolerance, "atol": tolerance} if tolerance else {}
    scene = load_scene(SCENES / "double_pendulum.json")
    run = simulate(scene, method=method, dt=dt, duration=SPAN, options=options, sample_every=1)
    if run.status is not StepStatus.FINISHED:
        return None
    every = round(SPAN / INSTANTS / dt)
    return np.asarray(run.samples[every::every, run.segments[-1].channels.layout.q])


def error(method: str, dt: float, tolerance: float = 0.0) -> float:
    exact, found = positions(REFERENCE, SPAN / INSTANTS, 1e-14), positions(method, dt, tolerance)
    return math.nan if exact is None or found is None else float(np.abs(found - exact).max())


def accuracy(methods: list[str]) -> Panel:
    adaptive = METHODS[methods[0]].adaptive
    curves = []
    for name in methods if adaptive else [COMPARED, *methods]:
        label = name.removeprefix("lagrange/") if METHODS[name].pieces else name.rpartition("/")[2]
        if adaptive:
            errors = [error(name, SPAN / INSTANTS, tolerance) for tolerance in TOLERANCES]
            curves.append(Curve(label, TOLERANCES, errors, marks=True))
        else:
            grey = name == COMPARED and name not in methods
            curves.append(Curve(label, STEPS, [error(name, dt) for dt in STEPS], grey, marks=not grey))
    return Panel("Double pendulum", "tolerance" if adaptive else "step [s]", "error [m, rad]", tuple(curves))


@cache
def history(method: str, name: str) -> tuple[Array, Array, Array]:
    """Time, largest energy error and largest violation in each window, as far as the run comes."""
    scene = load_scene(SCENES / f"{name}.json")
    run = simulate(scene, method=method, dt=STEP, duration=LONG, sample_every=1)
    parts = (
        np.array_split(np.arange(1, len(run)), WINDOWS) if len(run) > WINDOWS else [np.arange(1, len(run))]
    )
    rows = [
        (
            run.t[p[-1]],
            *(max(np.abs(run.channel(c)[p]).max(), LOWEST) for c in ("energy.error", "violation.position")),
        )
        for p in parts
    ]
    t, energy, violation = np.array(rows).T
    return t, energy, violation


def over_time(method: str, compared: str) -> Panel:
    open_only = method.startswith(OPEN_ONLY)
    name, title = ("double_pendulum", "Double pendulum") if open_only else ("four_bar", "Four-bar")
    t, energy, violation = history(method, name)
    curves = [Curve("energy [J]", t, energy), Curve("violation [m]", t, violation)]
    if compared != method:
        t, _, violation = history(compared, name)
        curves.append(Curve(f"violation, {compared.removeprefix('lagrange/')}", t, violation, grey=True))
    return Panel(f"{title}, 2 ms", "time [s]", "energy error, violation", tuple(curves), log_x=False)


def draw(kind: str) -> None:
    method = method_of(kind)
    presets = [name for name in METHODS.names if kind in DIRECT and name.startswith(f"{kind}/")]
    compared = "lagrange/rk4/none" if kind in STABILISATIONS or kind in FORMULATIONS else COMPARED
    panels = (accuracy([method, *presets[:3]]), over_time(method, compared))
    (FOLDER / f"{kind}.svg").write_text(picture(panels), encoding="utf-8")


if __name__ == "__main__":
    kinds = (*FORMULATIONS.names, *SCHEMES.names, *STABILISATIONS.names, *DIRECT.names)
    for name in sys.argv[1:] or kinds:
        draw(name)
