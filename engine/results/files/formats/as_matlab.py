"""MATLAB: t, values (a column per channel), names and units as cells, summary, scene.

Channels are found by `values(:, strcmp(names, 'energy.total'))`: their names are no names of variables.
"""

from __future__ import annotations

import warnings
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.results.files.formats.base import FORMAT, TIME, VERSION, Curves, Format
from engine.results.files.formats.matlab_bounds import check_sizes

if TYPE_CHECKING:
    from engine.results.files.extract import Extract


def _write(extract: Extract, path: Path) -> None:
    import numpy as np
    from scipy.io import savemat  # heavy

    table = extract.table()
    # no lists and no nested structs, which are awkward there; the verdict is its words
    summary = {key: value for key, value in extract.facts.items() if not isinstance(value, list | dict)}
    if "trust" in extract.facts:
        summary["trust"] = extract.facts["trust"]["words"]
    content: dict[str, Any] = {
        "format": FORMAT,
        "version": VERSION,
        TIME: table[:, :1],
        "values": table[:, 1:],
        "names": np.array(extract.names, dtype=object),
        "units": np.array(list(extract.units().values()), dtype=object),
        "summary": summary,
        "message": extract.message,
        "scene": extract.scene_text(),
    }
    with open(path, "wb") as file:
        savemat(file, content, long_field_names=True, do_compression=True)


def _read(path: Path) -> Curves:
    import numpy as np
    from scipy.io import loadmat  # heavy

    data = path.read_bytes()
    check_sizes(data)
    with warnings.catch_warnings(action="error"):  # "returned data may be corrupt"
        content = loadmat(BytesIO(data), simplify_cells=True)
    t = np.atleast_1d(np.asarray(content["t"], dtype=float)).ravel()
    names, units = (list(np.atleast_1d(content[word])) for word in ("names", "units"))
    values = np.asarray(content["values"], dtype=float).reshape(len(t), len(names))
    return Curves(
        t,
        {str(name): values[:, i] for i, name in enumerate(names)},
        {
            str(name): str(unit) if isinstance(unit, str) else ""
            for name, unit in zip(names, units, strict=True)
        },
        path.stem,
    )


MATLAB = Format(name=".mat", title="MATLAB", write=_write, read_curves=_read)
