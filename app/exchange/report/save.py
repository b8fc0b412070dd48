"""A report of a run as a file: for the browser (.html) or for paper (.pdf)."""

from collections.abc import Sequence
from pathlib import Path

from app.exchange.report.formats import REPORT_FORMATS
from app.exchange.report.report import Report, report_of
from app.session.recorded.run import Run
from engine.progress import Cancel, Cancelled, Progress
from engine.results.files.whole_file import whole


def save_report(
    run: Run,
    file: Path,
    channels: Sequence[str] = (),
    *,
    message: str = "",
    folder: Path | None = None,
    progress: Progress | None = None,
    cancel: Cancel | None = None,
) -> Report:
    """Write the page, whole or not at all; raises OSError, Cancelled. `folder` is where mesh files are."""
    ending = file.suffix.lower()
    write = next(kind.write for kind in REPORT_FORMATS if ending in kind.endings)

    def done(share: float, words: str) -> None:
        if cancel is not None and cancel():
            raise Cancelled
        if progress is not None:
            progress(share, words)

    with whole(file) as temporary:
        temporary.touch()  # a folder that cannot be written is told before anything is drawn
        report = report_of(
            run,
            channels,
            message=message,
            folder=folder,
            progress=lambda share, words: done(0.5 * share, words),
        )
        data = write(report, lambda share, words: done(0.5 + 0.5 * share, words))
        temporary.write_bytes(data)
    return report
