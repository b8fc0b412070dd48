"""A motion, a measure, an analysis, a command and a format that no list of the program names.

Like `new_kinds`, put into the registries before anything reads them; `uses.py` then uses them as a user does.
"""

import argparse
import json
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np

import app.cli as cli
import engine.elements.drivers as drivers
import engine.elements.measures as measures
import engine.results.files.formats as formats
from app.cli.base import Command
from app.cli.output import write_json, write_line
from engine.elements.base import Anchor, Function
from engine.elements.coordinates.coordinate_functions import Distance
from engine.elements.drivers.base import MotionBuilder, MotionKind, MotionSpec, Moved
from engine.elements.fields import function, text
from engine.elements.measures.base import MeasureBuilder, MeasureKind, MeasureSpec, PointOf, Read
from engine.registry import Registry
from engine.results.files.formats.base import Format, StoredPart, StoredRun
from tests.contract import examples
from tests.contract.examples import WAVE, Example

LENGTH = f"1.7 + {WAVE}"  # m


class ActuatorSpec(MotionSpec, frozen=True, kw_only=True, tag="prototype_actuator"):
    """Prescribe the distance of two points."""

    a: Annotated[Anchor, text("Frame A")]
    b: Annotated[Anchor, text("Frame B")]
    level: Annotated[Literal["position", "velocity"], text("Level")] = "position"
    function: Annotated[Function, function("Length", "m")]


def coordinate_function(spec: ActuatorSpec, build: MotionBuilder) -> int:
    return build.between(spec.a, spec.b, Distance())


ACTUATOR = MotionKind(
    spec=ActuatorSpec,
    title="Linear actuator",
    summary="The distance of two points follows a function of time",
    symbol="prototype",
    icon="motion-body",
    coordinate_function=coordinate_function,
    moves=lambda spec: Moved("motion", spec.name, "displacement"),
)


class WidthMeasure(MeasureSpec, frozen=True, kw_only=True, tag="prototype_width"):
    """How far two points are apart along x."""

    a: Annotated[PointOf, text("Point A")]
    b: Annotated[PointOf, text("Point B")]


def read(spec: WidthMeasure, build: MeasureBuilder) -> Read:
    a, b = (build.position(end.body, end.point) for end in (spec.a, spec.b))
    return lambda samples: np.abs(b(samples)[:, 0] - a(samples)[:, 0])


WIDTH = MeasureKind(
    spec=WidthMeasure,
    title="Width",
    summary="Distance of two points along x",
    symbol="ruler",
    icon="measure-distance",
    read=read,
    unit=lambda spec: "m",
    between=lambda a, b: {"a": a, "b": b},
)


def count_bodies(question: Any) -> Any:
    from engine.analyses.answers.result import Column, Result, Table

    question.stage(0.5, "counting")
    found = len(question.mechanism.bodies)
    table = Table("Bodies", (Column("Number"),), ((float(found),),))
    return Result(f"{found} bodies move.", tables=(table,))


def _configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("scene", metavar="SCENE")


def _execute(options: argparse.Namespace) -> int:
    from app.platform.resources import find_scene
    from engine import load_scene

    count = len(load_scene(find_scene(options.scene)).joints)
    write_json({"joints": count}) if options.json else write_line(f"{count} joints")
    return 0


def _write(extract: Any, path: Path) -> None:
    from engine.model.files.scene_file import dumps

    parts = [
        {"scene": dumps(part.scene), "states": part.samples.tolist(), "facts": part.facts()}
        for part in extract.segments
    ]
    whole = {"scene": extract.scene_text(), "facts": dict(extract.facts), "message": extract.message}
    path.write_text(json.dumps({**whole, "parts": parts}), encoding="utf-8")


def _read(path: Path) -> StoredRun:
    found = json.loads(path.read_text(encoding="utf-8"))
    parts = [StoredPart(part["scene"], np.array(part["states"]), part["facts"]) for part in found["parts"]]
    return StoredRun(found["facts"], found["message"], found["scene"], parts)


drivers.MOTIONS = Registry("motion", *drivers.MOTIONS, ACTUATOR)
measures.MEASURES = Registry("measure", *measures.MEASURES, WIDTH)


def register_analysis() -> None:
    """Last: it loads the types of a scene, which are made from the registries of motions and measures."""
    import engine.analyses as analyses
    from engine.analyses.base import Analysis, NoOptions

    count = Analysis(
        name="prototype_count",
        title="Count of bodies",
        summary="How many bodies can move.",
        options=NoOptions,
        run=count_bodies,
    )
    analyses.ANALYSES = Registry("analysis", *analyses.ANALYSES, count)


cli.COMMANDS = (
    *cli.COMMANDS,
    Command("prototype", "count the joints of a scene", _configure, _execute),
)
formats.FORMATS = Registry(
    "format", *formats.FORMATS, Format(name=".prototype", title="Prototype", write=_write, read_run=_read)
)
examples.MOTIONS["prototype_actuator"] = (
    Example(**examples.both(function=LENGTH)),
    Example(**examples.both(function=WAVE, level="velocity")),
)
register_analysis()
