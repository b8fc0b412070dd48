"""A sweep that is killed goes on where it was: every key once, nothing known is run again."""

import os
import signal
import sqlite3
import subprocess
import sys
import time
from concurrent.futures import Future
from contextlib import closing
from pathlib import Path

from engine import Study, load_study, save_study
from engine.studies.outcomes.row import Row
from engine.studies.running.batch import Batch
from engine.studies.running.place import ThisProcess
from engine.studies.running.sweep import sweep
from tests.engine.studies.mechanisms import pendulum
from tests.paths import ROOT

RUNS = 40
PROGRAM = """
import sys
from engine import load_study
if __name__ == "__main__":
    load_study(sys.argv[1]).run(sys.argv[2], workers=1)
"""


class Counting(ThisProcess):
    """Remembers the keys that it was given."""

    def __init__(self) -> None:
        super().__init__(None)
        self.keys: list[str] = []

    def submit(self, batch: Batch) -> Future[list[Row]]:
        self.keys += [key for key, _ in batch.runs]
        return super().submit(batch)


def count(store: Path) -> int:
    try:
        with closing(sqlite3.connect(f"file:{store}?mode=ro", uri=True)) as base:
            return int(base.execute("SELECT count(*) FROM runs").fetchone()[0])
    except sqlite3.OperationalError:  # not there yet
        return 0


def test_a_killed_sweep_goes_on(tmp_path: Path) -> None:
    study = (
        Study(pendulum().with_simulation(duration=4.0))
        .with_variable("interval", "parameters.L", low=0.5, high=2.0)
        .with_design("random", count=RUNS)
        .with_objective("low", "body.bob.pos.y", "min")
    )
    save_study(study, tmp_path / "swing.study.json")
    program, store = tmp_path / "program.py", tmp_path / "rows.sqlite"
    program.write_text(PROGRAM, encoding="utf-8")
    command = [sys.executable, str(program), str(tmp_path / "swing.study.json"), str(store)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE) as process:
        while count(store) < 2 and process.poll() is None:
            time.sleep(0.01)
        process.send_signal(signal.SIGKILL)
        assert process.stdout is not None
        process.stdout.read()  # its end: the worker has closed it too, so no process is left
    left = count(store)
    assert 2 <= left < RUNS

    again = load_study(tmp_path / "swing.study.json")
    place = Counting()
    table = sweep(again, store=store, place=place)
    assert len(place.keys) == len(set(place.keys)) == RUNS - left
    assert table.complete
    assert len({row.key for row in table.rows}) == RUNS
    assert not table.failed
    quiet = Counting()
    assert sweep(again, store=store, place=quiet).rows == table.rows
    assert quiet.keys == []
