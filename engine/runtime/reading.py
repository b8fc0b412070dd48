"""Saved runs: files with states become trajectories again, all others are curves to compare with."""

from __future__ import annotations

import json
import os
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from engine.errors import SceneError
from engine.model.io import loads
from engine.model.scene import Scene
from engine.model.text_table import read_table
from engine.problems import C_COLUMNS, C_EVALUATIONS, C_FACTORISATIONS, C_STEPS, Array, StepStatus
from engine.runtime.channels import Channels
from engine.runtime.methods import find_method
from engine.runtime.saving.base import FORMAT, VERSION
from engine.runtime.trajectory import Segment, Trajectory
from engine.system.compile import compile_scene

WITH_STATES = (".npz", ".h5", ".hdf5")
CURVES = (".csv", ".mat")  # and .json, unless it is a scene


class ReadError(ValueError):
    """A file that is no saved run; the text names the file and the reason."""


@dataclass(frozen=True)
class Curves:
    """Channels over time, from anywhere."""

    t: Array
    values: Mapping[str, Array]
    units: Mapping[str, str]
    title: str = ""


@dataclass(frozen=True)
class _Stored:
    scene: str
    states: Array
    facts: Mapping[str, Any] = field(default_factory=dict)


def load_trajectory(path: str | os.PathLike[str]) -> Trajectory:
    """A run saved as .npz or .h5, with its states and so with every channel; raises ReadError or OSError."""
    file = Path(path)
    if file.suffix.lower() not in WITH_STATES:
        known = " ".join(WITH_STATES)
        raise ReadError(f"{file.name}: {file.suffix} files hold no states; use one of {known}")
    try:
        facts, message, scene, stored = _npz(file) if file.suffix.lower() == ".npz" else _hdf5(file)
        return _trajectory(facts, message, scene, stored)
    except ReadError as error:
        raise ReadError(f"{file.name}: {error}") from None
    except SceneError as error:
        raise ReadError(f"{file.name}: the scene inside cannot be used: {error}") from None
    except FileNotFoundError:
        raise
    except (OSError, KeyError, ValueError, TypeError, zipfile.BadZipFile) as error:
        raise ReadError(f"{file.name} is no run that Trammel has saved ({error})") from None


def load_curves(path: str | os.PathLike[str]) -> Curves:
    """Channels of a saved run, or any table with time in front; raises ReadError or OSError."""
    file = Path(path)
    readers = {".csv": _csv_curves, ".mat": _mat_curves, ".json": _json_curves}
    reader = readers.get(file.suffix.lower())
    if reader is None:
        raise ReadError(f"{file.name}: unknown ending {file.suffix!r}; use one of {' '.join(readers)}")
    try:
        curves = reader(file)
    except (KeyError, ValueError, TypeError) as error:
        raise ReadError(f"{file.name} holds no curves that can be read ({error})") from None
    if len(curves.t) == 0 or not curves.values:
        raise ReadError(f"{file.name} holds no curves")
    if not np.all(np.diff(curves.t) >= 0.0):
        raise ReadError(f"{file.name}: the times in the first column do not increase")
    return curves


def is_saved_run(path: Path) -> bool:
    """Whether a file is a run and not a scene, by its ending, or by what it says of itself."""
    if path.suffix.lower() in (*WITH_STATES, *CURVES):
        return True
    if path.suffix.lower() != ".json":
        return False
    try:
        with open(path, "rb") as file:
            return f'"format": "{FORMAT}"'.encode() in file.read(200)
    except OSError:
        return False


# files with states


def _npz(path: Path) -> tuple[dict[str, Any], str, str, list[_Stored]]:
    with open(path, "rb") as raw, np.load(raw, allow_pickle=False) as file:
        if "segments" not in file:  # version 1
            if "states" not in file or "scene" not in file:
                raise ReadError("there are no states in it")
            facts = json.loads(str(file["summary"]))
            stored = [
                _Stored(str(file["scene"]), file["states"], {"method": facts["method"], "dt": facts["dt"]})
            ]
            return facts, "", str(file["scene"]), stored
        _check_version(int(file["version"]))
        segments = json.loads(str(file["segments"]))
        single = len(segments) == 1
        stored = [
            _Stored(str(file[f"scene.{i}"]), file["states" if single else f"states.{i}"], segment)
            for i, segment in enumerate(segments)
        ]
        return json.loads(str(file["summary"])), str(file["message"]), str(file["scene"]), stored


def _hdf5(path: Path) -> tuple[dict[str, Any], str, str, list[_Stored]]:
    import h5py  # heavy

    with h5py.File(path, "r") as file:
        if file.attrs.get("format") != FORMAT:
            raise ReadError("it was not written by Trammel")
        _check_version(int(file.attrs["version"]))
        facts = {key: value.item() if hasattr(value, "item") else value for key, value in file.attrs.items()}
        stored = []
        for name in sorted(file["segments"], key=int):
            part = file["segments"][name]
            own = dict(part.attrs)
            own["options"] = json.loads(own.get("options", "{}"))
            if "mouse" in part:
                own["mouse"] = part["mouse"].asstr()[()]
            count = int(part["count"][0]) if "count" in part else len(part["states"])
            stored.append(_Stored(part["scene"].asstr()[()], part["states"][:count], own))
        return facts, str(facts.get("message", "")), file["scene"].asstr()[()], stored


def _check_version(version: int) -> None:
    if version > VERSION:
        raise ReadError(
            f"it has version {version} of the format, this program knows {VERSION}; use a newer one"
        )


def _trajectory(facts: dict[str, Any], message: str, scene: str, stored: list[_Stored]) -> Trajectory:
    segments = []
    for part in stored:
        mechanism = compile_scene(loads(part.scene), mouse="mouse" in part.facts)
        mechanism.pulls.read(str(part.facts.get("mouse", "[]")))
        channels = Channels(mechanism)
        states = np.ascontiguousarray(part.states, dtype=float)
        if states.ndim != 2 or states.shape[1] != channels.layout.width:
            raise ReadError(
                f"its states have {states.shape[-1]} columns, the scene inside needs {channels.layout.width}"
            )
        if len(states):
            segments.append(Segment(mechanism, channels, states, float(part.facts.get("edits", 0.0))))
    if not segments:
        raise ReadError("nothing was recorded in it")
    counters = np.zeros(C_COLUMNS, np.int64)
    for column, name in (
        (C_STEPS, "steps"),
        (C_EVALUATIONS, "evaluations"),
        (C_FACTORISATIONS, "factorisations"),
    ):
        counters[column] = int(facts.get(name) or 0)
    last = stored[-1].facts
    status = str(facts.get("status", "")).upper()
    return Trajectory(
        tuple(segments),
        scene=_scene(scene),
        method=find_method(str(last["method"])),
        dt=float(last["dt"]),
        status=StepStatus[status] if status in StepStatus.__members__ else StepStatus.CANCELLED,
        message=message,
        counters=counters,
        wall_time=float(facts.get("wall_time") or 0.0),
        time_linear=float(facts.get("time_linear") or 0.0),
        options=dict(last.get("options") or {}),
    )


def _scene(text: str) -> Scene:
    return loads(text)


# curves


def _csv_curves(path: Path) -> Curves:
    table = read_table(path)
    late = np.flatnonzero(np.isnan(table.values[:, 0]))
    if len(late):
        raise ValueError(f"line {table.lines[late[0]]}: the time is missing")
    names = table.headings[1:]
    return Curves(
        table.values[:, 0],
        {name: table.values[:, i] for i, name in enumerate(names, 1)},
        dict(zip(names, table.units[1:], strict=True)),
        path.stem,
    )


def _mat_curves(path: Path) -> Curves:
    from scipy.io import loadmat  # heavy
    from scipy.io.matlab import MatReadError

    try:
        content = loadmat(path, simplify_cells=True)
    except (MatReadError, NotImplementedError) as error:  # the latter: files of MATLAB 7.3
        raise ValueError(error) from None
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


def _json_curves(path: Path) -> Curves:
    content = json.loads(path.read_text(encoding="utf-8"))
    if content.get("format") != FORMAT:
        raise ValueError("it is no trajectory")
    numbers = {name: np.array(values, dtype=float) for name, values in content["channels"].items()}
    return Curves(np.array(content["t"], dtype=float), numbers, content["units"], path.stem)
