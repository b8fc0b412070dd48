"""Every kind: documented, drawn by a word of the vocabulary, and declared by rows that fit its table."""

import re
from typing import Any

import pytest

from engine import FORCES, JOINTS, MOTIONS
from engine.elements.base import Anchor
from engine.elements.bodies.shapes import SHAPES
from engine.elements.coordinates.coordinate_functions import Angle, Combination
from engine.elements.fields import LIMITS, fields_of
from engine.elements.joints.coupler import Term
from engine.elements.measures import MEASURES
from tests.paths import ROOT

PAGE = (ROOT / "docs" / "scene-format.md").read_text(encoding="utf-8")
NUMBERS = {"pitch": 0.3, "ratio": 2.0, "radius": 0.5, "radius_a": 0.2, "radius_b": 0.3}
OTHERS: dict[str, Any] = {
    "a": Anchor(body="world"),
    "b": Anchor(body="wheel"),
    "coordinates": ("x", "y"),
    "terms": (Term(joint="J", coordinate="angle"), Term(joint="K", coordinate="angle", factor=2.0)),
}


def table(title: str) -> dict[str, list[str]]:
    """Kind → cells of its line in the section's table."""
    section = PAGE.split(f"## {title}")[1].split("\n## ")[0]
    lines = [line.strip("|").split("|") for line in section.splitlines() if line.startswith("| ")]
    return {
        cells[0].strip(): [cell.strip() for cell in cells] for cells in lines if cells[0].strip() != "kind"
    }


def example(kind: Any) -> Any:
    values = {"name": "E", **NUMBERS, **OTHERS}
    return kind.spec(**{f.name: values.get(f.name, f.name) for f in fields_of(kind.spec) if f.required})


@pytest.mark.parametrize(
    ("title", "kinds"),
    [("Joints", JOINTS), ("Forces", FORCES), ("Motions", MOTIONS)],
    ids=lambda x: str(x)[:8],
)
def test_the_page_and_the_registry_know_the_same_kinds(title, kinds):
    assert set(table(title)) == set(kinds.names)


def test_the_page_names_every_shape_and_measure():
    for kinds in (SHAPES, MEASURES):
        for kind in kinds:
            assert re.search(rf"\b{kind.name} \{{", PAGE), kind.name


@pytest.mark.parametrize("kind", list(JOINTS), ids=lambda kind: kind.name)
def test_a_joint_has_the_rows_and_coordinates_of_the_page(kind):
    cells = table("Joints")[kind.name]
    spec = example(kind)
    rows = kind.rows_in("spatial", spec)
    counts = [sum(map(int, re.findall(r"\d", re.sub(r"\(.*", "", side)))) for side in cells[2].split(" / ")]
    if kind.name != "lock":
        assert len(rows) == counts[0]
        if kind.planar_rows is None:
            assert cells[2].endswith("–")
            with pytest.raises(ValueError, match="planar"):
                kind.rows_in("planar", spec)
        else:
            assert len(kind.rows_in("planar", spec)) == counts[1]
    named = set(filter(None, cells[3].split(", ")))
    assert set(kind.coordinates_in("spatial")) == named
    if kind.planar_rows is not None:
        assert set(kind.coordinates_in("planar")) == named
    assert hasattr(spec, "start") == bool(named)
    assert hasattr(spec, "a") == hasattr(spec, "b") == kind.uses_anchors


@pytest.mark.parametrize("kind", list(JOINTS), ids=lambda kind: kind.name)
def test_rows_are_labelled_for_people(kind):
    for space in ("spatial", "planar") if kind.planar_rows else ("spatial",):
        rows = kind.rows_in(space, example(kind))
        assert len({row.label for row in rows}) == len(rows)
        assert all(row.unit in ("m", "rad", "m/s") for row in rows)
        assert all((row.level == "velocity") == (row.unit == "m/s") for row in rows)


@pytest.mark.parametrize("kind", [*JOINTS, *FORCES, *MOTIONS, *SHAPES, *MEASURES], ids=lambda kind: kind.icon)
def test_a_kind_states_its_facts(kind):
    assert all((kind.name, kind.title, kind.summary, kind.symbol, kind.icon, kind.spec.__doc__))
    for field in fields_of(kind.spec):
        assert field.title, f"{kind.name}.{field.name} has no title"
        assert field.role, f"{kind.name}.{field.name} has no role"
        assert set(field.limits) <= set(LIMITS)


def test_couplers_have_the_signs_of_the_page():
    def terms(name: str, **changes: Any) -> Any:
        values = {
            **{f.name: NUMBERS.get(f.name, f.name) for f in fields_of(JOINTS[name].spec) if f.required},
            **changes,
        }
        [row] = JOINTS[name].rows_in("planar", JOINTS[name].spec(**values))
        return row.coordinate_function.terms

    assert terms("gear") == (("joint_a", "angle", 1.0), ("joint_b", "angle", 2.0))
    assert terms("gear", internal=True)[1] == ("joint_b", "angle", -2.0)
    assert terms("belt") == (("joint_a", "angle", 0.2), ("joint_b", "angle", -0.3))
    assert terms("belt", crossed=True)[1] == ("joint_b", "angle", 0.3)
    assert terms("rack_pinion") == (("rack", "displacement", 1.0), ("pinion", "angle", -0.5))


def test_a_screw_advances_by_its_pitch_in_one_turn():
    row = JOINTS["screw"].rows_in("spatial", example(JOINTS["screw"]))[-1]
    assert isinstance(row.coordinate_function, Combination)
    (joint, coordinate, factor), (_, turned, advance) = row.coordinate_function.terms
    assert (joint, coordinate, factor, turned) == ("E", "displacement", 1.0, "angle")
    assert -advance * 2.0 * 3.141592653589793 == pytest.approx(0.3)
    assert JOINTS["revolute"].coordinates == {"angle": Angle()}


def test_rows_want_resolved_numbers():
    screw = JOINTS["screw"]
    spec = screw.spec(name="E", a=Anchor(body="world"), b=Anchor(body="b"), pitch="L/2")
    with pytest.raises(TypeError, match="resolve the scene first"):
        screw.rows_in("spatial", spec)
