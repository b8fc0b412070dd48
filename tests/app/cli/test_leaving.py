"""The process ends in order while a thread is in a library that cannot be stopped."""

import os
import subprocess
import sys

import pytest

from tests.paths import ROOT

CODE = """
import atexit, sys, threading
import numpy as np
from scipy.sparse import csc_array
from scipy.sparse.linalg import splu
from app.cli.leaving import leave

begun, A = threading.Event(), csc_array(np.eye(300) + np.random.default_rng(1).random((300, 300)))
def work():
    while True:
        splu(A)
        begun.set()

atexit.register(print, "last words")
if {busy}:
    threading.Thread(target=work, daemon=True).start()
    begun.wait()
print("end")
sys.exit(leave({code}))
"""


@pytest.mark.parametrize("busy", [True, False])
@pytest.mark.parametrize("code", [0, 3])
def test_exit_code_and_output_are_kept(busy: bool, code: int) -> None:
    done = subprocess.run(
        [sys.executable, "-c", CODE.format(busy=busy, code=code)],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    assert (done.returncode, done.stdout, done.stderr) == (code, "end\nlast words\n", "")
