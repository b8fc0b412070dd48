"""Sweeps with real processes: ten kills of the program, a Dask cluster with a killed worker."""

import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from engine import Study, save_study
from engine.studies.running.dask_cluster import dask_cluster
from engine.studies.running.run_key import run_keys
from engine.studies.running.sweep import sweep
from tests.paths import ROOT
from tests.verification.runs import shipped

pytestmark = pytest.mark.soak

PROGRAM = """
import sys
from engine import load_study
if __name__ == "__main__":
    load_study(sys.argv[1]).run(sys.argv[2], workers=2)
"""


def four_bars(count: int) -> Study:
    return (
        Study(shipped("four_bar").with_simulation(duration=2.0))
        .with_variable("interval", "bodies.crank.mass", low=0.5, high=2.0)
        .with_design("random", count=count)
        .with_objective("top", "body.coupler.pos.y", "max")
        .with_objective("across", "body.coupler.pos.x", "rms")
    )


def test_ten_kills_and_every_key_once(tmp_path: Path) -> None:
    study, rng = four_bars(400), random.Random(1)
    save_study(study, tmp_path / "bars.study.json")
    program, store = tmp_path / "program.py", tmp_path / "rows.sqlite"
    program.write_text(PROGRAM, encoding="utf-8")
    command = [sys.executable, str(program), str(tmp_path / "bars.study.json"), str(store)]
    counts = []
    for _ in range(10):
        process = subprocess.Popen(command, cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)})
        wanted, patience = _count(store) + rng.randint(1, 30), time.monotonic() + 60.0
        while _count(store) < wanted and time.monotonic() < patience:
            time.sleep(0.05)
        time.sleep(rng.uniform(0.0, 1.0))
        process.send_signal(signal.SIGKILL)
        process.wait()
        counts.append(_count(store))
    assert counts == sorted(counts)  # nothing that was kept is lost
    assert counts[-1] > counts[0]
    assert subprocess.run(command, cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)}).returncode == 0
    with closing(sqlite3.connect(store)) as base:
        keys = [key for (key,) in base.execute("SELECT key FROM runs")]
    assert sorted(keys) == sorted(run_keys(study, study.points()))


def _count(store: Path) -> int:
    try:
        with closing(sqlite3.connect(f"file:{store}?mode=ro", uri=True)) as base:
            return int(base.execute("SELECT count(*) FROM runs").fetchone()[0])
    except sqlite3.OperationalError:  # not there yet
        return 0


@contextmanager
def cluster(folder: Path) -> Iterator[tuple[str, list[subprocess.Popen[bytes]]]]:
    """A scheduler and two workers without nannies."""
    file = folder / "scheduler.json"
    start = [sys.executable, "-m", "distributed.cli.dask_scheduler", "--scheduler-file", str(file)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    scheduler = subprocess.Popen([*start, "--port", "0", "--no-dashboard"], cwd=ROOT, env=environment)
    while not file.exists():
        time.sleep(0.1)
    one = [
        sys.executable,
        "-m",
        "distributed.cli.dask_worker",
        "--scheduler-file",
        str(file),
        "--nthreads",
        "1",
    ]
    workers = [
        subprocess.Popen([*one, "--no-nanny", "--no-dashboard"], cwd=ROOT, env=environment) for _ in range(2)
    ]
    try:
        yield str(file), workers
    finally:
        for process in (*workers, scheduler):
            process.kill()
            process.wait()


def test_a_cluster_gives_the_rows_of_the_pool_though_a_worker_is_killed(tmp_path: Path) -> None:
    pytest.importorskip("distributed")
    study = four_bars(120)
    here = study.run(workers=2)
    with cluster(tmp_path) as (file, workers):
        from distributed import Client

        with Client(scheduler_file=file) as client:
            client.wait_for_workers(2, timeout=120)
        killed = []

        def progress(share: float, words: str) -> None:
            if share > 0.2 and not killed:
                workers[0].kill()
                killed.append(share)

        with dask_cluster(scheduler_file=file) as place:
            there = sweep(study, place=place, progress=progress)
    assert killed
    assert there.complete
    assert not there.failed
    assert [(row.key, row.values, row.objectives) for row in there.rows] == [
        (row.key, row.values, row.objectives) for row in here.rows
    ]
