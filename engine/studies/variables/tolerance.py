"""Tolerance: a dimension as it is made, scattered about its nominal value."""

from typing import Annotated, Literal

from engine.elements.fields import number, text
from engine.errors import Problem
from engine.studies.variables.base import Variable, VariableKind

SIGMAS = 3.0  # standard deviations in the tolerance: 99.73 % of the parts lie inside


class Tolerance(Variable, frozen=True, kw_only=True, tag="tolerance"):
    """nominal ± tolerance; without a nominal value it is the scene's own."""

    tolerance: Annotated[float, number("Tolerance", "", "half of the width")]
    nominal: Annotated[float | None, number("Nominal value", "", "null: the scene's")] = None
    shape: Annotated[
        Literal["normal", "uniform"], text("Distribution", "normal: the tolerance is three sigma")
    ] = "normal"


def value(variable: Tolerance, u: float) -> float:
    from scipy.special import ndtri  # the quantile of the normal distribution

    share = ndtri(u) / SIGMAS if variable.shape == "normal" else 2.0 * u - 1.0
    return _nominal(variable) + variable.tolerance * float(share)


def levels(variable: Tolerance) -> tuple[float, ...]:
    """The limits and the middle: a grid of them is the worst case."""
    nominal = _nominal(variable)
    return (nominal - variable.tolerance, nominal, nominal + variable.tolerance)


def _nominal(variable: Tolerance) -> float:
    assert variable.nominal is not None, "the study fills it in from the scene"
    return variable.nominal


def check(variable: Tolerance, path: str) -> list[Problem]:
    if variable.tolerance > 0.0:
        return []
    text = f"a tolerance of {variable.tolerance:g} leaves one value only"
    return [Problem(f"{path}.tolerance", variable.tolerance, text, "give a positive half of the width")]


KIND = VariableKind(
    name="tolerance",
    summary="nominal ± tolerance, normal (three sigma) or uniform",
    spec=Tolerance,
    at=value,
    levels=levels,
    ends=levels,
    check=check,
)
