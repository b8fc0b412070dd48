"""The units of what a study varies and asks. No Qt."""

from __future__ import annotations

from app.document.channels.channel_formula import unit_of
from engine.errors import SceneError
from engine.model.value_at import unit_at
from engine.results.channels import Channels
from engine.studies.study import Study
from engine.system.prepared import prepare

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
