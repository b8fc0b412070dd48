"""JSON for all else; numbers that are not finite are null."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from engine.results.files.formats.base import FORMAT, TIME, VERSION, Curves, Format, plain

if TYPE_CHECKING:
    from engine.results.files.extract import Extract


def _write(extract: Extract, path: Path) -> None:
    table = extract.table()
    content = {
        "format": FORMAT,
        "version": VERSION,
        "summary": dict(extract.facts),
        "message": extract.message,
        TIME: table[:, 0].tolist(),
        "units": extract.units(),
        "channels": {name: table[:, i].tolist() for i, name in enumerate(extract.names, 1)},
    }
    path.write_bytes(json.dumps(plain(content), ensure_ascii=False, allow_nan=False).encode())


def _read(path: Path) -> Curves:
    import numpy as np

    content = json.loads(path.read_text(encoding="utf-8"))
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise ValueError("it is no trajectory")
    numbers = {name: np.array(values, dtype=float) for name, values in content["channels"].items()}
    units = {name: str(content["units"].get(name, "")) for name in numbers}
    return Curves(np.array(content[TIME], dtype=float).ravel(), numbers, units, path.stem)


JSON = Format(
    name=".json",
    title="JSON",
    write=_write,
    read_curves=_read,
    mark=f'"format": "{FORMAT}"'.encode(),  # other files of this ending are scenes
)
