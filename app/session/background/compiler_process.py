"""A program that is run to its end beside this one, line by line, and can be ended from another thread."""

from __future__ import annotations

import subprocess
from collections.abc import Callable

from app.session.background.python_child import child_environment


class CompilerProcess:
    """At most one at a time."""

    def __init__(self) -> None:
        self.process: subprocess.Popen[str] | None = None

    def run(self, command: list[str], tell: Callable[[str], object], wanted: Callable[[], bool]) -> int:
        """Run a program as long as it is wanted; each of its lines is told. Gives its exit code."""
        with subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env=child_environment(),
        ) as process:
            self.process = process
            if not wanted():  # since before `kill` could have found it
                process.kill()
            assert process.stdout is not None
            for line in process.stdout:
                tell(line.strip())
        self.process = None
        return process.returncode

    def kill(self) -> None:
        """End the program that is being run, if there is one."""
        process = self.process
        if process is not None:
            process.kill()
