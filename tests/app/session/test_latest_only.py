"""On a background thread only the newest order counts, and the thread ends with its owner."""

import threading
import time
from collections.abc import Iterator

import pytest

from app.session.background.compiler_process import CompilerProcess
from app.session.background.latest_only import LatestOnly, Order

PATIENCE = 20.0  # s


@pytest.fixture
def faults() -> list[str]:
    return []


@pytest.fixture
def thread(faults: list[str]) -> Iterator[LatestOnly]:
    made = LatestOnly("trammel-test", faults.append)
    yield made
    made.cancel()
    assert made.stop(PATIENCE)


def idle(thread: LatestOnly) -> None:
    end = time.monotonic() + PATIENCE
    while thread.busy:
        assert time.monotonic() < end
        thread.deliver()
        time.sleep(0.001)


def test_what_is_overtaken_is_skipped_or_tells_nothing(thread: LatestOnly) -> None:
    begun, go_on = threading.Event(), threading.Event()
    done: list[str] = []

    def first(order: Order) -> None:
        begun.set()
        assert go_on.wait(PATIENCE)
        done.append("first, " + ("wanted" if order.wanted else "in vain"))
        order.tell(lambda: done.append("told of the first"))

    thread.order(first)
    assert begun.wait(PATIENCE)
    thread.order(lambda order: done.append("second"))
    thread.order(lambda order: order.tell(lambda: done.append("told of the third")))
    go_on.set()
    idle(thread)
    assert done == ["first, in vain", "told of the third"]


def test_what_was_told_is_of_no_use_after_forgetting(thread: LatestOnly) -> None:
    done: list[str] = []
    told = threading.Event()

    def work(order: Order) -> None:
        order.tell(lambda: done.append("told"))
        told.set()

    thread.order(work)
    assert told.wait(PATIENCE)
    thread.forget()
    idle(thread)
    assert done == []


def test_a_fault_is_told_and_the_thread_lives_on(thread: LatestOnly, faults: list[str]) -> None:
    thread.order(lambda order: 1 // 0)
    idle(thread)
    done: list[str] = []
    thread.order(lambda order: order.tell(lambda: done.append("told")))
    idle(thread)
    assert "ZeroDivisionError" in faults[0]
    assert done == ["told"]


def test_an_order_that_waits_for_a_pause_does_not_keep_the_thread(faults: list[str]) -> None:
    thread = LatestOnly("trammel-test", faults.append)
    done: list[str] = []
    thread.order(lambda order: done.append("done"), delay=10.0 * PATIENCE)
    thread.cancel()
    assert thread.stop(PATIENCE)
    assert done == []


def test_a_program_that_is_not_wanted_when_it_has_begun_is_ended() -> None:
    """`kill` found no process while it was being started."""
    begin = time.monotonic()
    code = CompilerProcess().run(["sleep", "60"], lambda line: None, lambda: False)
    assert code != 0
    assert time.monotonic() - begin < PATIENCE
