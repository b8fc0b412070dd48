"""The units of what a study varies and asks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.errors import SceneError
from engine.maths.expression_units import unit_of
from engine.model.value_at import unit_at
from engine.results.channels import Channels
from engine.system.prepared import prepare

if TYPE_CHECKING:
    from engine.studies.study import Study

TIMES = ("time",)  # reductions that give an instant, whatever they look at


def column_units(study: Study) -> dict[str, str]:
    """SI units of variables and objectives, as far as they are known."""
    found = {path: unit_at(study.scene, path) for path in study.columns}
    try:
        channels = Channels(prepare(study.scene).mechanism)
    except SceneError:
        return found
    parameters = {parameter.name: parameter.unit for parameter in study.scene.parameters}

    def unit(name: str) -> str:
        return "s" if name == "t" else channels.unit(name) if name in channels else parameters.get(name, "")

    for objective in study.objectives:
        found[objective.name] = "s" if objective.reduce in TIMES else unit_of(objective.expression, unit)
    return found
