"""JSON for all else; numbers that are not finite are null."""

import json
from pathlib import Path

from engine.results.files.writers.base import FORMAT, TIME, VERSION, Writer, plain
from engine.results.files.writers.extract import Extract


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


JSON = Writer(".json", "JSON", _write, states=False)
