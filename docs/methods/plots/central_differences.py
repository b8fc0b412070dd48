"""Energy error of central differences against the step, and what each form loses to rounding.

    python -m docs.methods.plots.central_differences

Left: pendulum, double four-bar and Bricard over ten seconds, slope 2. Right: the classic and the summed form
on a disc that a force swings about its centre, at steps where differences of positions run out of digits.
"""

from pathlib import Path

import numpy as np

from docs.methods.plots.svg import Curve, Panel, picture
from engine import load_scene, loads, simulate

SCENES = Path(__file__).parents[3] / "scenes"
STEPS = {
    "pendulum": (0.05, 0.02, 0.01, 5e-3, 2e-3, 1e-3),
    "double_four_bar": (0.02, 0.01, 5e-3, 2e-3),
    "bricard": (0.02, 0.01, 5e-3, 2e-3),
}
DISC = """{"format": "trammel-scene", "version": 1, "space": "planar", "gravity": [0, 0],
    "bodies": [{"name": "disc", "angle": 2, "mass": 1, "inertia": [1]}],
    "joints": [{"name": "O", "kind": "revolute", "a": {"body": "world"}, "b": {"body": "disc"}}],
    "forces": [{"name": "pull", "kind": "force", "body": "disc", "point": [1, 0],
                "components": [0, -9.81]}]}"""
SHORT = (1e-3, 1e-4, 1e-5, 1e-6)
FORMS = {"classic": 0, "summed": 1}


def drift(name: str, dt: float) -> float:
    run = simulate(load_scene(SCENES / f"{name}.json"), method="central_differences", dt=dt, duration=10.0)
    return float(np.abs(run.channel("energy.error")).max())


def rounding(form: int, dt: float) -> float:
    run = simulate(loads(DISC), method="central_differences", dt=dt, duration=0.5, options={"form": form})
    energy = 0.5 * run.channel("body.disc.omega.z") ** 2 + 9.81 * np.sin(run.channel("body.disc.angle"))
    return float(np.abs(energy - energy[0]).max())


def draw(path: Path) -> None:
    long = tuple(Curve(n, steps, [drift(n, h) for h in steps], marks=True) for n, steps in STEPS.items())
    short = tuple(
        Curve(n, SHORT, [rounding(form, h) for h in SHORT], marks=True) for n, form in FORMS.items()
    )
    panels = (
        Panel("Largest energy error in 10 s", "step [s]", "energy error [J]", long),
        Panel("Two forms, 0.5 s", "step [s]", "energy error [J]", short),
    )
    path.write_text(picture(panels), encoding="utf-8")


if __name__ == "__main__":
    draw(Path(__file__).with_name("central_differences_forms.svg"))
