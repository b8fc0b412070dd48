"""Trajectories as files: one file per format, and one line per format in the table below."""

from __future__ import annotations

import os
from pathlib import Path

from engine.registry import Registry
from engine.results.files.writers.as_csv import CSV
from engine.results.files.writers.as_hdf5 import HDF5
from engine.results.files.writers.as_json import JSON
from engine.results.files.writers.as_matlab import MATLAB
from engine.results.files.writers.as_npz import NPZ
from engine.results.files.writers.base import FORMAT, VERSION, Writer, part_name, whole, write_whole
from engine.results.files.writers.extract import Cancelled, Choice, Extract, Stretch, taken

__all__ = [
    "FORMAT",
    "VERSION",
    "WRITERS",
    "Cancelled",
    "Choice",
    "Extract",
    "Stretch",
    "Writer",
    "part_name",
    "save",
    "taken",
    "whole",
    "writer_for",
]

WRITERS: Registry[Writer] = Registry("format", CSV, NPZ, HDF5, MATLAB, JSON)


def writer_for(path: Path) -> Writer:
    """The format that an ending stands for; raises ValueError for one that nobody knows."""
    ending = path.suffix.lower()
    ending = {".hdf5": HDF5.name}.get(ending, ending)
    if ending not in WRITERS:
        raise ValueError(f"{path}: unknown ending {path.suffix!r}; use one of {' '.join(WRITERS.names)}")
    return WRITERS[ending]


def save(extract: Extract, path: str | os.PathLike[str]) -> None:
    """Write a file, whole or not at all: OSError names it and the reason, Cancelled leaves nothing."""
    target = Path(path)
    write_whole(extract, target, writer_for(target).write)
