"""A study: a scene, the values of it that vary, how they vary together, and what is asked of each run."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable
from concurrent.futures import Executor
from typing import TYPE_CHECKING, Annotated, Any, Literal, Union

import msgspec

from engine.elements.base import Part
from engine.elements.fields import text
from engine.errors import Problem, SceneError, shorten
from engine.model.decode import BROKEN, decode, plain
from engine.model.scene import Scene
from engine.progress import Cancel, Progress
from engine.studies.checks import problems_of, settled
from engine.studies.designs import DESIGNS
from engine.studies.designs.base import Design, Points
from engine.studies.designs.grid import Grid
from engine.studies.objectives import AT, Objective
from engine.studies.optimisation.goal import Limit, Term
from engine.studies.outcomes.table import Table
from engine.studies.variables import VARIABLES
from engine.studies.variables.base import Variable

if TYPE_CHECKING:
    from engine.studies.optimisation.optimise import Optimum
    from engine.studies.running.place import Place
    from engine.studies.sensitivity.derivatives import Sensitivities
    from engine.studies.sensitivity.sobol_indices import SobolIndices

    AnyVariable = Variable
    AnyDesign = Design
else:
    AnyVariable = Union[tuple(kind.spec for kind in VARIABLES)]  # noqa: UP007
    AnyDesign = Union[tuple(kind.spec for kind in DESIGNS)]  # noqa: UP007

FORMAT = "trammel-study"


class Study(Part, frozen=True):
    """Many runs of a scene. Calls such as `study.with_design("sobol", count=64)` give a new study."""

    scene: Annotated[Scene, text("Scene")]
    format: Annotated[Literal["trammel-study"], text("Format")] = "trammel-study"
    version: Annotated[Literal[1], text("Version")] = 1
    title: Annotated[str, text("Title")] = ""
    notes: Annotated[str, text("Notes")] = ""
    vary: Annotated[tuple[AnyVariable, ...], text("Variables")] = ()
    design: Annotated[AnyDesign, text("Design")] = Grid()
    objectives: Annotated[tuple[Objective, ...], text("Objectives")] = ()
    goal: Annotated[
        tuple[Term, ...], text("Goal", "what a search makes small, large, or brings to a target")
    ] = ()
    limits: Annotated[tuple[Limit, ...], text("Limits", "that a search keeps")] = ()

    def with_variable(self, kind: str, path: str, **fields: Any) -> Study:
        """The study with one more variable: `with_variable("choices", "parameters.L", values=[1, 2])`."""
        data = {"kind": kind, "path": path, **plain(fields, f'vary "{shorten(path)}"')}
        return msgspec.structs.replace(
            self, vary=(*self.vary, _built(VARIABLES[kind].spec, data, f'vary "{path}"'))
        )

    def with_design(self, kind: str, **fields: Any) -> Study:
        data = {"kind": kind, **plain(fields, "design")}
        return msgspec.structs.replace(self, design=_built(DESIGNS[kind].spec, data, "design"))

    def with_objective(self, name: str, expression: str, reduce: str = "final", *, at: float = 0.0) -> Study:
        data = plain({"name": name, "expression": expression, "reduce": reduce, "at": at}, "objectives")
        objective = _built(Objective, data, f'objectives "{shorten(name)}"')
        return msgspec.structs.replace(self, objectives=(*self.objectives, objective))

    def with_goal(
        self, objective: str, sense: str = "minimise", *, target: float = 0.0, weight: float = 1.0
    ) -> Study:
        """One more term of what a search wants: minimise, maximise, or bring to a target."""
        data = {"objective": objective, "sense": sense, "target": target, "weight": weight}
        return msgspec.structs.replace(self, goal=(*self.goal, _built(Term, data, "goal")))

    def with_limit(
        self,
        *,
        objective: str = "",
        expression: str = "",
        min: float | None = None,
        max: float | None = None,
    ) -> Study:
        """A bound that a search keeps: of an objective, or of an expression of parameters."""
        data = {"objective": objective, "expression": expression, "min": min, "max": max}
        limit = _built(Limit, plain(data, "limits"), "limits")
        return msgspec.structs.replace(self, limits=(*self.limits, limit))

    def with_fit(self, expression: str, t: Any, values: Any, *, weight: float = 1.0) -> Study:
        """Measured values of an expression of channels at instants: a target for each of them."""
        objectives, terms, times = list(self.objectives), list(self.goal), Counter[str]()
        for instant, value in zip(map(float, t), map(float, values), strict=True):
            name = f"{expression} at {instant:.9g} s"
            times[name] += 1
            if times[name] > 1:  # measured again
                name = f"{name} ({times[name]})"
            objectives.append(Objective(name=name, expression=expression, reduce=AT, at=instant))
            data = {"objective": name, "sense": "target", "target": value, "weight": weight}
            terms.append(_built(Term, data, f"fit of {expression} at {instant:.9g} s"))
        return msgspec.structs.replace(self, objectives=tuple(objectives), goal=tuple(terms))

    def problems(self) -> list[Problem]:
        """What is wrong with the study; nothing when it can be run."""
        return problems_of(self)

    def refuse_problems(self) -> Study:
        """Itself; raises SceneError with all that is wrong."""
        if found := self.problems():
            raise SceneError(found, self.title or "study")
        return self

    @property
    def columns(self) -> tuple[str, ...]:
        """Paths of the values that vary."""
        return tuple(variable.path for variable in self.vary)

    def points(self) -> Points:
        """The values of each run, in the order of `columns`; raises SceneError."""
        self.refuse_problems()
        variables = [settled(variable, self.scene) for variable in self.vary]
        return DESIGNS[str(self.design.__struct_config__.tag)].points(self.design, variables)

    def run(
        self,
        store: str | os.PathLike[str] | None = None,
        *,
        workers: int | None = None,
        executor: Executor | None = None,
        place: Place | None = None,
        retry: bool = False,
        progress: Progress | None = None,
        cancel: Cancel | None = None,
    ) -> Table:
        """Run what the store does not know yet, and give the rows of all runs in the order of the design.

        `workers` processes of this machine (all its processors unless told, 0: this process alone), or an
        executor of your own, or a place that is open already. With `retry` what failed before is run again.
        Without a store the rows are kept in memory only. In a notebook and in a terminal a bar tells the
        progress unless you give a `progress` of your own. Raises SceneError.
        """
        from engine.studies.running.notebook import told
        from engine.studies.running.sweep import sweep  # heavy: Numba

        with told(progress) as tell:
            return sweep(
                self,
                store=store,
                workers=workers,
                executor=executor,
                place=place,
                retry=retry,
                progress=tell,
                cancel=cancel,
            )

    def sensitivities(
        self, store: str | os.PathLike[str] | None = None, *, direct: bool = False, **running: Any
    ) -> Sensitivities:
        """Derivatives of the objectives by the variables at the values of the scene, with their errors.

        `running` is what `run` takes. `direct`: from one run and its variational equations, in this process.
        Raises SceneError.
        """
        from engine.studies.sensitivity.derivatives import direct_sensitivities, sensitivities

        if direct:
            return direct_sensitivities(self, running.get("cancel"))
        return sensitivities(self, store=store, **running)

    def sobol_indices(
        self, count: int = 256, *, seed: int = 0, store: str | os.PathLike[str] | None = None, **running: Any
    ) -> SobolIndices:
        """Shares of the variance of the objectives, from count · (variables + 2) runs. Raises SceneError."""
        from engine.studies.sensitivity.sobol_indices import sobol_indices

        return sobol_indices(self, count, seed, store=store, **running)

    def optimise(self, search: str = "nelder_mead", **options: Any) -> Optimum:
        """Search the best values of the variables; see `engine.studies.optimisation.optimise`."""
        from engine.studies.optimisation.optimise import optimise

        return optimise(self, search, **options)


def _built(spec: Callable[..., Any], data: dict[str, Any], path: str) -> Any:
    problems: list[Problem] = []
    item = decode(spec, data, path, problems)
    if item is BROKEN:
        raise SceneError(problems, "study")
    return item
