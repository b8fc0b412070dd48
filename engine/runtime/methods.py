"""Methods by name: `formulation/scheme/stabilisation`, a scheme alone, or a direct method."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from engine.errors import Problem, SceneError
from engine.formulations import FORMULATIONS
from engine.formulations.base import FormulationKind
from engine.integrators import SCHEMES
from engine.integrators.base import SchemeKind
from engine.problems import OPTIONS, Array, Option
from engine.registry import Registry, did_you_mean
from engine.stabilisation import STABILISATIONS
from engine.stabilisation.base import StabilisationKind

DEFAULT_FORMULATION, DEFAULT_STABILISATION = "lagrange", "projection"


@dataclass(frozen=True)
class Method:
    """A formulation, a scheme and a stabilisation that go together."""

    formulation: FormulationKind
    scheme: SchemeKind
    stabilisation: StabilisationKind

    @property
    def name(self) -> str:
        return f"{self.formulation.name}/{self.scheme.name}/{self.stabilisation.name}"

    @property
    def title(self) -> str:
        return f"{self.formulation.title}, {self.scheme.title}, {self.stabilisation.title}"

    @property
    def summary(self) -> str:
        return self.scheme.summary

    @property
    def order(self) -> int:
        return self.scheme.order

    @property
    def adaptive(self) -> bool:
        return self.scheme.adaptive

    @property
    def options(self) -> tuple[Option, ...]:
        return self.formulation.options + self.scheme.options + self.stabilisation.options

    def numbers(self, given: Mapping[str, float]) -> Array:
        """Option slots, defaults where nothing is given; raises SceneError for names or values that do not fit."""
        import numpy as np

        slots = np.zeros(OPTIONS)
        known = {option.name: option for option in self.options}
        for option in self.options:
            slots[option.slot] = option.default
        problems = []
        for name, value in given.items():
            if name not in known:
                hint = did_you_mean(name, tuple(known))
                message = f"method {self.name!r} has no option {name!r}{hint}"
                cure = f"its options: {', '.join(known) or 'none'}"
                problems.append(Problem(f"simulation.options.{name}", value, message, cure))
            elif not value >= known[name].minimum:
                message = f"option {name!r} is {value}"
                cure = f"give a number of at least {known[name].minimum:g}"
                problems.append(Problem(f"simulation.options.{name}", value, message, cure))
            else:
                slots[known[name].slot] = value
        if problems:
            raise SceneError(problems)
        return slots


def _compositions() -> tuple[Method, ...]:
    return tuple(
        Method(formulation, scheme, stabilisation)
        for formulation in FORMULATIONS
        for scheme in SCHEMES
        for stabilisation in STABILISATIONS
        if formulation.layout in stabilisation.layouts
    )


METHODS: Registry[Method] = Registry("method", *_compositions())


def find_method(name: str) -> Method:
    """The method of a name, also a short one; raises SceneError with what there is."""
    parts = name.split("/")
    full = f"{DEFAULT_FORMULATION}/{name}/{DEFAULT_STABILISATION}" if len(parts) == 1 else name
    if full in METHODS:
        return METHODS[full]
    known = (*METHODS.names, *SCHEMES.names)
    message = f"unknown method {name!r}{did_you_mean(name, known)}"
    cure = f"write formulation/scheme/stabilisation such as {METHODS.names[-1]!r}, or a scheme: {', '.join(SCHEMES.names)}"
    raise SceneError([Problem("simulation.method", name, message, cure)])
