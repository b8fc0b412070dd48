"""Parquet, for tables of millions of runs; its library is an extra."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from engine.missing_extra import MissingExtra
from engine.studies.outcomes.exports.base import Export

if TYPE_CHECKING:
    from engine.studies.outcomes.table import Table


def _require() -> None:
    try:
        import pyarrow  # noqa: F401
    except ImportError:
        raise MissingExtra("Parquet files", "pyarrow", "parquet") from None


def _write(table: Table, path: Path) -> None:
    _require()
    import pyarrow
    from pyarrow import parquet

    found = pyarrow.table({name: table.column(name) for name in table.columns})
    fields = [field.with_metadata({"unit": table.units.get(field.name, "")}) for field in found.schema]
    parquet.write_table(found.cast(pyarrow.schema(fields)), path)


PARQUET = Export("parquet", "Parquet (extra `parquet`)", _write, _require)
