"""Lankarani–Nikravesh: χ = 3 (1 − e²)/(4 v), for restitutions e near 1 [Lankarani 1990]."""

from engine.elements.contact.base import BY_IMPACT, ContactLaw, by_hysteresis

LAW = ContactLaw(
    "lankarani_nikravesh",
    "Lankarani–Nikravesh",
    by_hysteresis(lambda e: 0.75 * (1.0 - e * e)),
    by_restitution=True,
    reads=BY_IMPACT,
)
