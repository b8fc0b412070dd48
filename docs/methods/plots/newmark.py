"""Figures of the Newmark pages: `python -m docs.methods.plots.newmark`."""

import numpy as np

from docs.methods.plots.figure import Panel, save
from engine import load_scene, simulate
from engine.methods.newmark_rule import FOX_GOODWIN, LINEAR_ACCELERATION, TRAPEZOIDAL, amplification
from engine.model.set_value import set_value

SCENES = "scenes"


def spectral_radii() -> Panel:
    """What a step does to the amplitude of an oscillator."""
    steps = np.linspace(0.01, 6.0, 600)
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
        {
            name: (
                steps,
                np.minimum([np.abs(np.linalg.eigvals(amplification(h, **rule))).max() for h in steps], 2.5),
            )
            for name, rule in rules.items()
        },
    )


def long_run() -> Panel:
    """Energy of the pendulum over a hundred seconds, with the null space at either pose."""
    scene, curves = load_scene(f"{SCENES}/pendulum.json"), {}
    for name, method in (
        ("null space at the end of the step", "newmark_nullspace"),
        ("null space at its middle", "newmark_nullspace/midstep"),
    ):
        run = simulate(scene, method=method, dt=0.01, duration=100.0)
        curves[name] = (run.t, run.channel("energy.error"))
    return Panel("Pendulum from the horizontal, 10 ms", "time [s]", "energy error [J]", curves)


def reactions(torque: float) -> Panel:
    """Force in the rod of the stiff pendulum: index 3 against the null space."""
    scene, curves = set_value(load_scene(f"{SCENES}/stiff_pendulum.json"), "parameters.tau0", torque), {}
    for name, method in (("index 3", "newmark_index3"), ("null space", "newmark_nullspace")):
        run = simulate(scene, method=method, dt=0.1, duration=1000.0)
        force = np.hypot(run.channel("joint.O.reaction.fx"), run.channel("joint.O.reaction.fy"))
        curves[name] = (run.t, np.maximum(force, 1e-3))
    title = f"Force in the rod, torque {torque:g} N·m, trapezoidal rule, 0.1 s"
    return Panel(title, "time [s]", "force [N]", curves, log_y=True)


if __name__ == "__main__":
    save("newmark_nullspace", (spectral_radii(), long_run()))
    save("newmark_index3", tuple(reactions(torque) for torque in (5.0, 9.0)))
