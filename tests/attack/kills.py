"""Processes killed at random moments while they write: whatever they leave can be opened.

    python -m tests.attack kills --count 50 --seed 1

Each kind of work repeats until it is killed: recording a run to a file, saving a scene over an earlier one,
keeping the unsaved work aside, saving a run in each format, a comparison that writes its table, a study that
keeps its rows.
"""

import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.attack.case import Case

LOST = 1.0  # s of wall time that a recording may lose, as docs/trust.md promises
SLACK = 1.0  # s more on a busy machine
READY = "ready"  # what a worker says when its first file is complete
LATEST = 1.5  # s after that, when the kill comes at the latest
ENDINGS = (".npz", ".h5", ".mat", ".json", ".csv")
WORK = ("record", "save", "autosave", "export", "compare", "sweep")
PLANNED = 100_000  # runs of the study, more than it comes to


def work(kind: str, folder: Path) -> None:
    """Do one kind of work again and again."""
    # heavy modules are loaded in the process that needs them
    if kind == "record":
        _record(folder)
    elif kind == "save":
        _save(folder)
    elif kind == "autosave":
        _autosave(folder)
    elif kind == "export":
        _export(folder)
    elif kind == "compare":
        _compare(folder)
    else:
        _sweep(folder)


def _ready() -> None:
    sys.stdout.write(f"{READY}\n")
    sys.stdout.flush()


def _record(folder: Path) -> None:
    """Paced, so that the clock of the simulation tells how much must have been kept."""
    from engine.simulation.streaming import StreamedSimulation
    from tests.engine.simulation.scenes import rod_pendulum

    run = StreamedSimulation(rod_pendulum(), folder / "run.h5", ["energy.total"], dt=0.001, duration=1e5)
    run.advance(0.01)
    _ready()
    begin = time.time()
    while True:
        run.advance(0.01 + time.time() - begin)
        (folder / "clock").write_text(str(run.t), encoding="ascii")
        time.sleep(0.005)


def _save(folder: Path) -> None:
    from engine import save_scene
    from tests.engine.simulation.scenes import rod_pendulum

    for number in range(10**9):
        scene = rod_pendulum().with_simulation(duration=1.0 + number)
        save_scene(scene, folder / "scene.json")
        if number == 0:
            _ready()


def _autosave(folder: Path) -> None:
    from app.document.document import Document, Edit
    from tests.engine.simulation.scenes import rod_pendulum

    document = Document(autosave=folder)
    for number in range(10**9):
        document.apply(Edit("Edit", rod_pendulum().with_simulation(duration=1.0 + number)))
        document.autosave()
        if number == 0:
            _ready()


def _export(folder: Path) -> None:
    from engine import simulate
    from tests.engine.simulation.scenes import rod_pendulum

    run = simulate(rod_pendulum(), dt=0.001, duration=0.5)
    for number in range(10**9):
        for ending in ENDINGS:
            run.save(folder / f"run{ending}", channels=["energy.total", "body.rod.angle"])
        if number == 0:
            _ready()


def _compare(folder: Path) -> None:
    from app.cli import run_command_line
    from engine import save_scene
    from tests.engine.simulation.scenes import rod_pendulum

    save_scene(rod_pendulum().with_simulation(duration=0.05), folder / "scene.json")
    words = ["compare", str(folder / "scene.json"), "--methods", "rk4,rk2", "--dts", "0.01,0.005", "--json"]
    for number in range(10**9):
        run_command_line([*words, "--out", str(folder / "table")])
        if number == 0:
            _ready()


def _study() -> Any:
    from engine import Study
    from tests.engine.simulation.scenes import rod_pendulum

    scene = rod_pendulum().with_simulation(duration=0.01)
    study = Study(scene).with_variable("interval", "bodies.rod.mass", low=1.0, high=2.0)
    return study.with_design("random", count=PLANNED).with_objective("end", "body.rod.angle")


def _sweep(folder: Path) -> None:
    """What is told to be done is noted; it must be in the store."""

    def note(share: float, words: str) -> None:
        if share > 0.0:
            (folder / "clock.part").write_text(str(round(share * PLANNED)), encoding="ascii")
            os.replace(folder / "clock.part", folder / "clock")
            _ready()

    _study().run(folder / "rows.sqlite", workers=0, progress=note)


def opened(kind: str, folder: Path) -> str:
    """What is wrong with what a killed process has left, "" for nothing."""
    from engine import load_scene, load_trajectory
    from engine.results.saved_runs import load_curves

    if kind == "record":
        due = float((folder / "clock").read_text(encoding="ascii") or 0.0) - LOST - SLACK
        held = float(load_trajectory(folder / "run.h5").t[-1])
        return "" if held >= due else f"{due - held:.1f} s more lost than promised"
    if kind == "save":
        load_scene(folder / "scene.json")
    elif kind == "autosave":
        found = list(folder.glob("*.json"))
        for path in found:
            content = json.loads(path.read_text(encoding="utf-8"))
            if not isinstance(content, dict):
                return f"{path.name} is no object"
        return "" if found else "nothing was kept aside"
    elif kind == "export":
        for ending in ENDINGS:
            path = folder / f"run{ending}"
            load_trajectory(path) if ending in (".npz", ".h5") else load_curves(path)
    elif kind == "sweep":
        from engine.studies.outcomes.store import Store
        from engine.studies.running.run_key import run_keys

        study = _study()
        told = int((folder / "clock").read_text(encoding="ascii"))
        with Store(folder / "rows.sqlite") as store:
            rows = store.known(run_keys(study, study.points()))
        return "" if len(rows) >= told and all(row.done for row in rows.values()) else f"{told} rows told"
    else:
        for path in sorted((folder / "table").glob("[!.]*")):  # not what was just being written beside
            if not path.stat().st_size:
                return f"{path.name} is empty"
            if path.suffix == ".csv":
                lines = path.read_text(encoding="utf-8").splitlines()
                if len({line.count(",") for line in lines}) > 1 and '"' not in "".join(lines):
                    return f"{path.name} ends in the middle of a line"
    return ""


def attacked(count: int, seed: int, kinds: tuple[str, ...] = WORK) -> Iterator[Case]:
    """Kill so many processes, of each kind in turn."""
    rng = random.Random(seed)
    for number in range(count):
        kind = kinds[number % len(kinds)]
        with tempfile.TemporaryDirectory() as name:
            yield _killed(f"{seed} {number} {kind}", kind, Path(name), rng.uniform(0.0, LATEST))


def _killed(name: str, kind: str, folder: Path, delay: float) -> Case:
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    words = [sys.executable, "-m", "tests.attack", "--work", kind, str(folder)]
    with subprocess.Popen(
        words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment
    ) as process:
        assert process.stdout is not None
        for line in process.stdout:
            if line.strip() == READY:
                break
        time.sleep(delay)
        ended = process.poll()
        process.kill()
        told = process.stderr.read()[-300:] if process.stderr else ""
    if ended is not None:
        return Case(name, f"crash {ended} {told}", delay)
    try:
        wrong = opened(kind, folder)
    except Exception as error:
        wrong = f"{type(error).__name__}: {error}"[:300]
    return Case(name, f"nonsense: {wrong}" if wrong else "clean", delay)


def main(count: int, seed: int) -> int:
    bad = 0
    for case in attacked(count, seed):
        bad += not case.is_good
        sys.stdout.write(f"{case.name}: killed after {case.seconds:.2f} s: {case.verdict}\n")
        sys.stdout.flush()
    return 1 if bad else 0
