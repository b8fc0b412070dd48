"""What commands that simulate have in common: the file they write, the progress bar, the exit code."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from app.cli.failure import FAILED, INTERRUPTED
from app.cli.interrupt import cancel_on_interrupt
from app.cli.output import write_error
from app.cli.progress import ProgressBar
from app.platform.user_error import InputError

if TYPE_CHECKING:
    from engine import Scene, Trajectory


def check_file(file: Path, endings: Sequence[str], option: str = "--out") -> None:
    """Refuse a file that could not be written, before anything is computed."""
    if file.suffix.lower() not in endings:
        raise InputError(
            f"{option} {file}: unknown ending {file.suffix!r}", remedy=f"use one of {' '.join(endings)}"
        )
    if not file.parent.is_dir():
        raise InputError(f"{option} {file}: there is no folder {file.parent}", remedy="make it first")


def check_other_file(file: Path, source: Path, option: str = "--out") -> None:
    """Refuse to write a result over what it is computed from."""
    if file.exists() and source.exists() and file.samefile(source):
        raise InputError(f"{option} {file}: this is the file that is read", remedy="give another name")


def simulated(
    scene: "Scene", *, method: str | None = None, dt: float | None = None, duration: float | None = None
) -> "Trajectory":
    """Simulate with a progress bar; Ctrl-C keeps what was recorded."""
    from engine import simulate  # heavy: Numba

    with ProgressBar() as progress, cancel_on_interrupt() as cancel:
        return simulate(scene, method=method, dt=dt, duration=duration, progress=progress, cancel=cancel)


def estimate_error(trajectory: "Trajectory") -> bool:
    """By a second run, with a progress bar; False after Ctrl-C, when the verdict does without."""
    from engine.benchmarks.error_estimate import error_by_second_run

    with ProgressBar() as progress, cancel_on_interrupt() as cancel:
        trajectory.position_error = error_by_second_run(
            trajectory,
            progress=lambda share, words: progress(share, "second run at half the step"),
            cancel=cancel,
        )
        if cancel():
            write_error("stopped; the error of the positions is not estimated")
        return not cancel()


def exit_code(trajectory: "Trajectory | None") -> int:
    """How a run went, as shells expect it; without a run nothing went wrong."""
    if trajectory is None:
        return 0
    if trajectory.status.name == "CANCELLED":
        return INTERRUPTED
    return FAILED if trajectory.status.failed else 0
