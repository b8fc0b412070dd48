"""Saved runs: files with states become trajectories again, all others are curves to compare with."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from engine.compiled.columns import counters as COUNT
from engine.compiled.layout import Array, StepStatus
from engine.errors import SceneError, shorten
from engine.model.files.scene_file import loads
from engine.results.assessment.trust import POSITION_ERROR
from engine.results.channels import Channels
from engine.results.files.formats import FORMATS, endings, format_for
from engine.results.files.formats.base import Curves, ReadError, StoredRun
from engine.results.run_events import events_of
from engine.results.sample_layout import SampleLayout
from engine.results.stepping import for_method
from engine.results.trajectory import Segment, Trajectory
from engine.solvers.catalogue import find_method
from engine.system.compiling.compile import compile_scene
from engine.system.compiling.mechanism import Mechanism, Stepping
from engine.system.mouse_pulls import PullLog, with_mouse

MAX_NUMBER = 1e300  # of any number, as in scenes
LATEST = 1e12  # s; beyond it, steps are lost in the rounding of the time
MAX_STEPS = 1e18
NOT_FINITE = "From here on the states in the file are not finite; they are left out."
HEAD = 200  # bytes in which a file says what it is, where its ending does not


def load_trajectory(path: str | os.PathLike[str]) -> Trajectory:
    """A run with its states, and so with every channel; raises ReadError or OSError."""
    file = Path(path)
    known = endings(states=True)
    if file.suffix.lower() not in known:
        raise ReadError(f"{file.name}: {file.suffix} files hold no states; use one of {' '.join(known)}")
    try:
        return _trajectory(open_archive(file))
    except ReadError as error:
        raise ReadError(f"{file.name}: {error}") from None
    except SceneError as error:
        raise ReadError(f"{file.name}: the scene inside cannot be used: {error}") from None


def open_archive(path: Path) -> StoredRun:
    """What a file with states holds; raises ReadError or OSError."""
    read = format_for(path).read_run
    assert read is not None
    with open(path, "rb"):  # what the system refuses is told as such
        pass
    try:
        return read(path)
    except ReadError:
        raise
    except Exception as error:  # of libraries, about bytes that may be anything
        raise ReadError(f"it is no run that Trammel has saved, or it is damaged ({_reason(error)})") from None


def _reason(error: Exception) -> str:
    """What a library says of it, without the names of its own things."""
    text = shorten(str(error), 120)
    if isinstance(error, KeyError):
        return f"{text} is missing"
    if isinstance(error, MemoryError):
        return "there is not enough memory for it"
    return text or "it breaks off"


def load_curves(path: str | os.PathLike[str]) -> Curves:
    """Channels of a saved run, or any table with time in front; raises ReadError or OSError."""
    file = Path(path)
    if file.suffix.lower() in endings(states=True):
        return _curves_of(load_trajectory(file))
    readers = {ending: kind.read_curves for kind in FORMATS if kind.read_curves for ending in kind.endings}
    reader = readers.get(file.suffix.lower())
    if reader is None:
        raise ReadError(f"{file.name}: unknown ending {file.suffix!r}; use one of {' '.join(endings())}")
    with open(file, "rb"):  # what the system refuses is told as such
        pass
    try:
        curves = reader(file)
    except Exception as error:  # of libraries, about bytes that may be anything
        raise ReadError(f"{file.name} holds no curves that can be read ({_reason(error)})") from None
    if len(curves.t) == 0 or not curves.values:
        raise ReadError(f"{file.name} holds no curves")
    wrong = next((name for name, values in curves.values.items() if values.shape != curves.t.shape), None)
    if wrong is not None:
        shape = curves.values[wrong].shape
        raise ReadError(f"{file.name}: {wrong!r} has {shape} values for {len(curves.t)} times")
    try:
        _check_times(curves.t)
    except ReadError as error:
        raise ReadError(f"{file.name}: {error}") from None
    return curves


def _curves_of(run: Trajectory) -> Curves:
    """Every channel of a run that was saved with its states."""
    names = run.names()
    table = run.table(names)
    values = {name: table[:, i] for i, name in enumerate(names)}
    return Curves(run.t, values, {name: run.unit(name) for name in names}, run.scene.title)


def is_saved_run(path: Path) -> bool:
    """Whether a file is a run and not a scene, by its ending, or by what it says of itself."""
    if path.suffix.lower() not in endings():
        return False
    mark = format_for(path).mark
    if not mark:
        return True
    try:
        with open(path, "rb") as file:
            return mark in file.read(HEAD)
    except OSError:
        return False


# files with states


def _trajectory(stored: StoredRun) -> Trajectory:
    segments: list[Segment] = []
    message, whole = stored.message, True
    for part in stored.parts:
        mechanism = compile_scene(loads(part.scene))
        if "mouse" in part.facts:
            mechanism = with_mouse(mechanism)
        states = np.ascontiguousarray(part.states, dtype=float)
        channels = Channels(_as_recorded(mechanism, part.facts, states), _pulls(part.facts))
        mechanism = channels.mechanism
        if states.ndim != 2 or states.shape[1] != channels.layout.width:
            raise ReadError(
                f"its states have {states.shape[-1]} columns, the scene inside needs {channels.layout.width}"
            )
        sound = (np.abs(states) <= MAX_NUMBER).all(axis=1)
        if not sound.all():  # as a run leaves them that went to pieces: what was before can be watched
            states = states[: int(np.argmin(sound))]
            message = f"{message} {NOT_FINITE}".strip()
            whole = False
        if len(states):
            edits = _number(part.facts, "edits", low=-MAX_NUMBER)
            method, dt = _method(part.facts).name, _number(part.facts, "dt")
            segments.append(Segment(mechanism, channels, states, edits, method, dt))
        if not whole:
            break
    if not segments:
        raise ReadError(
            "nothing was recorded in it" if whole else "its states are not finite from the start on"
        )
    _check_times(np.concatenate([segment.samples[:, 0] for segment in segments]))
    counters = np.zeros(COUNT.COLUMNS, np.int64)
    for column, name in (
        (COUNT.STEPS, "steps"),
        (COUNT.EVALUATIONS, "evaluations"),
        (COUNT.FACTORISATIONS, "factorisations"),
        (COUNT.ALL_ITERATIONS, "iterations"),
        (COUNT.REJECTED, "rejected"),
    ):
        counters[column] = int(_number(stored.facts, name, high=MAX_STEPS))
    last = stored.parts[-1].facts
    dt = _number(last, "dt")
    if not dt > 0.0:
        raise ReadError(f"its step is {dt:g} s; steps are positive")
    status = str(stored.facts.get("status", "")).upper()
    return Trajectory(
        tuple(segments),
        scene=loads(stored.scene),
        method=_method(last),
        dt=dt,
        status=StepStatus[status] if status in StepStatus.__members__ else StepStatus.CANCELLED,
        message=message,
        counters=counters,
        wall_time=_number(stored.facts, "wall_time"),
        time_linear=_number(stored.facts, "time_linear"),
        options=_options(last),
        events=events_of(stored.facts.get("happened")),
        position_error=_position_error(stored.facts.get("trust")),
    )


def _as_recorded(mechanism: Mechanism, facts: Mapping[str, Any], states: Array) -> Mechanism:
    """With the method of the run; files of earlier versions have nothing that it carries."""
    method = _method(facts)
    known = {name: value for name, value in _options(facts).items() if method.knows(name)}
    try:
        numbers = method.numbers(known, _number(facts, "dt") or None)
    except SceneError as error:
        raise ReadError(error.problems[0].message) from None
    found = for_method(mechanism, method, numbers)
    if states.ndim == 2 and states.shape[1] < SampleLayout(found).width:
        return replace(mechanism, stepping=Stepping())
    return found


def _check_times(t: Array) -> None:
    if not (np.abs(t) <= LATEST).all():
        raise ReadError(f"its times are not finite, or beyond {LATEST:g} s")
    back = np.flatnonzero(np.diff(t) < 0.0)
    if len(back):
        raise ReadError(f"its times do not increase: {t[back[0] + 1]:g} s comes after {t[back[0]]:g} s")
    if len(t) > 2 and t[0] == t[-1]:
        raise ReadError(f"its times do not increase: all of them are {t[0]:g} s")


def _number(facts: Mapping[str, Any], name: str, *, low: float = 0.0, high: float = MAX_NUMBER) -> float:
    """A fact that is a number, 0 where it is not told."""
    value = facts.get(name)
    if value is None:
        return 0.0
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        number = math.nan
    if not low <= number <= high:
        raise ReadError(f"{name!r} is {shorten(value)}, which is no number of a usable size")
    return number


def _method(facts: Mapping[str, Any]) -> Any:
    try:
        return find_method(str(facts.get("method")))
    except SceneError as error:
        raise ReadError(error.problems[0].message) from None


def _options(facts: Mapping[str, Any]) -> dict[str, float]:
    options = facts.get("options") or {}
    if not isinstance(options, dict):
        raise ReadError("its options are no object")
    return {str(name): _number(options, name, low=-MAX_NUMBER) for name in options}


def _position_error(trust: Any) -> float | None:
    """The estimate that the file tells: of its verdict only this cannot be found anew from the states."""
    value = trust.get(POSITION_ERROR) if isinstance(trust, dict) else None
    return float(value) if isinstance(value, int | float) and 0.0 <= value <= MAX_NUMBER else None


def _pulls(facts: Mapping[str, Any]) -> PullLog:
    log = PullLog()
    try:
        log.read(str(facts.get("mouse", "[]")))
    except (ValueError, TypeError, RecursionError) as error:
        raise ReadError(f"the pulls of the mouse in it cannot be read ({error})") from None
    return log
