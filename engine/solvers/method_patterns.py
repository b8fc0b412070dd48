"""Methods by names and patterns, and a choice that shows every piece once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fnmatch import fnmatchcase
from itertools import product

from engine.errors import Problem, SceneError
from engine.solvers.catalogue import DEFAULT_FORMULATION, DEFAULT_STABILISATION, METHODS, Method, find_method
from engine.solvers.direct import DIRECT
from engine.solvers.formulations import FORMULATIONS
from engine.solvers.integrators import SCHEMES
from engine.solvers.stabilisation import STABILISATIONS
from engine.spelling import did_you_mean

ALL = "all"
SHOWCASE_SCHEME = "rk4"  # the scheme with which formulations and stabilisations are shown


def select_methods(wanted: Iterable[str]) -> list[Method]:
    """Methods of these names, patterns such as `lagrange/*/none`, or `all`, each once; raises SceneError."""
    found: dict[str, Method] = {}
    for name in wanted:
        if name == ALL:
            chosen = showcase()
        elif any(sign in name for sign in "*?["):
            chosen = [method for method in METHODS if fnmatchcase(method.name, name)]
            if not chosen:
                remedy = "see `trammel list methods`"
                raise SceneError([Problem("method", name, f"no method is called like {name!r}", remedy)])
        else:
            chosen = [find_method(name)]
        found.update((method.name, method) for method in chosen)
    return list(found.values())


def option_choices(
    methods: Sequence[Method], values: Mapping[str, Sequence[float]]
) -> dict[str, list[dict[str, float]]]:
    """Method name → every combination of the values of those options that it knows, at least an empty one.

    Raises SceneError for an option that none of the methods has.
    """
    for name in values:
        if not any(method.knows(name) for method in methods):
            known = sorted({option.name for method in methods for option in method.options})
            message = f"none of the methods has an option {name!r}{did_you_mean(name, tuple(known))}"
            remedy = f"their options: {', '.join(known) or 'none'}"
            raise SceneError([Problem("option", name, message, remedy)])
    found = {}
    for method in methods:
        names = [name for name in values if method.knows(name)]
        found[method.name] = [
            dict(zip(names, chosen, strict=True)) for chosen in product(*(values[name] for name in names))
        ]
    return found


def showcase() -> list[Method]:
    """Every scheme, stabilisation, formulation and direct method once, with the usual partners."""
    names = [f"{DEFAULT_FORMULATION}/{scheme.name}/{DEFAULT_STABILISATION}" for scheme in SCHEMES]
    names += [f"{DEFAULT_FORMULATION}/{SHOWCASE_SCHEME}/{kind.name}" for kind in STABILISATIONS]
    for formulation in FORMULATIONS:
        fitting = [
            f"{formulation.name}/{SHOWCASE_SCHEME}/{kind}"
            for kind in (DEFAULT_STABILISATION, *STABILISATIONS.names)
            if f"{formulation.name}/{SHOWCASE_SCHEME}/{kind}" in METHODS
        ]
        names += fitting[:1]
    names += DIRECT.names
    return [METHODS[name] for name in dict.fromkeys(names) if name in METHODS]
