"""Damaged and crafted saved runs, opened as the window and `render` do it."""

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import h5py
import numpy as np

from app.exchange.runs.opening import open_run
from engine import load_scene, simulate
from engine.results.files.formats.base import ReadError
from tests.attack.case import Case, judged
from tests.attack.damage import damaged
from tests.attack.structure import changed
from tests.paths import SCENES

ENDINGS = (".npz", ".h5", ".mat", ".json", ".csv")
VALUES: tuple[Any, ...] = (None, -1, 0, 1e300, 10**30, float("nan"), "", "x", [], {}, [1, 2], True, "\ud800")


def sound_files(scene: Path, folder: Path) -> dict[str, bytes]:
    """A short run in every form, by ending."""
    run = simulate(load_scene(scene), duration=0.1, dt=0.01)
    found = {}
    for ending in ENDINGS:
        run.save(folder / f"run{ending}", channels=["energy.total"])
        found[ending] = (folder / f"run{ending}").read_bytes()
    return found


def crafted(data: bytes, rng: random.Random, path: Path) -> None:
    """An archive whose bytes are whole and whose content is not."""
    path.write_bytes(data)
    with np.load(path, allow_pickle=False) as file:
        arrays = {name: file[name] for name in file.files}
    name = rng.choice([*arrays, "states", "summary", "segments"])
    array = arrays[name]
    if array.dtype.kind in "US" and array.shape == () and rng.random() < 0.7:
        try:
            content = json.loads(str(array))
            target = content[0] if isinstance(content, list) else content
            target[rng.choice(list(target))] = rng.choice(VALUES)
            arrays[name] = np.array(json.dumps(content))
        except (ValueError, TypeError):
            arrays[name] = np.array("nonsense")
    elif array.dtype.kind == "f" and array.ndim:
        changed = array.copy()
        changed.ravel()[rng.randrange(changed.size)] = rng.choice((np.nan, np.inf, 1e300, -1.0, 0.0))
        arrays[name] = rng.choice((changed, changed[:0], changed[::-1], changed.T, changed.astype(str)))
    elif rng.random() < 0.5:
        del arrays[name]
    else:
        arrays[name] = np.array(rng.choice((0, -5, 99, 1e9)))
    np.savez(path, **arrays)


def crafted_hdf5(data: bytes, rng: random.Random, path: Path) -> None:
    """An HDF5 file whose structure is whole and whose content is not: other shapes, numbers, links, texts."""
    path.write_bytes(data)
    with h5py.File(path, "r+") as file:
        names: list[str] = []
        file.visit(names.append)
        name = rng.choice(names)
        what = rng.randrange(5)
        if what == 0:
            del file[name]
        elif what == 1:
            del file[name]
            file[name] = rng.choice(
                (
                    h5py.ExternalLink("/etc/passwd", "/x"),
                    h5py.SoftLink("/"),
                    h5py.SoftLink("/nowhere"),
                    np.zeros((3, 0)),
                    np.array("text", dtype=h5py.string_dtype()),
                    np.full(7, np.nan),
                    np.arange(5),
                )
            )
        elif what == 2 and isinstance(file[name], h5py.Dataset) and file[name].dtype.kind == "f":
            values = file[name][()]
            if values.size:
                values.ravel()[rng.randrange(values.size)] = rng.choice((np.nan, np.inf, 1e300, -1.0))
                file[name][...] = values
        else:
            owner = rng.choice((file, file[name]))
            keys = [*owner.attrs] or ["format"]
            value = rng.choice([one for one in VALUES if isinstance(one, str | float | bool)] + [7, -1])
            owner.attrs[rng.choice(keys)] = np.nan if value == "\ud800" else value


def attacked(cases: int, seed: int, folder: Path, *, first: int = 0) -> Iterator[Case]:
    """Damage so many files and open them."""
    files = sound_files(SCENES / "four_bar.json", folder)
    for number in range(first, cases):
        rng = random.Random(f"{seed} {number}")
        ending = ENDINGS[number % len(ENDINGS)]
        path = folder / f"{number}{ending}"
        if ending == ".npz" and rng.random() < 0.6:
            crafted(files[ending], rng, path)
        elif ending == ".h5" and rng.random() < 0.6:
            crafted_hdf5(files[ending], rng, path)
        elif ending == ".json" and rng.random() < 0.6:
            path.write_text(changed(files[ending].decode(), rng), encoding="utf-8")
        else:
            path.write_bytes(damaged(files[ending], rng))
        yield judged(
            f"{seed} {number} {ending}", lambda path=path: _attempt(path), (ReadError,), names=path.name
        )
        path.unlink()


def _attempt(path: Path) -> str:
    run = open_run(path, 1)
    t, values = run.table(run.names()[:3])
    return "clean" if np.isfinite(t).all() and len(values) == len(t) else "nonsense"
