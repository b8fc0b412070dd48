"""Kelvin–Voigt: linear spring and damper side by side, limited to pressure [Flores 2016]."""

from engine.elements.contact.base import ContactLaw, Given, Pressure


def pressure(given: Given) -> Pressure:
    return Pressure(given.stiffness, 1.0, given.damping, 0.0)


LAW = ContactLaw("kelvin_voigt", "Kelvin–Voigt", pressure, reads=("stiffness", "damping"))
