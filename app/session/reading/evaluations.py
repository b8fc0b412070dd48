"""Evaluated slices of samples, kept for the next channel of the same samples."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator

import numpy as np

from app.session.reading.segment_reader import SegmentReader
from engine.results.output_evaluation import OutputEvaluation

MAX_KEPT = 12  # slices


class KeptEvaluations:
    """Of the segments of one run, by their numbers."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[int, int, int], OutputEvaluation] = OrderedDict()

    def clear(self) -> None:
        self._kept.clear()

    def slices(
        self, index: int, segment: SegmentReader, begin: int, end: int, start_energy: float
    ) -> Iterator[OutputEvaluation]:
        """Rows from `begin` to `end` of a segment, ready to be read, one slice after the other."""
        step = segment.channels.slice
        for at in range(begin - begin % step, end, step) if end > begin else ():
            key = (index, max(at, begin), min(at + step, end))
            if key not in self._kept:
                self._kept[key] = segment.channels.evaluation(
                    np.array(segment.recorder.rows(key[1], key[2])),  # kernels want arrays they could write
                    start_energy=start_energy,
                    edits=segment.recorded.edits,
                )
                if len(self._kept) > MAX_KEPT:
                    self._kept.popitem(last=False)
            self._kept.move_to_end(key)
            yield self._kept[key]
