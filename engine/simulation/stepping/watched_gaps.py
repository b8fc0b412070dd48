"""Which gaps a run looks at: those between shapes that are near each other."""

import numpy as np

from engine.compiled.columns import ranges as SPAN
from engine.compiled.layout import System
from engine.elements.primitives import PRIMITIVES, contact, slip


def watch_only_near(system: System) -> None:
    """Let the system of a run pass over pairs that are far apart; whoever looks at a state sees all."""
    for kind in (contact.KIND, slip.KIND):
        span = system.ranges[PRIMITIVES.names.index(kind.name)]
        entries = system.entry_reals[span[SPAN.BEGIN] : span[SPAN.END]]
        entries[:, contact.NEAR] = np.abs(entries[:, contact.NEAR])
