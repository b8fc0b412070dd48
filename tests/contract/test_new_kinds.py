"""A new joint and a new force are one file and one line: with them the contract tests pass."""

import os
import subprocess
import sys

from tests.paths import ROOT

TESTS = ["test_edits.py", "test_rows.py", "test_examples.py"]


def test_kinds_that_are_registered_by_a_test_alone_pass_the_contract_tests() -> None:
    """In a process of its own: the types of a scene are made from the registries when they are loaded."""
    command = [sys.executable, "-m", "pytest", "-q", "-p", "tests.contract.prototypes.new_kinds"]
    command += [
        "-p",
        "no:cacheprovider",
        "-p",
        "no:xdist",
        "-k",
        "prototype or registered",
    ]
    command += [str(ROOT / "tests" / "contract" / name) for name in TESTS]
    # a worker of pytest-xdist must not pass its role on
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]
    assert "passed" in done.stdout
    assert "skipped" not in done.stdout
