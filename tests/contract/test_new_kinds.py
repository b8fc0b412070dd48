"""What is new is one file and one line: what only a test registers works as all that is there does.

Each in a process of its own: the types of a scene are made from the registries when they are loaded.
"""

import os
import subprocess
import sys

from tests.paths import ROOT

HERE = ROOT / "tests" / "contract"
TESTS = ["test_edits.py", "test_rows.py", "test_examples.py"]


def run(plugin: str, *arguments: str) -> None:
    command = [sys.executable, "-m", "pytest", "-q", "-p", f"tests.contract.prototypes.{plugin}"]
    command += ["-p", "no:cacheprovider", "-p", "no:xdist", *arguments]
    # a worker of pytest-xdist must not pass its role on
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]
    assert "passed" in done.stdout
    assert "skipped" not in done.stdout


def test_joints_and_forces_that_only_a_test_registers_pass_the_contract_tests() -> None:
    run("new_kinds", "-k", "prototype or registered", *(str(HERE / name) for name in TESTS))


def test_joints_and_forces_that_only_a_test_registers_are_plotted_and_exported() -> None:
    run("new_kinds", str(HERE / "prototypes" / "shown.py"))


def test_a_motion_that_only_a_test_registers_passes_the_contract_tests() -> None:
    run("new_files", "-k", "prototype", *(str(HERE / name) for name in TESTS))


def test_motion_measure_analysis_command_and_format_that_only_a_test_registers_are_used() -> None:
    run("new_files", str(HERE / "prototypes" / "uses.py"))
