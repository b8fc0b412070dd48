"""The error measures of the benchmark problems."""

from __future__ import annotations

import numpy as np

from engine.benchmarks.governor_reference import INTERVAL, SLIDER
from engine.results.trajectory import Trajectory

ANDREWS_TORQUE = 0.033  # N·m
THRESHOLD = 1e-3  # smaller reference values count as this large


def energy_drift(run: Trajectory) -> float:
    """max |E(t) − E(0)| of a conservative mechanism [J]."""
    energy = run.channel("energy.total")
    return float(np.abs(energy - energy[0]).max())


def andrews_balance(run: Trajectory) -> float:
    """max |T + V − E(0) − τ (β − β(0))| [J]: the work of the constant torque in closed form."""
    kinetic, potential, angle = run.table(["energy.kinetic", "energy.potential", "body.K1.angle"]).T
    energy = kinetic + potential
    return float(np.abs(energy - energy[0] - ANDREWS_TORQUE * (angle - angle[0])).max())


def energy_span(run: Trajectory) -> float:
    """100 (E_max − E_min)/E(0) [%]."""
    energy = run.channel("energy.total")
    return float(100.0 * np.ptp(energy) / energy[0])


def governor_error(run: Trajectory) -> float:
    """√(mean ((s − s_ref)/max(|s_ref|, 1e-3))²) of the slider at 101 instants."""
    from scipy.interpolate import CubicHermiteSpline  # slow to import

    reference = np.array(SLIDER)
    instants = INTERVAL * np.arange(len(reference))
    height, speed = run.table(["body.slider.com.z", "body.slider.vel.z"]).T
    found = CubicHermiteSpline(run.t, height, speed)(instants)  # exact where a step ends
    relative = (found - reference) / np.maximum(np.abs(reference), THRESHOLD)
    return float(np.sqrt(np.mean(relative**2)))
