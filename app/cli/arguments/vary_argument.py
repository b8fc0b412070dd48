"""`--vary PATH=FROM:TO:N` and `--probe`: a study of a scene without a file of its own."""

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from app.cli.arguments.set_argument import parse_value
from app.platform.user_error import InputError

if TYPE_CHECKING:
    from engine import Scene, Study

REMEDY = "write for instance --vary parameters.L1=0.2:0.4:5, or --vary simulation.method=rk4,radau"
USUAL_PROBES = ("max:abs(energy.error)", "max:violation.position")  # where nothing else is asked


def study_of(scene: "Scene", vary: Sequence[str], probes: Sequence[str]) -> "Study":
    """All combinations of the values; raises InputError for what is no range or list of them."""
    from engine import Study  # heavy: Numba

    study = Study(scene=scene, title=scene.title)
    for text in vary:
        study = study.with_variable(**_variable(text))
    for text in probes or USUAL_PROBES:
        reduction, expression = _probe(text)
        study = study.with_objective(text, expression, reduction)
    return study.refuse_problems()


def _variable(text: str) -> dict[str, Any]:
    """Kind, path and values; a range is an interval, which sensitivities and shares of variance ask for."""
    path, equals, given = text.partition("=")
    if not (path.strip() and equals and given.strip()):
        raise InputError(f"--vary {text!r} is not PATH=FROM:TO:N or PATH=VALUE,VALUE,…", remedy=REMEDY)
    if ":" not in given:
        values = [parse_value(value) for value in given.split(",")]
        return {"kind": "choices", "path": path.strip(), "values": values}
    try:
        low, high, count = given.split(":")
        start, end, number = float(low), float(high), int(count)
    except ValueError:
        number = 0
    if number < 1 or not (math.isfinite(start) and math.isfinite(end)):
        raise InputError(f"--vary {text!r}: {given} is not FROM:TO:N", remedy=REMEDY)
    if number > 1 and start < end:
        return {"kind": "interval", "path": path.strip(), "low": start, "high": end, "count": number}
    values = [start + (end - start) * k / max(1, number - 1) for k in range(number)]
    return {"kind": "choices", "path": path.strip(), "values": values}


def _probe(text: str) -> tuple[str, str]:
    """Reduction and expression: `max:body.slider.pos.x`; without a reduction the value at the end."""
    from engine.studies.objectives import AT, REDUCTIONS

    reduction, colon, expression = text.partition(":")
    if not colon:
        return "final", text
    if reduction not in REDUCTIONS or reduction == AT:
        known = ", ".join(kind.name for kind in REDUCTIONS if kind.name != AT)
        raise InputError(f"--probe {text!r}: there is no {reduction!r}", remedy=f"known: {known}")
    return reduction, expression
