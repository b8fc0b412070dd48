"""Trajectories as files: CSV for spreadsheets, NPZ with states and scene for Python, JSON for all else."""

from __future__ import annotations

import csv
import io
import json
import math
import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

import numpy as np

from engine.model.io import dumps

if TYPE_CHECKING:
    from engine.runtime.trajectory import Trajectory

FORMAT = "trammel-trajectory"
VERSION = 1
DIGITS = "%.17g"  # a float64 survives the way out and back
TIME = "t"

Writer = Callable[["Trajectory", BinaryIO, tuple[str, ...]], None]


def save(trajectory: Trajectory, path: str | os.PathLike[str], names: tuple[str, ...]) -> None:
    """Write a temporary file beside the target and replace the target in one go; OSError names the file."""
    target = Path(path)
    writer = WRITERS.get(target.suffix.lower())
    if writer is None:
        known = " ".join(WRITERS)
        raise ValueError(f"{target}: unknown ending {target.suffix!r}; use one of {known}")
    for name in names:
        trajectory.unit(name)  # an unknown channel is refused before anything is written
    target = target.resolve()
    temporary = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        with open(temporary, "wb") as file:
            writer(trajectory, file, names)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, target)
    except OSError as error:
        temporary.unlink(missing_ok=True)
        reason = error.strerror or str(error)
        raise type(error)(error.errno, f"{reason}; nothing was saved", str(target)) from None
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def _csv(trajectory: Trajectory, file: BinaryIO, names: tuple[str, ...]) -> None:
    text = io.TextIOWrapper(file, encoding="utf-8", newline="", write_through=True)
    headings = [f"{TIME} [s]", *(f"{name} [{trajectory.unit(name)}]" for name in names)]
    csv.writer(text, lineterminator="\n").writerow(headings)
    np.savetxt(text, np.column_stack([trajectory.t, trajectory.table(names)]), fmt=DIGITS, delimiter=",")
    text.detach()


def _npz(trajectory: Trajectory, file: BinaryIO, names: tuple[str, ...]) -> None:
    """Keys: t, states (`layout` tells the columns), every channel by its name, scene, summary, units."""
    layout = trajectory.segments[-1].channels.layout
    parts = ("q", "v", "a", "multipliers", "works", "angles")
    columns = {part: [getattr(layout, part).start, getattr(layout, part).stop] for part in parts}
    table = trajectory.table(names)
    arrays: dict[str, Any] = {
        TIME: trajectory.t,
        "states": trajectory.samples,
        "layout": json.dumps(columns),
        "scene": dumps(trajectory.scene),
        "summary": json.dumps(_plain(trajectory.summary())),
        "units": json.dumps({name: trajectory.unit(name) for name in names}, ensure_ascii=False),
    }
    arrays |= {name: table[:, i] for i, name in enumerate(names)}
    np.savez(file, **arrays)


def _json(trajectory: Trajectory, file: BinaryIO, names: tuple[str, ...]) -> None:
    table = trajectory.table(names)
    content = {
        "format": FORMAT,
        "version": VERSION,
        "summary": trajectory.summary(),
        "message": trajectory.message,
        TIME: trajectory.t.tolist(),
        "units": {name: trajectory.unit(name) for name in names},
        "channels": {name: table[:, i].tolist() for i, name in enumerate(names)},
    }
    file.write(json.dumps(_plain(content), ensure_ascii=False, allow_nan=False).encode())


def _plain(value: Any) -> Any:
    """JSON has no NaN and no infinity: they become null."""
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_plain(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


WRITERS: dict[str, Writer] = {".csv": _csv, ".npz": _npz, ".json": _json}
