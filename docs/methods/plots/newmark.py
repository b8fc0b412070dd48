"""Figures of the Newmark pages: `python -m docs.methods.plots.newmark`."""

from pathlib import Path

import numpy as np

from docs.methods.plots.svg import Curve, Panel, picture
from engine import load_scene, simulate
from engine.compiled.layout import Array
from engine.model.set_value import set_value
from engine.solvers.direct.newmark_rule import FOX_GOODWIN, LINEAR_ACCELERATION, TRAPEZOIDAL, amplification

FOLDER = Path(__file__).parent
SCENES = FOLDER.parents[2] / "scenes"
POINTS = 200  # of a curve


def ends(t: Array, values: Array) -> tuple[Array, Array]:
    """Every window's value of largest size, at its end."""
    parts = np.array_split(np.arange(len(t)), min(POINTS, len(t)))
    return np.array([t[p[-1]] for p in parts]), np.array(
        [values[p][np.abs(values[p]).argmax()] for p in parts]
    )


def spectral_radii() -> Panel:
    """What a step does to the amplitude of an oscillator."""
    steps = np.linspace(0.01, 6.0, POINTS)
    rules = {
        "central differences": {"beta": 0.0, "gamma": 0.5},
        "Fox–Goodwin": FOX_GOODWIN,
        "linear acceleration": LINEAR_ACCELERATION,
        "trapezoidal": TRAPEZOIDAL,
        "γ = 0.6, β = 0.3025": {"beta": 0.3025, "gamma": 0.6},
    }
    return Panel(
        "Spectral radius of Newmark's rule",
        "step times frequency",
        "spectral radius",
        tuple(
            Curve(
                name,
                steps,
                np.minimum([np.abs(np.linalg.eigvals(amplification(h, **rule))).max() for h in steps], 2.5),
            )
            for name, rule in rules.items()
        ),
        log_x=False,
        log_y=False,
    )


def long_run() -> Panel:
    """Energy of the pendulum over a hundred seconds, with the null space at either pose."""
    scene, curves = load_scene(SCENES / "pendulum.json"), []
    for name, method in (
        ("null space at the end of the step", "newmark_nullspace"),
        ("null space at its middle", "newmark_nullspace/midstep"),
    ):
        run = simulate(scene, method=method, dt=0.01, duration=100.0)
        curves.append(Curve(name, *ends(run.t, 1e3 * run.channel("energy.error"))))
    title = "Pendulum from the horizontal, 10 ms"
    return Panel(title, "time [s]", "energy error [mJ]", tuple(curves), log_x=False, log_y=False)


def reactions(torque: float) -> Panel:
    """Force in the rod of the stiff pendulum: index 3 against the null space."""
    scene, curves = set_value(load_scene(SCENES / "stiff_pendulum.json"), "parameters.tau0", torque), []
    for name, method in (("index 3", "newmark_index3"), ("null space", "newmark_nullspace")):
        run = simulate(scene, method=method, dt=0.1, duration=1000.0)
        force = np.hypot(run.channel("joint.O.reaction.fx"), run.channel("joint.O.reaction.fy"))
        curves.append(Curve(name, *ends(run.t, np.maximum(force, 1e-3))))
    return Panel(f"Rod, torque {torque:g} N·m, 0.1 s", "time [s]", "force [N]", tuple(curves), log_x=False)


if __name__ == "__main__":
    for name, panels in (
        ("newmark_long", (spectral_radii(), long_run())),
        ("newmark_reactions", (reactions(5.0), reactions(9.0))),
    ):
        (FOLDER / f"{name}.svg").write_text(picture(panels), encoding="utf-8")
