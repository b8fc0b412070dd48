"""Workers that die: their runs are tried again alone, and one that kills its process each time is a row."""

from concurrent.futures import BrokenExecutor, Future
from concurrent.futures.process import BrokenProcessPool

from engine import Study
from engine.studies.outcomes.row import Row
from engine.studies.running.batch import Batch
from engine.studies.running.place import ThisProcess
from engine.studies.running.sweep import KILLED, sweep
from tests.engine.studies.mechanisms import pendulum

DEADLY = 1.3


class Mortal(ThisProcess):
    """Dies of one length of the pendulum, and takes all with it that came after, as a pool does."""

    workers = 2

    def __init__(self) -> None:
        super().__init__(None)
        self.broken = False
        self.deaths = 0

    def submit(self, batch: Batch) -> Future[list[Row]]:
        if self.broken:
            raise BrokenProcessPool("a process is gone")
        if any(values == (DEADLY,) for _, values in batch.runs):
            self.broken = True
            future: Future[list[Row]] = Future()
            future.set_exception(BrokenProcessPool("a process is gone"))
            return future
        return super().submit(batch)

    def renew(self, error: BrokenExecutor) -> None:
        self.broken = False
        self.deaths += 1


def test_a_run_that_kills_its_process_is_a_row_and_the_others_are_complete() -> None:
    lengths = [1.0, 1.1, 1.2, DEADLY, 1.4, 1.5, 1.6, 1.7]
    study = (
        Study(pendulum().with_simulation(duration=0.02))
        .with_variable("choices", "parameters.L", values=lengths)
        .with_objective("low", "body.bob.pos.y", "min")
    )
    place = Mortal()
    table = sweep(study, place=place)
    assert table.complete
    assert [row.values[0] for row in table.rows] == lengths
    (row,) = table.failed
    assert (row.values, row.status) == ((DEADLY,), KILLED)
    assert "memory" in row.message
    assert place.deaths >= 1  # alone, and before that among others unless its batch was a single run
