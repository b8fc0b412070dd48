"""Runs that have blown up: drawn, but not what the axis is fitted to."""

from collections.abc import Mapping

TIMES = 20.0  # as large as the others: such a run would press them flat
MIN_RUN = 0.1  # of a run's length: a shorter one says nothing about how large values get


def blown_up(sizes: Mapping[int, float], spans: Mapping[int, float], current: int) -> frozenset[int]:
    """Of runs with their largest values and lengths [s], those far beyond the rest; never the present one."""
    found: set[int] = set()
    for run in sorted(sizes, key=lambda run: sizes[run]):
        others = [
            sizes[other]
            for other in sizes
            if other != run
            and other not in found
            and (sizes[other] < sizes[run] or other == current)
            and spans[other] >= MIN_RUN * spans[run]
        ]
        if run != current and others and sizes[run] > TIMES * max(others) > 0.0:
            found.add(run)
    return frozenset(found)
