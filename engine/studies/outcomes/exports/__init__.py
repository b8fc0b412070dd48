"""Formats of tables: one file per format, one line here."""

from pathlib import Path

from engine.registry import Registry
from engine.studies.outcomes.exports.as_csv import CSV
from engine.studies.outcomes.exports.as_hdf5 import HDF5
from engine.studies.outcomes.exports.as_parquet import PARQUET
from engine.studies.outcomes.exports.base import Export

EXPORTS: Registry[Export] = Registry("format of tables", CSV, HDF5, PARQUET)


def export_for(path: Path) -> Export:
    """The format that an ending stands for; raises ValueError for one that nobody knows."""
    name = path.suffix.lower().removeprefix(".")
    if name not in EXPORTS:
        known = " ".join(f".{kind}" for kind in EXPORTS.names)
        raise ValueError(f"{path}: unknown ending {path.suffix!r}; use one of {known}")
    return EXPORTS[name]
