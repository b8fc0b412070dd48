"""MATLAB: t, values (a column per channel), names and units as cells, summary, scene.

Channels are found by `values(:, strcmp(names, 'energy.total'))`: their names are no names of variables.
"""

from pathlib import Path
from typing import Any

import numpy as np

from engine.results.files.writers.base import FORMAT, TIME, VERSION, Writer
from engine.results.files.writers.extract import Extract


def _write(extract: Extract, path: Path) -> None:
    from scipy.io import savemat  # heavy

    table = extract.table()
    content: dict[str, Any] = {
        "format": FORMAT,
        "version": VERSION,
        TIME: table[:, :1],
        "values": table[:, 1:],
        "names": np.array(extract.names, dtype=object),
        "units": np.array(list(extract.units().values()), dtype=object),
        "summary": {key: value for key, value in extract.facts.items() if not isinstance(value, list | dict)},
        "message": extract.message,
        "scene": extract.scene_text(),
    }
    with open(path, "wb") as file:
        savemat(file, content, long_field_names=True, do_compression=True)


MATLAB = Writer(".mat", "MATLAB", _write, states=False)
