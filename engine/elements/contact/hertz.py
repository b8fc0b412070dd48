"""Hertz: k δⁿ without losses; n = 3/2 for spheres [Flores 2016]."""

from engine.elements.contact.base import ContactLaw, Given, Pressure


def pressure(given: Given) -> Pressure:
    return Pressure(given.stiffness, given.exponent, 0.0, 0.0)


LAW = ContactLaw("hertz", "Hertz", pressure, dissipates=False, reads=("stiffness", "exponent"))
