"""The published JSON Schema: up to date, and of one mind with the program."""

import re
from typing import Any

import pytest

from engine.model.files.schema import scene_schema, schema_text
from tests.engine.model.good import planar, spatial
from tests.paths import ROOT

PUBLISHED = ROOT / "docs" / "scene.schema.json"
TYPES = {
    "object": dict,
    "array": list,
    "string": str,
    "number": (int, float),
    "integer": int,
    "null": type(None),
}


def test_the_published_schema_is_up_to_date():
    assert PUBLISHED.read_text(encoding="utf-8") == schema_text(), (
        "write it anew: python -m engine.model.files.schema docs/scene.schema.json"
    )


def accepts(schema: dict[str, Any], value: Any, root: dict[str, Any]) -> bool:
    """The part of JSON Schema that the file uses."""
    if "$ref" in schema:
        schema = {
            **root["$defs"][schema["$ref"].removeprefix("#/$defs/")],
            **{k: v for k, v in schema.items() if k != "$ref"},
        }
    number = isinstance(value, (int, float)) and not isinstance(value, bool)
    checks = [
        "enum" not in schema or value in schema["enum"],
        "anyOf" not in schema or any(accepts(option, value, root) for option in schema["anyOf"]),
        "minimum" not in schema or not number or value >= schema["minimum"],
        "maximum" not in schema or not number or value <= schema["maximum"],
        "exclusiveMinimum" not in schema or not number or value > schema["exclusiveMinimum"],
        "pattern" not in schema or re.search(schema["pattern"], value) is not None,
    ]
    if schema.get("type") == "boolean":
        checks.append(isinstance(value, bool))
    elif "type" in schema:
        checks.append(isinstance(value, TYPES[schema["type"]]) and not isinstance(value, bool))
    if isinstance(value, dict):
        known = schema.get("properties", {})
        checks.append(all(name in value for name in schema.get("required", ())))
        rest = schema.get("additionalProperties", True)
        for key, item in value.items():
            wanted = known.get(key, rest)
            checks.append(wanted if isinstance(wanted, bool) else accepts(wanted, item, root))
    if isinstance(value, list):
        checks.append(schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", len(value)))
        items = schema.get("items", True)
        if isinstance(items, dict):
            checks.append(all(accepts(items, item, root) for item in value))
    return all(checks)


@pytest.mark.parametrize("raw", [planar(), spatial()], ids=["planar", "spatial"])
def test_the_schema_accepts_sound_scenes(raw):
    assert accepts(scene_schema(), raw, scene_schema())


@pytest.mark.parametrize(
    ("place", "value"),
    [("mass", -1), ("mass", [1]), ("maas", 1), ("color", "red"), ("position", [1]), ("hold", "x")],
)
def test_the_schema_refuses_what_the_program_refuses(place, value):
    raw = planar()
    raw["bodies"][0][place] = value
    assert not accepts(scene_schema(), raw, scene_schema())


def test_the_schema_wants_format_and_version():
    raw = planar()
    del raw["version"]
    assert not accepts(scene_schema(), raw, scene_schema())
