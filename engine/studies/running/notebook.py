"""A progress bar where somebody watches: in a notebook. Elsewhere nothing is told."""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Iterator
from html import escape
from typing import Any

from engine.progress import Progress

EVERY = 0.2  # s between two pictures of the bar
WIDTH = 240  # px


@contextlib.contextmanager
def told(progress: Progress | None) -> Iterator[Progress | None]:
    """The progress that is given, or a bar in the notebook that this runs in."""
    if progress is not None or not in_notebook():
        yield progress
        return
    bar = NotebookBar()
    try:
        yield bar
    finally:
        bar.close()


def in_notebook() -> bool:
    """Whether a kernel of Jupyter runs this; IPython is not loaded to find out."""
    ipython: Any = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    return shell is not None and hasattr(shell, "kernel")


class NotebookBar:
    """One display that is drawn anew."""

    def __init__(self) -> None:
        from IPython.display import HTML, display

        self._html = HTML
        self._handle: Any = display(HTML(_bar(0.0, "")), display_id=True)
        self._last = (0.0, "")
        self._drawn = 0.0

    def __call__(self, share: float, words: str) -> None:
        self._last = (share, words)
        if time.monotonic() - self._drawn > EVERY:
            self._draw()

    def close(self) -> None:
        self._draw()

    def _draw(self) -> None:
        self._drawn = time.monotonic()
        self._handle.update(self._html(_bar(*self._last)))


def _bar(share: float, words: str) -> str:
    return (
        f'<progress value="{share:.4f}" max="1" style="width:{WIDTH}px"></progress> '
        f'<span style="font-variant-numeric:tabular-nums">{escape(words)}</span>'
    )
