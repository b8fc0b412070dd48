"""Ctrl-C goes to all processes of a terminal: workers must not answer it, not even while they load."""

import signal
import subprocess
import sys

import pytest

from engine.studies.running.process_pool import deaf_to_interrupts

PROGRAM = """
import os, signal
signal.signal(signal.SIGINT, signal.SIG_DFL)  # what runs in the background of a shell ignores it
os.kill(os.getpid(), signal.SIGINT)
print('lives')
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no masks of signals")
def test_a_process_that_is_started_deaf_does_not_hear_an_interrupt() -> None:
    with deaf_to_interrupts():
        done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True)
    assert done.stdout == "lives\n"
    assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, [])
    heard = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True)
    assert heard.stdout == ""
