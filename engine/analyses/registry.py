"""Questions about a scene: one file per kind, one line here."""

from engine.analyses.base import Analysis
from engine.analyses.dynamics.inverse import INVERSE
from engine.analyses.dynamics.modes import MODES
from engine.analyses.dynamics.stability import STABILITY
from engine.analyses.dynamics.static import STATIC
from engine.analyses.kinematics.branches import BRANCHES
from engine.analyses.kinematics.closure import CLOSURE
from engine.analyses.kinematics.kinematic import KINEMATIC
from engine.analyses.kinematics.wiggle import WIGGLE
from engine.analyses.linear.frequency_response import FREQUENCY_RESPONSE
from engine.analyses.linear.linear_model import LINEARISE
from engine.analyses.linear.root_locus import ROOT_LOCUS
from engine.analyses.machines.balancing import BALANCING
from engine.analyses.machines.clearance import CLEARANCE
from engine.analyses.machines.limits_reached import LIMITS_REACHED
from engine.analyses.machines.tolerance_band import TOLERANCE_BAND
from engine.analyses.machines.transmission import TRANSMISSION
from engine.analyses.machines.workspace import WORKSPACE
from engine.analyses.matrices.matrix import MATRIX
from engine.analyses.matrices.null_space_bases import NULL_SPACE_BASES
from engine.analyses.mobility.degrees_of_freedom import DEGREES_OF_FREEDOM
from engine.analyses.redundancy.doctor import REDUNDANCY
from engine.registry import Registry

__all__ = ["ANALYSES"]

ANALYSES: Registry[Analysis] = Registry(
    "analysis",
    DEGREES_OF_FREEDOM,
    REDUNDANCY,
    WIGGLE,
    CLOSURE,
    BRANCHES,
    KINEMATIC,
    INVERSE,
    STATIC,
    MODES,
    LINEARISE,
    ROOT_LOCUS,
    FREQUENCY_RESPONSE,
    BALANCING,
    CLEARANCE,
    LIMITS_REACHED,
    TRANSMISSION,
    WORKSPACE,
    TOLERANCE_BAND,
    MATRIX,
    NULL_SPACE_BASES,
    STABILITY,
)
