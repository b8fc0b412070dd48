"""The channels by which every run is judged at a glance: first plots, reports and pages show them."""

ENERGY = ("energy.kinetic", "energy.potential", "energy.total")
VIOLATION = ("violation.position", "violation.velocity")
