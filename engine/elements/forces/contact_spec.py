"""What elements with elastic limits share: the fields of the contact, and the laws of one or two sides."""

import math
from collections.abc import Callable, Iterable, Iterator
from typing import Annotated, Any, Literal, Protocol

from engine.elements.base import Number
from engine.elements.contact import CONTACT_LAWS
from engine.elements.contact.base import Given, Pressure
from engine.elements.fields import number, text
from engine.elements.forces.base import ForceBuilder, ForceSpec
from engine.elements.gaps.uses import ALONG_HELD, HELD, SEEN
from engine.errors import Problem

LawName = Literal["flores", "hertz", "hunt_crossley", "kelvin_voigt", "lankarani_nikravesh", "rigid"]
TITLES = {law.name: law.title for law in CONTACT_LAWS}
UPPER, LOWER = 1.0, -1.0  # sides

# fields of contacts between bodies
Friction = Annotated[Number, number("Friction", "", "Coulomb's coefficient", ge=0.0)]
StaticFriction = Annotated[
    Number | None, number("Static friction", "", "null: as the other; with the law rigid only", ge=0.0)
]
SmoothingSpeed = Annotated[
    Number, number("Smoothing speed", "m/s", "below it friction is a damper; not with the law rigid", gt=0.0)
]


class ContactSpec(ForceSpec, frozen=True, kw_only=True):
    """How a limit pushes back: push = k δⁿ (1 + χ δ') + c δ', never a pull; or rigid, with impacts."""

    law: Annotated[LawName, text("Contact law", "how the push grows with depth and speed", words=TITLES)] = (
        "kelvin_voigt"
    )
    stiffness: Annotated[
        Number | None,
        number("Stiffness", "N·m/radⁿ or N/mⁿ", "n is 1 for Kelvin–Voigt, else the exponent", gt=0.0),
    ] = None
    exponent: Annotated[Number, number("Exponent", "", "n; not for Kelvin–Voigt", ge=1.0)] = 1.5
    damping: Annotated[Number, number("Damping", "effort per speed error", "Kelvin–Voigt only", ge=0.0)] = 0.0
    restitution: Annotated[
        Number, number("Restitution", "", "of an impact at the impact speed; not for Hertz", ge=0.0, le=1.0)
    ] = 0.8
    impact_speed: Annotated[
        Number, number("Impact speed", "rad/s or m/s", "at which the restitution holds", gt=0.0)
    ] = 1.0

    def unread(self) -> frozenset[str]:
        law = CONTACT_LAWS[self.law]
        sliding = "smoothing_speed" if law.pressure is None else "static_friction"
        return frozenset({*Given._fields, sliding}).difference(law.reads)


def contact_laws(
    spec: Any, build: ForceBuilder, make: Callable[[], int], unit: str, lower: Any, upper: Any
) -> None:
    """One law for each limit that is given, the lower one first; `make` gives a new coordinate function."""
    law = CONTACT_LAWS[spec.law]
    limits = [(side, float(limit)) for side, limit in ((LOWER, lower), (UPPER, upper)) if limit is not None]
    if law.pressure is None:
        for side, limit in limits:
            own = make()
            reals = [limit, side, float(spec.restitution), 0.0]
            build.law("limit", own, integers=[0, build.row(own, unit, limit)], reals=reals)
        return
    numbers = law.pressure(Given(*(float(getattr(spec, name)) for name in Given._fields)))
    _pressures(build, make(), limits, numbers)


class GapFunctions(Protocol):
    """What makes the coordinate functions of one place of a contact."""

    @property
    def is_sharp(self) -> bool: ...

    def functions(self, directions: tuple[int, ...], use: int) -> tuple[int, ...]: ...


def one_sided(spec: Any, build: ForceBuilder, place: GapFunctions) -> None:
    """The law of a contact between bodies on one gap, which never becomes negative or pushes back."""
    law, make = CONTACT_LAWS[spec.law], place.functions
    across = (1,) if build.planar else (1, 2)
    if law.pressure is None:
        (gap,) = make((0,), HELD)
        reals, row = [0.0, LOWER, float(spec.restitution), 0.0], build.row(gap, "m")
        seen = make((0,), SEEN)[0] if place.is_sharp else gap
        build.law("limit", seen, integers=[0, row], reals=reals)
        if spec.friction:
            slip_rows = [build.row(slip, "m/s", velocity=True) for slip in make(across, HELD)]
            kinetic = float(spec.friction)
            static = kinetic if spec.static_friction is None else float(spec.static_friction)
            integers = [0, slip_rows[0], len(slip_rows), row, 0]
            slips = make(across, ALONG_HELD)
            build.law("cone", slips[0], integers=integers, reals=[kinetic, static, 1.0, 0.0])
        return
    numbers = law.pressure(Given(*(float(getattr(spec, name)) for name in Given._fields)))
    (gap,) = make((0,), SEEN)
    _pressures(build, gap, [(LOWER, 0.0)], numbers)
    if spec.friction:
        slips = make(across, SEEN)
        rubbing = [0.0, LOWER, *numbers, float(spec.friction), float(spec.smoothing_speed)]
        build.law("contact_friction", slips[0], integers=[0, gap, len(slips)], reals=rubbing)


def elastic_limits(
    build: ForceBuilder, coordinate_function: int, lower: float, upper: float, stiffness: float
) -> None:
    """Two limits that push back as springs, the lower one first."""
    law = CONTACT_LAWS["kelvin_voigt"]
    assert law.pressure is not None
    numbers = law.pressure(Given(stiffness, 1.0, 0.0, 1.0, 1.0))
    _pressures(build, coordinate_function, [(LOWER, lower), (UPPER, upper)], numbers)


def _pressures(
    build: ForceBuilder, coordinate_function: int, limits: Iterable[tuple[float, float]], numbers: Pressure
) -> None:
    for side, limit in limits:
        build.law("pressure", coordinate_function, integers=[0], reals=[limit, side, *numbers])


def contact_loss(spec: Any) -> Literal["contact", "impact"]:
    return "impact" if CONTACT_LAWS[spec.law].pressure is None else "contact"


def check_contact(spec: Any) -> Iterator[Problem]:
    """The numbers that the chosen law needs."""
    law = CONTACT_LAWS[spec.law]
    if law.pressure is not None and spec.stiffness is None:
        missing = f"the law {spec.law!r} needs a stiffness"
        yield Problem("stiffness", None, missing, 'give "stiffness", or choose the law "rigid"')
    if spec.law == "flores" and spec.restitution == 0.0:
        infinite = "the law 'flores' divides by the restitution"
        yield Problem("restitution", 0.0, infinite, "give a number above 0, or choose another law")


def check_static(spec: Any) -> Iterator[Problem]:
    """Friction at rest is not below that of slip."""
    static, kinetic = spec.static_friction, spec.friction
    if isinstance(static, float) and isinstance(kinetic, float) and static < kinetic:
        less = f"static friction {static:g} is less than friction {kinetic:g}"
        yield Problem("static_friction", static, less, "exchange the two, or leave the static one out")


def contact_resists(spec: Any) -> bool:
    law = CONTACT_LAWS[spec.law]
    return law.dissipates and (bool(spec.restitution != 1.0) if law.by_restitution else bool(spec.damping))


def touch_resists(spec: Any) -> bool:
    """As `contact_resists`, of bodies that also rub."""
    return contact_resists(spec) or bool(spec.friction)


def touch_loss(spec: Any) -> Literal["contact", "impact"]:
    """As `contact_loss`, of bodies that also rub."""
    return "contact" if spec.friction else contact_loss(spec)


def check_order(lower: tuple[str, Any], upper: tuple[str, Any], unit: str) -> Iterator[Problem]:
    """Two limits by their fields: the lower one is below the upper one."""
    (low_field, low), (high_field, high) = lower, upper
    if low is not None and high is not None and math.isfinite(low + high) and low >= high:
        contradiction = f"{low_field} {low:g} {unit} is not below {high_field} {high:g} {unit}"
        yield Problem(low_field, low, contradiction, "exchange the two, or leave one out")
