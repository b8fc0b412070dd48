"""Damaged URDF files, tables and settings: what is read from texts beside scenes."""

import math
import random
from collections.abc import Callable, Iterator
from dataclasses import asdict
from pathlib import Path

from PySide6.QtCore import QByteArray

from app.platform.settings.store import Settings
from engine import SceneError, load_urdf, read_table, validate
from engine.model.files.text_table import TableError
from engine.model.urdf import UrdfError
from tests.attack.case import Case, judged
from tests.attack.damage import damaged

URDF = b"""<?xml version="1.0"?>
<robot name="arm"><material name="grey"><color rgba="0.5 0.5 0.5 1"/></material>
<link name="base"><visual><geometry><box size="0.1 0.1 0.2"/></geometry>
<material name="grey"/></visual></link>
<link name="upper"><inertial><origin xyz="0 0 0.2" rpy="0 0.1 0"/><mass value="1.5"/>
<inertia ixx="0.02" ixy="0" ixz="0" iyy="0.02" iyz="0" izz="0.001"/></inertial>
<visual><origin xyz="0 0 0.2"/><geometry><cylinder radius="0.03" length="0.4"/></geometry></visual></link>
<link name="tip"><inertial><mass value="0.3"/>
<inertia ixx="1e-3" ixy="0" ixz="0" iyy="1e-3" iyz="0" izz="1e-3"/></inertial>
<visual><geometry><sphere radius="0.05"/></geometry></visual></link>
<joint name="shoulder" type="revolute"><parent link="base"/><child link="upper"/><axis xyz="0 1 0"/>
<limit lower="-1.5" upper="1.5" effort="10" velocity="2"/><dynamics damping="0.1" friction="0.0"/></joint>
<joint name="wrist" type="prismatic"><parent link="upper"/><child link="tip"/><origin xyz="0 0 0.4"/>
<axis xyz="0 0 1"/>
<limit lower="0" upper="0.2" effort="5" velocity="1"/></joint></robot>
"""
TABLE = b"time [s];angle [deg];force\n" + b"".join(
    f"{k / 10:.1f};{30 * k % 360};{k * k / 7:.4f}\n".encode() for k in range(60)
)


def urdf(cases: int, seed: int, folder: Path, *, first: int = 0) -> Iterator[Case]:
    def attempt(path: Path) -> str:
        validate(load_urdf(path).scene)
        return "clean"

    yield from _files(range(first, cases), seed, folder / "arm.urdf", URDF, attempt, (UrdfError, SceneError))


def tables(cases: int, seed: int, folder: Path, *, first: int = 0) -> Iterator[Case]:
    def attempt(path: Path) -> str:
        table = read_table(path)
        return "clean" if table.values.shape == (len(table.lines), len(table.headings)) else "nonsense"

    yield from _files(range(first, cases), seed, folder / "table.csv", TABLE, attempt, (TableError,))


def settings(cases: int, seed: int, folder: Path, *, first: int = 0) -> Iterator[Case]:
    """A damaged file of settings never keeps the program from starting: what it cannot read it forgets."""
    sound = folder / "sound.ini"
    kept = Settings(sound)
    kept.preferences = kept.preferences
    kept.add_recent(sound)
    kept.save_layout(QByteArray(b"geometry"), QByteArray(b"state"))

    def attempt(path: Path) -> str:
        found = Settings(path)
        preferences = found.preferences
        numbers = [value for value in asdict(preferences).values() if isinstance(value, float)]
        found.recent, found.folder, found.layout()
        found.preferences = preferences
        return "clean" if all(map(math.isfinite, numbers)) else "nonsense"

    yield from _files(range(first, cases), seed, folder / "trammel.ini", sound.read_bytes(), attempt, ())


def _files(
    numbers: range,
    seed: int,
    path: Path,
    sound: bytes,
    attempt: Callable[[Path], str],
    refusals: tuple[type[Exception], ...],
) -> Iterator[Case]:
    for number in numbers:
        path.write_bytes(damaged(sound, random.Random(f"{seed} {number}")))
        yield judged(f"{seed} {number} {path.suffix}", lambda: attempt(path), refusals)
