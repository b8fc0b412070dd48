"""HDF5: one data set per column, and what each is as an attribute."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from engine.results.files.formats.base import program
from engine.studies.outcomes.exports.base import Export

if TYPE_CHECKING:
    from engine.studies.outcomes.table import Table


def _write(table: Table, path: Path) -> None:
    import h5py  # heavy

    with h5py.File(path, "w", track_order=True) as file:
        file.attrs.update(
            {"format": "trammel-table", "version": 1, "program": program(), "title": table.title}
        )
        for name in table.columns:
            cells = table.column(name)
            words = cells.dtype.kind not in "fiub"
            data = file.create_dataset(name, data=cells.tolist() if words else cells)
            role = "variable" if name in table.variables else "fact"
            data.attrs["unit"] = table.units.get(name, "")
            data.attrs["role"] = "objective" if name in table.objectives else role


HDF5 = Export("h5", "HDF5, one data set per column", _write)
