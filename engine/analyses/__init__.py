"""Questions about a scene: one file per kind, one line here."""

from engine.analyses.base import Analysis
from engine.analyses.branches import BRANCHES
from engine.analyses.closure import CLOSURE
from engine.analyses.freedoms import FREEDOMS
from engine.analyses.inverse import INVERSE
from engine.analyses.kinematic import KINEMATIC
from engine.analyses.modes import MODES
from engine.analyses.redundancy import REDUNDANCY
from engine.analyses.static import STATIC
from engine.analyses.wiggle import WIGGLE
from engine.registry import Registry

__all__ = ["ANALYSES"]

ANALYSES: Registry[Analysis] = Registry(
    "analysis", FREEDOMS, REDUNDANCY, WIGGLE, CLOSURE, BRANCHES, KINEMATIC, INVERSE, STATIC, MODES
)
