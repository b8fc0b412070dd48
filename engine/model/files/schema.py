"""The published JSON Schema of scene files, made from the structs.

`python -m engine.model.files.schema docs/scene.schema.json` writes it anew.
"""

import os
import sys
from pathlib import Path
from typing import Any

import msgspec

from engine.model.files.json_text import write_json
from engine.model.scene import FORMAT, VERSION, Scene


def scene_schema() -> dict[str, Any]:
    """The schema as plain data."""
    schema = msgspec.json.schema(Scene)
    scene = schema["$defs"]["Scene"]
    scene["required"] = ["format", "version", *scene.get("required", [])]
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"{FORMAT} version {VERSION}",
        **schema,
    }


def schema_text() -> str:
    return write_json(msgspec.to_builtins(scene_schema())) + "\n"


def write_schema(path: str | os.PathLike[str]) -> None:
    """Write the schema to a file."""
    Path(path).write_text(schema_text(), encoding="utf-8")


if __name__ == "__main__":
    write_schema(sys.argv[1])
