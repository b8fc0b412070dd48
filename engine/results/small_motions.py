"""Exponents of small motions about recorded states: how quick the quickest of them is."""

from __future__ import annotations

import numpy as np

from engine.compiled.layout import Array
from engine.results.sample_layout import SampleLayout
from engine.system.assembly.scaling import scales_of
from engine.system.compiling.mechanism import Mechanism
from engine.system.equations.evaluator import Evaluator
from engine.system.small_motions.force_balance import State
from engine.system.small_motions.linearise import spectrum

MAX_VELOCITIES = 120  # velocities: of more it would take longer than some dozen steps


class SmallMotions:
    """Looks at samples of one mechanism."""

    def __init__(self, mechanism: Mechanism) -> None:
        self._evaluator = Evaluator(mechanism, tangents=True)
        self._scales, self._layout = scales_of(mechanism), SampleLayout(mechanism)

    def exponents(self, sample: Array) -> Array:
        """s of all motions e^{st}, complex; none where the state is not finite or nothing can move."""
        t, q, v, angles, _ = self._layout.state(sample)
        try:
            with np.errstate(over="ignore", invalid="ignore"):  # seen in what comes out
                found = spectrum(self._evaluator, self._scales, State(t, q, v, angles)).exponents
        except (
            np.linalg.LinAlgError,
            ValueError,
            OverflowError,
        ):  # masses of zero, numbers beyond all bounds
            return np.zeros(0, complex)
        return found[np.isfinite(found)]
