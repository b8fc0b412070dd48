"""Energy error of central differences against the step, and what each form loses to rounding.

    python -m docs.methods.plots.central_differences [picture.png]

Left: pendulum, double four-bar and Bricard over ten seconds, slope 2. Right: the classic and the summed form
on a disc that a force swings about its centre, at steps where differences of positions run out of digits.
"""

import sys
from pathlib import Path

import numpy as np
import pyqtgraph as pg
import pyqtgraph.exporters
from PySide6.QtWidgets import QApplication

from engine import load_scene, loads, simulate

SCENES = Path(__file__).parents[3] / "scenes"
BLUE, ORANGE, GREEN = "#0072B2", "#E69F00", "#009E73"  # Okabe and Ito
STEPS = {
    "pendulum": (BLUE, (0.05, 0.02, 0.01, 5e-3, 2e-3, 1e-3)),
    "double_four_bar": (ORANGE, (0.02, 0.01, 5e-3, 2e-3)),
    "bricard": (GREEN, (0.02, 0.01, 5e-3, 2e-3)),
}
DISC = """{"format": "trammel-scene", "version": 1, "space": "planar", "gravity": [0, 0],
    "bodies": [{"name": "disc", "angle": 2, "mass": 1, "inertia": [1]}],
    "joints": [{"name": "O", "kind": "revolute", "a": {"body": "world"}, "b": {"body": "disc"}}],
    "forces": [{"name": "pull", "kind": "force", "body": "disc", "point": [1, 0],
                "components": [0, -9.81]}]}"""
FORMS = {"classic": (BLUE, 0), "summed": (ORANGE, 1)}


def drift(name: str, dt: float) -> float:
    run = simulate(load_scene(SCENES / f"{name}.json"), method="central_differences", dt=dt, duration=10.0)
    return float(np.abs(run.channel("energy.error")).max())


def rounding(form: int, dt: float) -> float:
    run = simulate(loads(DISC), method="central_differences", dt=dt, duration=0.5, options={"form": form})
    energy = 0.5 * run.channel("body.disc.omega.z") ** 2 + 9.81 * np.sin(run.channel("body.disc.angle"))
    return float(np.abs(energy - energy[0]).max())


def draw(path: Path) -> None:
    app = QApplication.instance() or QApplication(["plot", "-platform", "offscreen"])
    pg.setConfigOptions(background="w", foreground="k", antialias=True)
    page = pg.GraphicsLayoutWidget(size=(1100, 460))
    left, right = page.addPlot(title="Largest energy error in 10 s"), page.addPlot(title="Two forms, 0.5 s")
    for plot in (left, right):
        plot.setLogMode(x=True, y=True)
        plot.showGrid(x=True, y=True, alpha=0.3)
        plot.addLegend(offset=(20, 10))
        plot.setLabel("bottom", "step [s]")
        plot.setLabel("left", "energy error [J]")
    for name, (color, steps) in STEPS.items():
        left.plot(steps, [drift(name, dt) for dt in steps], pen=pg.mkPen(color, width=2), symbol="o",
                  symbolBrush=color, name=name)  # fmt: skip
    steps = (1e-3, 1e-4, 1e-5, 1e-6)
    for name, (color, form) in FORMS.items():
        right.plot(steps, [rounding(form, dt) for dt in steps], pen=pg.mkPen(color, width=2), symbol="o",
                   symbolBrush=color, name=name)  # fmt: skip
    page.show()
    app.processEvents()
    pyqtgraph.exporters.ImageExporter(page.scene()).export(str(path))


if __name__ == "__main__":
    draw(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).with_suffix(".png"))
