"""What laws ask of a method beside forces: the one place where a method is refused for want of it.

| a law with | asks for | which the method states as |
|---|---|---|
| a row that comes and goes | a new beginning after a jump of velocities | `jump_failure`, "" where it can |
| friction by the reaction of a joint, or at a rigid contact | λ at every evaluation | `reactions` |
| a number that follows a differential equation | rates of a state vector that ends with it | `law_states` |
| contacts that are found anew in each step | impulses of its own for them | `time_stepping` |
"""

from __future__ import annotations

from engine.compiled.columns import forces as LAW
from engine.compiled.columns import ranges as SPAN
from engine.compiled.columns import sizes as SIZE
from engine.compiled.layout import Ints
from engine.elements.laws import LAWS
from engine.elements.laws.base import LawKind
from engine.elements.laws.cone import KIND as CONE
from engine.elements.laws.contact_group import KIND as GROUP
from engine.elements.laws.held_friction import KIND as HELD
from engine.errors import Problem, SceneError
from engine.solvers.catalogue import USUAL_METHOD, Method
from engine.solvers.direct import DIRECT
from engine.solvers.formulations import FORMULATIONS
from engine.system.compiling.mechanism import Mechanism
from engine.system.equations.law_states import has_law_states


def by_reaction(mechanism: Mechanism) -> Ints:
    """Lines of the laws that depend on reactions."""
    import numpy as np

    system = mechanism.system
    found = [
        i
        for kind, span in zip(LAWS, system.ranges[int(system.sizes[SIZE.PRIMITIVES]) :], strict=True)
        if kind.reaction is not None
        for i in range(span[SPAN.BEGIN], span[SPAN.END])
        if system.forces[i, kind.reaction + 1] > system.forces[i, kind.reaction]
    ]
    return np.array(found, np.int64)


def in_cones(mechanism: Mechanism) -> Ints:
    """Lines of the frictions of rigid contacts, which depend on the push of their gap."""
    return _lines(mechanism, CONE)


def _lines(mechanism: Mechanism, kind: LawKind) -> Ints:
    """Lines of the laws of one kind."""
    import numpy as np

    system = mechanism.system
    span = system.ranges[int(system.sizes[SIZE.PRIMITIVES]) + LAWS.names.index(kind.name)]
    return np.arange(span[SPAN.BEGIN], span[SPAN.END])


def _name(mechanism: Mechanism, line: int) -> str:
    """Of the element that a line belongs to."""
    column = mechanism.system.forces[line, LAW.QUADRATURE]
    return next(name for (_, name), c in mechanism.quadratures.items() if c == column)


def refuse_demands(mechanism: Mechanism, method: Method) -> None:
    """Raise SceneError with reason and remedy where a law asks for what the method does not have."""
    if method.jump_failure and len(mechanism.system.rows) > len(mechanism.rows):
        reason = f"rigid limits and held friction make velocities jump, and {method.jump_failure}"
        raise _refused(method, reason, f"choose another method, such as {USUAL_METHOD!r}")
    groups = _lines(mechanism, GROUP)
    if len(groups) and not method.time_stepping:
        name = _name(mechanism, groups[0])
        reason = (
            f"the bodies of contact group {name!r} can touch at more places than can be followed one by one"
        )
        stepping = " or ".join(repr(kind.name) for kind in DIRECT if kind.time_stepping)
        raise _refused(method, reason, f"choose {stepping}, an elastic law, or a smaller group")
    lines = [*by_reaction(mechanism), *(() if method.time_stepping else in_cones(mechanism))]
    if lines and not method.reactions:
        name = _name(mechanism, lines[0])
        reason = f"friction {name!r} depends on reactions, which this method gives only after a step"
        able = ", ".join(kind.name for kind in FORMULATIONS if kind.reactions)
        raise _refused(method, reason, f"choose a method that begins with one of {able}; or give a preload")
    if method.time_stepping and (name := _in_several_directions(mechanism)):
        reason = (
            f"friction {name!r} slips in several directions, and this method takes those of contacts alone"
        )
        raise _refused(method, reason, f"choose another method, such as {USUAL_METHOD!r}")
    if has_law_states(mechanism.system) and not method.law_states:
        reason = "friction by bristles has a state of its own, which this method has no place for"
        remedy = f"choose a formulation and a scheme, such as {USUAL_METHOD!r}; or the model 'held'"
        raise _refused(method, reason, remedy)


def _in_several_directions(mechanism: Mechanism) -> str:
    """Name of a held friction of a joint with more than one component of slip; "" where there is none."""
    system = mechanism.system
    span = system.ranges[int(system.sizes[SIZE.PRIMITIVES]) + LAWS.names.index(HELD.name)]
    for line in system.forces[span[SPAN.BEGIN] : span[SPAN.END]]:
        if HELD.functions_of(line) > 1:
            return next(n for (_, n), c in mechanism.quadratures.items() if c == line[LAW.QUADRATURE])
    return ""


def _refused(method: Method, reason: str, remedy: str) -> SceneError:
    return SceneError([Problem("simulation.method", method.name, reason, remedy)])
