"""NPZ for NumPy: channels by their names, and the states, so that the run can be opened again.

Keys: t, every channel by its name, scene, summary, units; `segments` lists stretches of the run, and for the
i-th of them there is `scene.i` and `states.i`, whose columns `segments` tells. A run of one stretch, as most
are, has `states` and `layout` in place of `states.0`.
"""

import json
from pathlib import Path
from typing import Any

import numpy as np

from engine.model.files.scene_file import dumps
from engine.results.files.writers.base import FORMAT, TIME, VERSION, Writer, plain
from engine.results.files.writers.extract import Extract


def _write(extract: Extract, path: Path) -> None:
    table = extract.table()
    arrays: dict[str, Any] = {
        "format": FORMAT,
        "version": VERSION,
        TIME: table[:, 0],
        "scene": extract.scene_text(),
        "summary": json.dumps(plain(dict(extract.facts))),
        "message": extract.message,
        "units": json.dumps(extract.units(), ensure_ascii=False),
        "start_energy": extract.start_energy,
    }
    segments = [
        {**stretch.facts(), **stretch.pulls(), "columns": stretch.columns()} for stretch in extract.stretches
    ]
    arrays["segments"] = json.dumps(plain(segments))
    if len(segments) == 1:
        arrays["layout"] = json.dumps(segments[0]["columns"])
        arrays["states"] = extract.stretches[0].samples
        arrays["scene.0"] = dumps(extract.stretches[0].scene)
    else:
        for i, stretch in enumerate(extract.stretches):
            arrays[f"states.{i}"], arrays[f"scene.{i}"] = stretch.samples, dumps(stretch.scene)
    arrays |= {name: table[:, i] for i, name in enumerate(extract.names, 1)}
    with open(path, "wb") as file:
        np.savez(file, **arrays)


NPZ = Writer(".npz", "NumPy, opens as a replay", _write, states=True)
