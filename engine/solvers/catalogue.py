"""Methods by name: `formulation/scheme/stabilisation`, a scheme alone, or a direct method."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from engine.arguments import of_kind
from engine.compiled.carried import Carried
from engine.compiled.columns import options as SLOT
from engine.compiled.layout import HISTORY, Array, Option, Room, System, nothing_refused
from engine.errors import Problem, SceneError
from engine.maths.amplification import Growth
from engine.registry import Registry, shown_by_name
from engine.solvers.direct import DIRECT, step_control
from engine.solvers.direct.base import DirectKind, nothing_warned_of
from engine.solvers.formulations import FORMULATIONS
from engine.solvers.formulations.base import FormulationKind
from engine.solvers.integrators import SCHEMES, full_stage, sparse_stage
from engine.solvers.integrators.base import SchemeKind, StageMatrices
from engine.solvers.stabilisation import STABILISATIONS
from engine.solvers.stabilisation.base import StabilisationKind
from engine.spelling import did_you_mean

# place in Work.options of what to do about singular configurations ahead; read when a run begins, not by
# kernels
SINGULAR = SLOT.RUN
REFUSE, GO_ON = 0.0, 1.0
SINGULAR_POSES = Option(
    "singular_poses", SINGULAR, REFUSE, "Singular configurations", choices=("refuse", "go on")
)
CONTROLS = tuple(option.name for option in step_control.OPTIONS)
DEFAULT_FORMULATION, DEFAULT_STABILISATION, NO_STABILISATION = "lagrange", "projection", "none"
USUAL = (DEFAULT_FORMULATION, "rk4", DEFAULT_STABILISATION)
USUAL_METHOD = "/".join(USUAL)


STAGE_MATRICES = StageMatrices(
    full=(full_stage.factor, full_stage.solve), sparse=(sparse_stage.factor, sparse_stage.solve)
)


@dataclass(frozen=True)
class Method:
    """What a run needs of a method, however it was put together."""

    name: str
    title: str
    summary: str
    order: int
    adaptive: bool
    options: tuple[Option, ...]
    functions: Mapping[str, Any]  # compiled, by their place in the table
    size: Callable[[System], int]  # length of the state vector
    room: Callable[[System], Room]
    stages: int = 0
    history: int = HISTORY
    tangents: bool = False
    implicit: bool = False
    newton_blocks: int = 1  # Work.newton is over so many state vectors
    stage_matrices: StageMatrices | None = None  # of an implicit scheme that takes them by their address
    sparse_stages: bool = False  # which can be the sparse ones
    bears_damping: bool = True  # False: forces against the velocity make it unstable at any step
    ranks: bool = False  # the driver fills SIZE.RANK and SIZE.RANK_POSITION before the first start
    refuses: Callable[[System], str] = nothing_refused
    constants: tuple[tuple[int, float], ...] = ()  # option slots that are not the user's
    # fills in option slots that follow from the step
    choose: Callable[[Array, float], None] | None = None
    warns: Callable[[Array, System], str] = nothing_warned_of  # a remark to a run, from options and system
    equal_steps: str = ""  # why a direct method cannot vary its steps
    singular_failure: str = ""  # why singular configurations are not passed; "" where they are
    singular_failure_controlled: str = ""  # the same where the steps of a direct method are controlled
    time_stepping: bool = False  # takes impacts within its steps
    jump_failure: str = ""  # why it cannot go on after a jump of velocities; "" where it begins anew
    reactions: bool = False  # gives λ at every evaluation
    remembers: bool = False  # `project` is called before `start`, to look at what is to be kept
    law_states: bool = False  # integrates numbers of laws that follow differential equations
    controllable: bool = False  # has the options of `step_control`
    divides: bool = False  # a step whose equations are not solved is taken in parts
    growth: Growth | None = None  # linear stability; None where order and step are chosen on the way
    carried: tuple[Carried, ...] = ()  # numbers of its own in samples, behind those of all methods
    pieces: tuple[str, ...] = ()  # formulation, scheme, stabilisation; nothing of a direct method

    __repr__ = shown_by_name

    @property
    def short_name(self) -> str:
        """The shortest name that `find_method` knows it by."""
        if self.pieces and (self.pieces[0], self.pieces[2]) == (DEFAULT_FORMULATION, DEFAULT_STABILISATION):
            return self.pieces[1]
        return self.name

    def singular_failure_of(self, options: Array) -> str:
        """Why singular configurations are not passed with these numbers of Work.options, or nothing."""
        controlled = bool(self.singular_failure_controlled) and options[step_control.CONTROL] != 0.0
        return self.singular_failure or (self.singular_failure_controlled if controlled else "")

    def own_names(self, given: Mapping[str, float]) -> dict[str, float]:
        """Options by their present names; a number given under that name wins over one under an alias."""
        present = {option.name for option in self.options}
        earlier = {option.alias: option.name for option in self.options if option.alias not in ("", *present)}
        renamed = {earlier[name]: value for name, value in given.items() if name in earlier}
        return {**renamed, **{name: value for name, value in given.items() if name not in earlier}}

    def knows(self, name: str) -> bool:
        """Whether this is the name of an option, the present or an earlier one."""
        return any(name in (option.name, option.alias) for option in self.options)

    def with_options(self, given: Mapping[str, float]) -> Method:
        """The same method with other defaults, named after them; raises SceneError for what does not fit."""
        if not given:
            return self
        self.numbers(given)
        own = self.own_names(given)
        options = tuple(
            option._replace(default=own.get(option.name, option.default)) for option in self.options
        )
        words = ", ".join(f"{name} = {value:g}" for name, value in own.items())
        return replace(self, name=f"{self.name} ({words})", options=options)

    def numbers(self, given: Mapping[str, float], dt: float | None = None) -> Array:
        """Option slots, defaults where nothing is given; raises SceneError for what does not fit.

        With a step, also the slots that follow from it.
        """
        import numpy as np

        slots = np.zeros(SLOT.COLUMNS)
        known = {option.name: option for option in self.options}
        for option in self.options:
            slots[option.slot] = option.default
        problems = []
        for name, value in self.own_names(given).items():
            if name not in known and self.equal_steps and name in CONTROLS:
                message = f"the steps of {self.name!r} cannot be controlled: {self.equal_steps}"
                remedy = "leave the option out, or choose another method"
                problems.append(Problem(f"simulation.options.{name}", value, message, remedy))
            elif name not in known:
                hint = did_you_mean(name, tuple(known))
                message = f"method {self.name!r} has no option {name!r}{hint}"
                remedy = f"its options: {', '.join(known) or 'none'}"
                problems.append(Problem(f"simulation.options.{name}", value, message, remedy))
            elif known[name].exclusive and not value > known[name].minimum:
                message = f"option {name!r} is {value}"
                remedy = f"give a number above {known[name].minimum:g}, such as {known[name].default:g}"
                problems.append(Problem(f"simulation.options.{name}", value, message, remedy))
            elif not value >= known[name].minimum:
                message = f"option {name!r} is {value}"
                remedy = f"give a number of at least {known[name].minimum:g}"
                problems.append(Problem(f"simulation.options.{name}", value, message, remedy))
            elif not value <= known[name].maximum:
                message = f"option {name!r} is {value}"
                remedy = f"give a number of at most {known[name].maximum:g}"
                problems.append(Problem(f"simulation.options.{name}", value, message, remedy))
            elif (choices := known[name].choices) and value not in range(len(choices)):
                message = f"option {name!r} is {value}"
                remedy = f"give one of {', '.join(f'{k} ({text})' for k, text in enumerate(choices))}"
                problems.append(Problem(f"simulation.options.{name}", value, message, remedy))
            else:
                slots[known[name].slot] = value
        if problems:
            raise SceneError(problems)
        for slot, value in self.constants:
            slots[slot] = value
        if self.choose is not None and dt is not None:
            self.choose(slots, dt)
        return slots


def both_rooms(one: Callable[[System], Room], other: Callable[[System], Room], system: System) -> Room:
    """Room for both; that of the other stands behind that of the one."""
    first, second = one(system), other(system)
    return Room(
        matrices=first.matrices + second.matrices,
        vectors=first.vectors + second.vectors,
        order=max(first.order, second.order),
        factors=first.factors + second.factors,
    )


def compose(formulation: FormulationKind, scheme: SchemeKind, stabilisation: StabilisationKind) -> Method:
    """A formulation, a scheme and a stabilisation as one method."""
    singular_failure = singular_failure_of(formulation, scheme, stabilisation)
    options = formulation.options + scheme.options + stabilisation.options
    return Method(
        name=f"{formulation.name}/{scheme.name}/{stabilisation.name}",
        title=f"{formulation.title}, {scheme.title}, {stabilisation.title}",
        summary=scheme.summary,
        order=scheme.order,
        adaptive=scheme.adaptive,
        options=(*options, SINGULAR_POSES) if singular_failure else options,
        functions={
            "feedback": stabilisation.feedback,
            "project": formulation.project or stabilisation.project,
            "rate": formulation.rate,
            "start": formulation.start,
            "report": formulation.report,
            "step": scheme.step,
        },
        size=formulation.size,
        room=partial(both_rooms, formulation.room, stabilisation.room),
        stages=scheme.stages,
        history=scheme.history + stabilisation.remembers,
        remembers=stabilisation.remembers > 0,
        tangents=formulation.tangents,
        implicit=scheme.implicit,
        newton_blocks=scheme.newton_blocks,
        stage_matrices=(scheme.matrices or STAGE_MATRICES) if scheme.stage_by_stage else None,
        sparse_stages=scheme.stage_by_stage and formulation.layout == "qv",
        divides=scheme.implicit,
        bears_damping=scheme.bears_damping,
        ranks=formulation.ranks,
        refuses=formulation.refuses,
        constants=formulation.constants + scheme.constants,
        choose=partial(stabilisation.choose, scheme.growth) if stabilisation.choose else None,
        singular_failure=singular_failure,
        jump_failure=formulation.jump_failure or scheme.jump_failure,
        reactions=formulation.reactions,
        law_states=True,
        growth=scheme.growth,
        carried=formulation.carried,
        pieces=(formulation.name, scheme.name, stabilisation.name),
    )


def singular_failure_of(
    formulation: FormulationKind, scheme: SchemeKind, stabilisation: StabilisationKind
) -> str:
    """Why the three together do not pass singular configurations, or nothing where they do."""
    facts = {stabilisation.name}
    facts |= set() if scheme.implicit else {"explicit"}
    facts |= set() if scheme.adaptive else {"fixed step"}
    for kind in (formulation, stabilisation):
        if kind is stabilisation and (formulation.project is not None or formulation.layout != "qv"):
            continue  # the formulation keeps its joints closed by itself
        if kind.singular_failure and not (kind.passes_with and kind.passes_with <= facts):
            return kind.singular_failure
    return scheme.singular_failure


def preset_words(preset: str) -> str:
    """The name of a preset as it is written in a text."""
    return preset.replace("fox_goodwin", "Fox-Goodwin").replace("_", " ")


def direct(kind: DirectKind, preset: str = "") -> Method:
    """A direct method, or one of its presets: the same with other defaults."""
    values = kind.presets[preset] if preset else {}
    options = tuple(
        option._replace(default=values.get(option.name, option.default)) for option in kind.options
    )
    functions = {"start": kind.start, "step": kind.step, "report": kind.report}
    room, history, stages = kind.room, kind.history, 0
    constants: tuple[tuple[int, float], ...] = ()
    if not kind.equal_steps:
        options += step_control.OPTIONS
        functions |= {"step": step_control.step, "attempt": kind.step}
        room, history, stages = partial(step_control.room, kind.room), 2 * kind.history, step_control.STAGES
        constants = ((step_control.ORDER, float(kind.order)),)
    if kind.singular_failure or kind.singular_failure_controlled:
        options += (SINGULAR_POSES,)
    return Method(
        name=f"{kind.name}/{preset}" if preset else kind.name,
        title=f"{kind.title}, {preset_words(preset)}" if preset else kind.title,
        summary=kind.summary,
        order=kind.order,
        adaptive=kind.adaptive,
        options=options,
        functions=functions,
        size=kind.size,
        room=room,
        stages=stages,
        history=history,
        constants=constants,
        equal_steps=kind.equal_steps,
        controllable=not kind.equal_steps,
        divides=kind.divides,
        jump_failure=kind.jump_failure,
        time_stepping=kind.time_stepping,
        singular_failure=kind.singular_failure,
        singular_failure_controlled=kind.singular_failure_controlled,
        tangents=kind.tangents,
        ranks=kind.ranks,
        refuses=kind.refuses,
        warns=kind.warns,
        growth=kind.growth,
        carried=kind.carried,
    )


def misfit(formulation: FormulationKind, scheme: SchemeKind, stabilisation: StabilisationKind) -> str:
    """Why the three do not go together, or nothing where they do."""
    if scheme.layouts and formulation.layout not in scheme.layouts:
        return f"{scheme.name} steps positions and velocities, which {formulation.name} does not integrate"
    if formulation.project is not None and stabilisation.name != NO_STABILISATION:
        return f"{formulation.name} closes the constraints itself and takes no stabilisation"
    if formulation.project is not None:
        return ""
    if stabilisation.needs_fixed_step and scheme.adaptive:
        return f"{stabilisation.name} takes its gains from a fixed step, and {scheme.name} chooses its steps"
    if stabilisation.feeds_back and not scheme.bears_damping:
        return f"{scheme.name} is unstable with the damping that {stabilisation.name} feeds back"
    if formulation.layout not in stabilisation.layouts:
        return f"{stabilisation.name} cannot correct the state of {formulation.name}"
    return ""


def all_methods(
    formulations: Iterable[FormulationKind] = FORMULATIONS,
    schemes: Iterable[SchemeKind] = SCHEMES,
    stabilisations: Iterable[StabilisationKind] = STABILISATIONS,
    directs: Iterable[DirectKind] = DIRECT,
) -> Registry[Method]:
    """Every combination that makes sense, then the direct methods."""
    compositions = [
        compose(formulation, scheme, stabilisation)
        for formulation in formulations
        for scheme in schemes
        for stabilisation in stabilisations
        if not misfit(formulation, scheme, stabilisation)
    ]
    whole = [direct(kind, preset) for kind in directs for preset in ("", *kind.presets)]
    return Registry("method", *compositions, *whole)


METHODS: Registry[Method] = all_methods()


def find_method(name: str) -> Method:
    """The method of a name, also a short one; raises SceneError with what there is."""
    of_kind("method", name, str, 'give a name, such as "rk4"')
    if name in METHODS:
        return METHODS[name]
    full = f"{DEFAULT_FORMULATION}/{name}/{DEFAULT_STABILISATION}"
    if name in SCHEMES and full in METHODS:
        return METHODS[full]
    raise SceneError([_pieces_that_do_not_fit(name) or _unknown(name)])


def _pieces_that_do_not_fit(name: str) -> Problem | None:
    """Three pieces that are there and make no method; None where one of them is unknown."""
    pieces = tuple(name.split("/"))
    registries: tuple[Registry[Any], ...] = (FORMULATIONS, SCHEMES, STABILISATIONS)
    if len(pieces) != 3 or any(piece not in kinds for piece, kinds in zip(pieces, registries, strict=True)):
        return None
    reason = misfit(*(kinds[piece] for piece, kinds in zip(pieces, registries, strict=True)))

    near: dict[int, str] = {}  # place of the one piece that is replaced → such a method, the usual one first
    for method in METHODS:
        replaced = [i for i, piece in enumerate(method.pieces) if piece != pieces[i]]
        if len(replaced) == 1:
            i = replaced[0]
            if i not in near or method.pieces[i] == USUAL[i]:
                near[i] = method.name
    remedy = f"choose {' or '.join(repr(other) for other in near.values() or [USUAL_METHOD])}"
    return Problem("simulation.method", name, reason, remedy)


def _unknown(name: str) -> Problem:
    message = f"unknown method {name!r}{did_you_mean(name, (*METHODS.names, *SCHEMES.names))}"
    alone = ", ".join((*SCHEMES.names, *DIRECT.names))
    remedy = f"write formulation/scheme/stabilisation such as {'/'.join(USUAL)!r}, or one of: {alone}"
    return Problem("simulation.method", name, message, remedy)
