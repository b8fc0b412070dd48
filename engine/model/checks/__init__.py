"""Checks of a scene, one file per subject; each takes the context and yields problems."""

from engine.model.checks import geometry, kinds, mass, references, space, values

CHECKS = (references.check, geometry.check, kinds.check, space.check, mass.check, values.check)
