"""Plots drawn by another process, as large ones take seconds: `python -m app.exchange.sheets.sheet_process`.

It reads one JSON object: the plots with their numbers, the file, the size, the look. Where several plots are
written, all of them are, or none.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from app.exchange.jobs.child_process import ChildJob
from app.exchange.sheets.packed_sheets import packed, unpacked
from app.exchange.sheets.sheets import Sheet, save_sheets, sheet_files
from engine.progress import Cancel, Progress
from engine.results.assessment.trust import Trust

FindTrust = Callable[[], Trust | None]  # in the run that plots show; asked for on the thread of the job


class SheetJob(ChildJob):
    """Write plots as files; begins at once."""

    def __init__(
        self,
        sheets: Sequence[Sheet],
        file: Path,
        *,
        size: tuple[int, int],
        dark: bool,
        paper: bool,
        find_trust: FindTrust | None = None,
    ) -> None:
        self._sheets, self._path = list(sheets), file.resolve()
        self._look = {"size": size, "dark": dark, "paper": paper}
        self._find_trust = find_trust
        super().__init__(self._make)

    @property
    def files(self) -> list[Path]:
        return sheet_files(self._sheets, self._path)

    def _make(self, progress: Progress, cancel: Cancel) -> None:
        trust = self._find_trust() if self._find_trust is not None else None
        told = trust.to_dict() if trust is not None else None
        plots = [packed(replace(sheet, trust=told)) for sheet in self._sheets]
        text = json.dumps({"sheets": plots, "file": str(self._path), **self._look})
        self.call([__name__], self.files, progress, cancel, feed=text)


def main() -> int:
    """The other process."""
    from app.platform.application import application
    from app.platform.theme import Theme

    if hasattr(os, "nice"):
        os.nice(10)
    data = json.load(sys.stdin)
    application(offscreen=True)

    def progress(share: float, _words: str) -> None:
        sys.stdout.write(json.dumps({"progress": share}) + "\n")
        sys.stdout.flush()

    try:
        save_sheets(
            [unpacked(sheet) for sheet in data["sheets"]],
            Path(data["file"]),
            size=tuple(data["size"]),
            theme=Theme(dark=True) if data["dark"] else Theme(),
            paper=data["paper"],
            progress=progress,
        )
    except (OSError, ValueError) as error:
        sys.stderr.write(f"{getattr(error, 'strerror', None) or error} ({data['file']})\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
