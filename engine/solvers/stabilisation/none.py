"""No stabilisation: the constraints hold at acceleration level only and drift shows what a scheme does."""

from engine.solvers.stabilisation.base import StabilisationKind, no_feedback, normalise_only

KIND = StabilisationKind(
    name="none",
    title="None (direct integration)",
    summary="Positions and velocities drift off the constraints; useful to see by how much.",
    feedback=no_feedback,
    project=normalise_only,
    layouts=frozenset({"qv", "qp"}),
    singular_failure="drift opens a gap between the motions that meet there, and chance decides which one "
    "is taken",
)
