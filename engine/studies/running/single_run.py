"""One run of a study: values into the scene, simulate, objectives out. Trouble is a row, not an exception."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

from engine.errors import SceneError, shorten
from engine.model.scene import Scene
from engine.model.set_value import set_value
from engine.progress import Cancel, Cancelled
from engine.results.trajectory import Trajectory
from engine.simulation.simulation import simulate
from engine.studies.objectives import Objective
from engine.studies.outcomes.row import Row
from engine.studies.variables.base import Value

if TYPE_CHECKING:
    from engine.studies.study import Study

METHOD = "simulation.method"
REFUSED, FAILED = "refused", "failed"


def varied(study: Study, values: Sequence[Value]) -> tuple[Scene, str | None]:
    """The scene with the values of one run, and the method where it varies; raises SceneError."""
    scene, method = study.scene, None
    for path, value in zip(study.columns, values, strict=True):
        if path == METHOD:
            method = str(value)  # as an argument, so that options that it does not know are left out
        else:
            scene = set_value(scene, path, value)
    return scene, method


def single_run(study: Study, key: str, values: tuple[Value, ...], cancel: Cancel | None = None) -> Row:
    """The row of one run; raises Cancelled."""
    begin = time.perf_counter()
    none = (None,) * len(study.objectives)

    def row(objectives: tuple[float | None, ...], status: str, message: str) -> Row:
        return Row(key, values, objectives, status, message, time.perf_counter() - begin)

    try:
        scene, method = varied(study, values)
        run = simulate(scene, method=method, cancel=cancel, timed=False)
        status = run.status.name.lower()
        if status == "cancelled":
            raise Cancelled
        if run.status.failed:
            return row(none, status, run.message)
        found = _values(run, study.objectives)
    except SceneError as error:
        return row(none, REFUSED, "; ".join(f"{p.path}: {p.message}" for p in error.problems))
    except (ArithmeticError, LookupError, MemoryError, ValueError) as error:
        return row(none, FAILED, f"it could not be computed: {shorten(str(error)) or 'a number without end'}")
    missing = [
        objective.name for objective, value in zip(study.objectives, found, strict=True) if value is None
    ]
    message = f"no finite value of {', '.join(missing)}" if missing else run.accuracy_warning
    return row(found, status, message)


def _values(run: Trajectory, objectives: Sequence[Objective]) -> tuple[float | None, ...]:
    """The numbers that the objectives are in this run; None where there is none."""
    curves = {text: run.expression(text) for text in {objective.expression for objective in objectives}}
    values = [objective.of(run.t, curves[objective.expression]) for objective in objectives]
    return tuple(value if math.isfinite(value) else None for value in values)
