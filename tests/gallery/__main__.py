"""`python -m tests.gallery --out DIR` writes pictures of all there is, in two sizes and both themes.

Cut, faint or overlapping text is told on the way; `--only` takes names that begin so.
"""

import argparse
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from app.cli.driving.private_window import own_window, whole_picture
from app.window.main_window import MainWindow
from tests.gallery.checks import cut_texts, faint_texts, overlaps, raw_markup
from tests.gallery.shots import all_shots
from tests.gallery.staging import Shot, pass_time

SIZES = {"small": (1280, 800), "large": (2560, 1440)}
THEMES = ("light", "dark")


@contextmanager
def gallery_window(size: tuple[int, int], theme: str) -> Iterator[MainWindow]:
    """A window of its own at its default layout."""
    with own_window(offscreen=True) as window:
        window.settings.preferences = replace(window.settings.preferences, theme=theme)
        window.handlers.preferences.apply()
        window.resize(*size)
        pass_time(50)
        window.handlers.layout.reset()
        pass_time(50)
        yield window


def take(window: MainWindow, shot: Shot, folder: Path | None) -> list[str]:
    """Take one shot, and tell the texts in it that are cut, faint, raw or overlap."""
    faults: list[str] = []
    for number, widget in enumerate(shot.steps(window)):
        shown = window if widget is None else widget
        faults += getattr(shown, "faults", None) or [
            fault for check in (cut_texts, overlaps, faint_texts, raw_markup) for fault in check(shown)
        ]
        if folder is not None:
            path = folder / (shot.name + (f"-{number + 1}" if number else "") + ".png")
            path.parent.mkdir(parents=True, exist_ok=True)
            picture = whole_picture(window) if widget is None else widget.grab()
            assert picture.save(str(path)), path
    return faults


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.gallery", description=__doc__)
    parser.add_argument("--out", type=Path, required=True, metavar="DIR")
    parser.add_argument("--only", default="", metavar="NAME", help="shots whose names begin so")
    parser.add_argument("--size", choices=SIZES, action="append")
    parser.add_argument("--theme", choices=THEMES, action="append")
    given = parser.parse_args()
    count = 0
    for size in given.size or SIZES:
        for theme in given.theme or THEMES:
            with gallery_window(SIZES[size], theme) as window:
                for shot in all_shots():
                    if not shot.name.startswith(given.only):
                        continue
                    for fault in take(window, shot, given.out / f"{size}-{theme}"):
                        count += 1
                        sys.stdout.write(f"{size} {theme} {shot.name}: {fault}\n")
                        sys.stdout.flush()
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main())
