"""Laws of contact from the literature: one file each. Elastic ones say what the law `pressure` is given."""

from engine.elements.contact import flores, hertz, hunt_crossley, kelvin_voigt, lankarani_nikravesh, rigid
from engine.elements.contact.base import ContactLaw
from engine.registry import Registry

CONTACT_LAWS: Registry[ContactLaw] = Registry(
    "contact law",
    flores.LAW,  # keep sorted
    hertz.LAW,
    hunt_crossley.LAW,
    kelvin_voigt.LAW,
    lankarani_nikravesh.LAW,
    rigid.LAW,
)
