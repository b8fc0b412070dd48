"""What a contact law is: the numbers of push = k δⁿ (1 + χ δ') + c δ' from those that the user gives."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple


class Given(NamedTuple):
    """What the user has given of a contact."""

    stiffness: float  # N/mⁿ or N·m/radⁿ
    exponent: float
    damping: float  # N·s/m or N·m·s/rad
    restitution: float  # of an impact at `impact_speed`
    impact_speed: float  # m/s or rad/s


class Pressure(NamedTuple):
    """Numbers of the compiled law, in the order of its columns."""

    stiffness: float
    exponent: float
    damping: float  # c
    hysteresis: float  # χ [s/m or s/rad]


BY_IMPACT = ("stiffness", "exponent", "restitution", "impact_speed")  # what the laws of hysteresis read


@dataclass(frozen=True)
class ContactLaw:
    """One law; `by_restitution`: its losses follow from restitution and impact speed.

    Without `pressure` it is rigid: a constraint row holds the limit, and `restitution` is that of impacts.
    """

    name: str
    title: str
    pressure: Callable[[Given], Pressure] | None
    by_restitution: bool = False
    dissipates: bool = True
    reads: tuple[str, ...] = Given._fields  # of those numbers, the ones that matter


def by_hysteresis(factor: Callable[[float], float]) -> Callable[[Given], Pressure]:
    """A law with χ = factor(restitution)/impact speed and no other loss."""

    def pressure(given: Given) -> Pressure:
        return Pressure(given.stiffness, given.exponent, 0.0, factor(given.restitution) / given.impact_speed)

    return pressure
