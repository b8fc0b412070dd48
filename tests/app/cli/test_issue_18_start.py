"""What a command loads before it does its work: only what it works with."""

import os
import subprocess
import sys

import pytest

from tests.paths import ROOT

LISTED = ("numpy", "numba", "scipy", "PySide6", "vtkmodules", "pyqtgraph", "h5py")
# scipy.sparse is what assembly works with; none of the others is needed to simulate a four-bar
RUN = (
    *("PySide6", "vtkmodules", "pyqtgraph", "h5py", "dask"),
    *("scipy.spatial", "scipy.special", "scipy.interpolate", "scipy.optimize", "scipy.io"),
    "scipy.sparse.csgraph",
    *("engine.analyses.registry", "engine.analyses.redundancy.doctor"),
)
WINDOW = ("h5py", "dask", "scipy.interpolate", "scipy.optimize", "scipy.stats", "scipy.spatial", "scipy.io")
COMPILER = "numba.np.arraymath"  # among what Numba loads before it compiles anything


def loaded(*arguments: str, of: tuple[str, ...]) -> list[str]:
    """Which of these modules a command has loaded when it is done."""
    code = (
        "import sys; from app.cli import run_command_line\n"
        f"code = run_command_line({list(arguments)!r})\n"
        f"sys.stderr.write(' '.join(name for name in {of!r} if name in sys.modules))\n"
        "sys.exit(code)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    assert done.returncode == 0, done.stderr
    return done.stderr.split()


@pytest.mark.parametrize("what", ["scenes", "joints", "forces"])
def test_listing_loads_no_library(what: str) -> None:
    assert loaded("list", what, of=LISTED) == []


def test_a_run_loads_no_window_and_no_library_that_it_does_not_use() -> None:
    assert loaded("run", "four_bar", "--duration", "0.01", "--json", of=RUN) == []


def test_the_window_loads_no_library_before_it_is_used() -> None:
    code = f"import sys, app.window.main_window; print(*(name for name in {WINDOW!r} if name in sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert done.stdout.split() == [], done.stderr


def test_kernels_of_the_cache_start_no_compiler() -> None:
    command = ("run", "pendulum", "--duration", "0.01", "--json")
    if COMPILER in loaded(*command, of=(COMPILER,)):  # the first run of this machine has compiled
        assert loaded(*command, of=(COMPILER,)) == []
