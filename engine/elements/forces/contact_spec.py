"""What elements with elastic limits share: the fields of the contact, and the laws of one or two sides."""

import math
from collections.abc import Iterator
from typing import Annotated, Any, Literal

from engine.elements.base import Number
from engine.elements.contact import CONTACT_LAWS
from engine.elements.contact.base import Given
from engine.elements.fields import number, text
from engine.elements.forces.base import ForceBuilder, ForceSpec
from engine.errors import Problem

LawName = Literal["flores", "hertz", "hunt_crossley", "kelvin_voigt", "lankarani_nikravesh"]
UPPER, LOWER = 1.0, -1.0  # sides


class ContactSpec(ForceSpec, frozen=True, kw_only=True):
    """How a limit pushes back: push = k δⁿ (1 + χ δ') + c δ', never a pull."""

    law: Annotated[LawName, text("Contact law", "how the push grows with depth and speed")] = "kelvin_voigt"
    stiffness: Annotated[
        Number, number("Stiffness", "N·m/radⁿ or N/mⁿ", "n is 1 for Kelvin–Voigt, else the exponent", gt=0.0)
    ]
    exponent: Annotated[Number, number("Exponent", "", "n; not for Kelvin–Voigt", ge=1.0)] = 1.5
    damping: Annotated[Number, number("Damping", "effort per speed error", "Kelvin–Voigt only", ge=0.0)] = 0.0
    restitution: Annotated[
        Number, number("Restitution", "", "of an impact at the impact speed; not for Hertz", gt=0.0, le=1.0)
    ] = 0.8
    impact_speed: Annotated[
        Number, number("Impact speed", "rad/s or m/s", "at which the restitution holds", gt=0.0)
    ] = 1.0


def contact_laws(spec: Any, build: ForceBuilder, coordinate_function: int, lower: Any, upper: Any) -> None:
    """One law for each limit that is given, the lower one first."""
    given = Given(
        *(float(getattr(spec, name)) for name in Given._fields),
    )
    numbers = CONTACT_LAWS[spec.law].pressure(given)
    for side, limit in ((LOWER, lower), (UPPER, upper)):
        if limit is not None:
            build.law("pressure", coordinate_function, integers=[0], reals=[float(limit), side, *numbers])


def contact_resists(spec: Any) -> bool:
    law = CONTACT_LAWS[spec.law]
    return law.dissipates and (bool(spec.restitution != 1.0) if law.by_restitution else bool(spec.damping))


def check_order(lower: tuple[str, Any], upper: tuple[str, Any], unit: str) -> Iterator[Problem]:
    """Two limits by their fields: the lower one is below the upper one."""
    (low_field, low), (high_field, high) = lower, upper
    if low is not None and high is not None and math.isfinite(low + high) and low >= high:
        contradiction = f"{low_field} {low:g} {unit} is not below {high_field} {high:g} {unit}"
        yield Problem(low_field, low, contradiction, "exchange the two, or leave one out")
