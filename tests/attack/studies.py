"""Damaged study files, and damaged stores of their rows."""

import json
import random
import shutil
import sqlite3
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from engine import SceneError, load_study
from engine.studies.outcomes.store import StoreError
from tests.attack.case import Case, judged
from tests.attack.damage import damaged
from tests.attack.extremes import stranger
from tests.attack.structure import OTHERS, changed
from tests.paths import ROOT

STUDY = {
    "format": "trammel-study",
    "version": 1,
    "title": "Stroke",
    "vary": [
        {"kind": "interval", "path": "parameters.r", "low": 0.02, "high": 0.06, "count": 2},
        {"kind": "choices", "path": "parameters.h", "values": [0, 0.03]},
        {"kind": "tolerance", "path": "parameters.l", "tolerance": 0.001},
    ],
    "design": {"kind": "random", "count": 2, "seed": 1},
    "objectives": [
        {"name": "stroke", "expression": "body.slider.pos.x", "reduce": "range"},
        {"name": "end", "expression": "t + r", "reduce": "final"},
    ],
    "goal": [{"objective": "stroke", "sense": "target", "target": 0.1, "weight": 2.0}],
    "limits": [{"expression": "r + h - l", "max": 0}],
}
DESIGNS = ("grid", "list", "random", "latin_hypercube", "sobol", "tolerances")
MOST_RUNS = 4  # what has more is not run here
CELLS = ("", "nan", "[]", "[1]", "{", "[NaN]", '["x"]', "null", b"\xff\xfe", None, 10**30, -1, "finished")


def attacked(cases: int, seed: int, folder: Path, *, first: int = 0) -> Iterator[Case]:
    file, store, whole = (folder / name for name in ("x.study.json", "x.sqlite", "whole.sqlite"))
    file.write_text(sound(), encoding="utf-8")
    load_study(file).run(whole, workers=0)
    for number in range(first, cases):
        rng = random.Random(f"{seed} {number}")
        text, of_store = sound(), rng.random() < 0.4
        if of_store:
            _damage_store(whole, store, rng)
        else:
            text = mutated(rng)
        file.write_text(text, encoding="utf-8", errors="replace")
        yield judged(
            f"{seed} {number} {'store' if of_store else 'study'}",
            lambda: _attempt(file, store if store.exists() else None),
            (SceneError, StoreError),
        )
        for path in folder.glob("x.sqlite*"):
            path.unlink()


@cache
def sound() -> str:
    """A study with its scene inside."""
    scene = json.loads((ROOT / "docs" / "studies" / "offset_slider_crank.json").read_text(encoding="utf-8"))
    scene["simulation"] = {**scene.get("simulation", {}), "duration": 0.02}
    return json.dumps({**STUDY, "scene": scene})


def mutated(rng: random.Random) -> str:
    """The text of a study, damaged."""
    kind = rng.random()
    if kind < 0.2:
        return damaged(sound().encode(), rng).decode(errors="replace")
    return (changed if kind < 0.6 else stranger)(_of_some_design(sound(), rng), rng)


def _of_some_design(text: str, rng: random.Random) -> str:
    study = json.loads(text)
    study["design"] = {"kind": rng.choice(DESIGNS)}
    if study["design"]["kind"] not in ("grid", "list", "tolerances"):
        study["design"]["count"] = 2
    return json.dumps(study)


def _damage_store(whole: Path, store: Path, rng: random.Random) -> None:
    """Bytes of the file, or cells of its rows, which are whole and say what no row says."""
    shutil.copyfile(whole, store)
    if rng.random() < 0.5:
        store.write_bytes(damaged(store.read_bytes(), rng))
        return
    base = sqlite3.connect(store)
    column = rng.choice(('"values"', "objectives", "status", "message", "seconds"))
    cell = rng.choice((*CELLS, json.dumps(rng.choice(OTHERS))))
    try:
        with base:
            base.execute(f"UPDATE OR IGNORE runs SET {column} = ?", (cell,))
    except (sqlite3.Error, OverflowError):
        pass
    finally:
        base.close()


def _attempt(file: Path, store: Path | None) -> str:
    study = load_study(file)
    if len(study.points()) > MOST_RUNS:
        return "clean"
    table = study.run(store, workers=0)
    told = all(row.message for row in table.failed)
    table.save(file.with_name("x.csv"))
    if study.goal and store is None:
        study.optimise("nelder_mead", budget=2, workers=0)
    return "clean" if told and len(table) <= MOST_RUNS else "badly told: a run failed without a message"
