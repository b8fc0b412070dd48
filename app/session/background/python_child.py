"""How a second Python is started that finds this program, wherever it is installed."""

import os
import sys
from pathlib import Path

import engine


def warmup_command(*arguments: str) -> list[str]:
    """The program that compiles kernels into the cache."""
    return [sys.executable, "-m", f"{engine.__name__}.simulation.warmup", *arguments]


def child_environment() -> dict[str, str]:
    root = str(Path(engine.__file__).resolve().parent.parent)
    paths = os.pathsep.join(filter(None, (root, os.environ.get("PYTHONPATH", ""))))
    return {**os.environ, "PYTHONPATH": paths}
