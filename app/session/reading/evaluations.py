"""Evaluated slices of samples, kept for the next channel of the same samples."""

from __future__ import annotations

from collections import OrderedDict

import numpy as np

from app.session.reading.segment_reader import SegmentReader
from engine.results.output_evaluation import SLICE, OutputEvaluation

MAX_KEPT = 12  # slices


class KeptEvaluations:
    """Of the segments of one run, by their numbers."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[int, int, int], OutputEvaluation] = OrderedDict()

    def clear(self) -> None:
        self._kept.clear()

    def slices(
        self, index: int, segment: SegmentReader, begin: int, end: int, start_energy: float
    ) -> list[OutputEvaluation]:
        """Rows from `begin` to `end` of a segment, ready to be read."""
        found = []
        for at in range(begin - begin % SLICE, end, SLICE) if end > begin else ():
            key = (index, max(at, begin), min(at + SLICE, end))
            if key not in self._kept:
                self._kept[key] = segment.channels.evaluation(
                    np.array(segment.recorder.rows(key[1], key[2])),  # kernels want arrays they could write
                    start_energy=start_energy,
                    edits=segment.recorded.edits,
                )
                if len(self._kept) > MAX_KEPT:
                    self._kept.popitem(last=False)
            self._kept.move_to_end(key)
            found.append(self._kept[key])
        return found
