"""Rigid: no depth; the speed of an impact comes back times the restitution, at any speed [Pfeiffer 1996]."""

from engine.elements.contact.base import ContactLaw

LAW = ContactLaw("rigid", "Rigid", None, by_restitution=True, reads=("restitution",))
