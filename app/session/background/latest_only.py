"""A thread on which only the newest order counts; its owner picks up what it tells between two frames."""

from __future__ import annotations

import queue
import threading
import traceback
from collections.abc import Callable

from engine.simulation.live.mailbox import Notifications

Work = Callable[["Order"], object]


class Order:
    """Work that a newer order may overtake."""

    def __init__(self, thread: LatestOnly, work: Work, delay: float) -> None:
        self._thread, self.work, self.delay = thread, work, delay

    @property
    def wanted(self) -> bool:
        """Whether no newer order has come, and nobody has said that this one is no longer of use."""
        return self._thread.newest is self

    def tell(self, call: Callable[[], object]) -> None:
        """From the thread: the owner calls this between two frames, if the order is still wanted then."""
        self._thread.post(lambda: self.wanted and call())


class LatestOnly:
    """A thread for what takes longer than a frame. Orders that were overtaken before they began are skipped.

    `fault` is told, on the thread of the owner, the text of an error that the work did not expect.
    """

    def __init__(self, name: str, fault: Callable[[str], object]) -> None:
        self.newest: Order | None = None
        self._fault = fault
        self._orders: queue.SimpleQueue[Order | None] = queue.SimpleQueue()
        self._told: Notifications[Callable[[], object]] = Notifications()
        self._over = threading.Event()
        self._open = 0  # orders whose end has not been picked up
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    # for the owner

    @property
    def busy(self) -> bool:
        return self._open > 0

    def order(self, work: Work, *, delay: float = 0.0) -> None:
        """Have this done, instead of all that was ordered before; after a delay [s] without another order."""
        self.newest = Order(self, work, delay)
        self._open += 1
        self._orders.put(self.newest)

    def forget(self) -> None:
        """Nothing that was ordered is wanted any more."""
        self.newest = None

    def deliver(self) -> None:
        """Call what was told since the last time."""
        for call in self._told.read():
            call()

    def cancel(self) -> None:
        """End the thread as soon as it can."""
        self.forget()
        self._over.set()
        self._orders.put(None)

    def stop(self, timeout: float) -> bool:
        """Whether the thread has ended in that time [s]."""
        self._thread.join(timeout)
        return not self._thread.is_alive()

    # on the thread

    def post(self, call: Callable[[], object]) -> None:
        self._told.post(call)

    def _run(self) -> None:
        while True:
            order = self._orders.get()
            if order is None or self._over.is_set():
                return
            try:
                if order.wanted and not (order.delay and self._over.wait(order.delay)) and order.wanted:
                    order.work(order)
            except Exception:
                self._tell_fault(traceback.format_exc())
            self.post(self._close_one)

    def _tell_fault(self, text: str) -> None:
        self.post(lambda: self._fault(text))

    def _close_one(self) -> None:
        self._open -= 1
