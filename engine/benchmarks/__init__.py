"""Benchmark problems with their official measures."""

from engine.benchmarks.base import Benchmark
from engine.benchmarks.iftomm import (
    ANDREWS,
    BICYCLE,
    BRICARD,
    DOUBLE_FOUR_BAR,
    GOVERNOR,
    PENDULUM,
    SLIDER_CRANK,
)
from engine.registry import Registry

BENCHMARKS: Registry[Benchmark] = Registry(
    "benchmark",
    PENDULUM,
    DOUBLE_FOUR_BAR,
    ANDREWS,
    BRICARD,
    GOVERNOR,
    SLIDER_CRANK,
    BICYCLE,
)
