"""Checks of a scene, one file per subject; each takes the context and yields problems."""

from engine.model.checks import geometry, lengths, mass, references, space, values

CHECKS = (references.check, geometry.check, lengths.check, space.check, mass.check, values.check)
