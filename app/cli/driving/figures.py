"""Figures of a measurement: of many values, and of the machine and process that made them."""

import math
import os
import platform
from pathlib import Path
from typing import Any

import numpy as np
from PySide6.QtWidgets import QApplication

import app

Figures = dict[str, Any]


def spread(values: list[float]) -> Figures:
    """Median, the value that 95 % stay below, and the largest one."""
    p50, p95 = np.percentile(values, [50, 95]) if values else (math.nan, math.nan)
    return {"p50": float(p50), "p95": float(p95), "max": max(values, default=math.nan)}


def machine() -> Figures:
    return {
        "version": app.__version__,
        "python": platform.python_version(),
        "processors": os.cpu_count(),
        "platform": QApplication.platformName(),
        "machine_load": os.getloadavg()[0] if hasattr(os, "getloadavg") else math.nan,  # of others, before
    }


def memory() -> float:
    """Resident memory [MB]; NaN where the system does not say."""
    return _status("VmRSS") / 1024.0


def native_threads() -> float:
    return _status("Threads")


def _status(word: str) -> float:
    try:
        lines = Path("/proc/self/status").read_text(encoding="utf-8").splitlines()
    except OSError:
        return math.nan
    return next((float(line.split()[1]) for line in lines if line.startswith(f"{word}:")), math.nan)
