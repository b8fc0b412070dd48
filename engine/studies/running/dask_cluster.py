"""A cluster: workers of Dask on other machines, reached through their scheduler."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from engine.missing_extra import MissingExtra
from engine.studies.running.place import Given

PATIENCE = 10.0  # s in which a scheduler must answer
RETRIES = 3  # of a batch whose worker died


class NoCluster(OSError):
    """The scheduler does not answer."""

    def __init__(self, where: str, reason: str) -> None:
        super().__init__(None, reason, where)
        self.filename, self.strerror = where, reason
        self.remedy = (
            "check that `dask scheduler` and at least one `dask worker` are running and can be reached"
        )

    def __str__(self) -> str:
        return f"{self.filename}: {self.strerror}; {self.remedy}"


@contextlib.contextmanager
def dask_cluster(*, address: str | None = None, scheduler_file: str | None = None) -> Iterator[Given]:
    """The cluster with this scheduler as a place for runs; raises MissingExtra and NoCluster."""
    try:
        from distributed import Client
    except ImportError:
        raise MissingExtra("Studies on a cluster", "dask.distributed", "sweep") from None

    where = address or scheduler_file or ""
    try:
        client = Client(address=address, scheduler_file=scheduler_file, timeout=PATIENCE)
    except (OSError, ValueError) as error:  # a timeout is an OSError
        raise NoCluster(where, f"the scheduler does not answer ({error})") from None
    with client:
        workers = len(client.scheduler_info(n_workers=-1)["workers"])
        if not workers:
            raise NoCluster(where, "the scheduler has no workers")
        with client.get_executor(pure=False, retries=RETRIES) as executor:
            yield Given(executor, workers)
