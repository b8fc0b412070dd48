"""Flores and others: χ = 8 (1 − e)/(5 e v), for soft materials, too [Flores 2011]."""

from engine.elements.contact.base import BY_IMPACT, ContactLaw, by_hysteresis

LAW = ContactLaw(
    "flores", "Flores", by_hysteresis(lambda e: 1.6 * (1.0 - e) / e), by_restitution=True, reads=BY_IMPACT
)
