"""Formats of saved runs: one file per format, which writes and reads it, and one line in the table below.

The command line tells the endings in its help, so nothing here or in the files of the formats loads a library
before something is written or read.
"""

from pathlib import Path

from engine.errors import shorten
from engine.registry import Registry
from engine.results.files.formats.as_csv import CSV
from engine.results.files.formats.as_hdf5 import HDF5
from engine.results.files.formats.as_json import JSON
from engine.results.files.formats.as_matlab import MATLAB
from engine.results.files.formats.as_npz import NPZ
from engine.results.files.formats.base import Format

FORMATS: Registry[Format] = Registry("format", CSV, NPZ, HDF5, MATLAB, JSON)


def endings(*, states: bool | None = None) -> tuple[str, ...]:
    """Endings of all formats, or of those with (or without) the states of a run."""
    return tuple(e for kind in FORMATS if states in (None, kind.states) for e in kind.endings)


def format_for(path: Path) -> Format:
    """The format that an ending stands for; raises ValueError for one that nobody knows."""
    ending = path.suffix.lower()
    found = next((kind for kind in FORMATS if ending in kind.endings), None)
    if found is None:
        raise ValueError(
            f"{shorten(str(path), 500)}: unknown ending {path.suffix!r}; use one of {' '.join(FORMATS.names)}"
        )
    return found
