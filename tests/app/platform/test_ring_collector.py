"""While threads work beside a window, rings of objects are looked for on the window's thread only."""

import gc
import threading
import weakref

from pytestqt.qtbot import QtBot

from app.platform import ring_collector

MANY = 20_000  # objects, for which Python would look many times


class Ring:
    def __init__(self) -> None:
        self.itself = self


def make_rings(found: list[weakref.ref[Ring]]) -> None:
    found.extend(weakref.ref(Ring()) for _ in range(MANY))


def test_no_other_thread_looks_and_the_timer_does(qtbot: QtBot) -> None:
    threads: set[str] = set()

    def note(phase: str, info: dict[str, int]) -> None:
        threads.add(threading.current_thread().name)

    gc.collect()
    before = gc.isenabled()
    rings: list[weakref.ref[Ring]] = []
    ring_collector.hold()
    gc.callbacks.append(note)
    try:
        worker = threading.Thread(target=make_rings, args=(rings,), name="worker")
        worker.start()
        worker.join()
        assert not threads
        assert all(ring() is not None for ring in rings)
        qtbot.waitUntil(lambda: all(ring() is None for ring in rings))
        assert threads == {threading.main_thread().name}
    finally:
        gc.callbacks.remove(note)
        ring_collector.release()
    assert gc.isenabled() == before


def test_the_last_to_release_gives_it_back(qtbot: QtBot) -> None:
    ring_collector.hold()
    ring_collector.hold()
    ring_collector.release()
    assert not gc.isenabled()
    ring_collector.release()
    assert gc.isenabled()
