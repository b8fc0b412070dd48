"""The cluster as a place for runs, with a stand-in for Dask, which is an extra."""

import sys
from concurrent.futures import Executor, ThreadPoolExecutor
from types import ModuleType
from typing import Any

import pytest

from engine import Study
from engine.studies.running.dask_cluster import NoCluster, dask_cluster
from engine.studies.running.sweep import sweep
from tests.engine.studies.mechanisms import pendulum


class Client:
    """What is used of `distributed.Client`."""

    workers = 2

    def __init__(self, *, address: str | None, scheduler_file: str | None, timeout: float) -> None:
        if address == "tcp://nobody:1":
            raise TimeoutError("timed out")

    def __enter__(self) -> "Client":
        return self

    def __exit__(self, *error: object) -> None:
        pass

    def scheduler_info(self, n_workers: int) -> dict[str, Any]:
        return {"workers": dict.fromkeys(range(self.workers))}

    def get_executor(self, *, pure: bool, retries: int) -> Executor:
        assert not pure  # the same batch may be sent twice
        return ThreadPoolExecutor(self.workers)


@pytest.fixture(autouse=True)
def distributed(monkeypatch: pytest.MonkeyPatch) -> None:
    module: Any = ModuleType("distributed")
    module.Client = Client
    monkeypatch.setitem(sys.modules, "distributed", module)


def test_rows_of_a_cluster_are_those_of_this_process() -> None:
    study = (
        Study(pendulum().with_simulation(duration=0.1))
        .with_variable("interval", "parameters.L", low=1.0, high=2.0)
        .with_objective("low", "body.bob.pos.y", "min")
    )
    with dask_cluster(address="tcp://somebody:1") as place:
        found = sweep(study, place=place)
    here = study.run(workers=0)
    assert [(row.key, row.objectives) for row in found.rows] == [
        (row.key, row.objectives) for row in here.rows
    ]


def test_a_scheduler_that_does_not_answer_is_told_with_the_remedy() -> None:
    with pytest.raises(NoCluster, match="dask scheduler"), dask_cluster(address="tcp://nobody:1"):
        pass


def test_a_scheduler_without_workers_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Client, "workers", 0)
    with pytest.raises(NoCluster, match="no workers"), dask_cluster(scheduler_file="cluster.json"):
        pass
