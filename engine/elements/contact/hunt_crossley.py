"""Hunt–Crossley: χ = 3 (1 − e)/(2 v), for restitutions e near 1 [Hunt 1975]."""

from engine.elements.contact.base import BY_IMPACT, ContactLaw, by_hysteresis

LAW = ContactLaw(
    "hunt_crossley",
    "Hunt–Crossley",
    by_hysteresis(lambda e: 1.5 * (1.0 - e)),
    by_restitution=True,
    reads=BY_IMPACT,
)
