"""What the selected element does at the instant that is shown, above the fields that hold its start."""

from __future__ import annotations

import math
from html import escape

from PySide6.QtCore import QTimer
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLabel

from app.document.channels.channel_prefix import LISTS_WITH_CHANNELS, channel_prefix
from app.document.document import Ref, find
from app.platform.appearance import wrap
from app.platform.plain_text import unbroken
from app.platform.units import Units, plain_number
from app.session.recorded.run import Run
from app.session.session import Session
from engine.analyses.kinematics.four_bars import FourBar, four_bars
from engine.compiled.layout import Array
from engine.model.rounding_noise import largest, noise_floor
from engine.model.scene import Scene

TITLES = {
    "pos": "Position",
    "vel": "Velocity",
    "acc": "Acceleration",
    "omega": "Angular velocity",
    "": "Value",
}
LEFT_OUT = ("quat", "com", "point", "omega_body", "alpha", "violation")  # plots have them
AXES = ("x", "y", "z", "fx", "fy", "fz", "tx", "ty", "tz")
DIGITS = 5
SMALL = 1.0  # SI: noise is that of numbers of this size at least
CLOSED = 1e-11  # m, rad: drawn places have twelve digits, and loops are closed to no more
EVERY = 100  # ms: faster than numbers can be read
WIDEST = "-0.00012345"  # a number of so many digits
TITLE_SHARE = 0.5  # of the width that titles take at most
PADDING = 16  # px between titles and values, and about both


def present_values(run: Run, t: float, scene: Scene, ref: Ref, units: Units) -> list[tuple[str, str]]:
    """Titles and values with units of what is recorded of an element; vectors in one line.

    Values are interpolated, not states: halfway between two poses of a bar its pin is off by their distance
    squared.
    """
    prefix = channel_prefix(scene, ref)
    segment, samples, share = run.samples_around(t)
    evaluation = segment.channels.evaluation(samples)
    groups: dict[tuple[str, str], list[float]] = {}
    for name in segment.channels.names():
        rest = name[len(prefix) :]
        if not name.startswith(prefix) or rest[:1] not in ("", "."):
            continue
        words = rest[1:].split(".")
        if words[0] in LEFT_OUT:
            continue
        group = ".".join(words[:-1] if words[-1] in AXES else words)
        value = _between(segment.channels[name].read(evaluation), share, segment.channels.unit(name))
        groups.setdefault((group, segment.channels.unit(name)), []).append(value)
    return [(_title(group, unit), _text(values, unit, units)) for (group, unit), values in groups.items()]


def _between(values: Array, share: float, unit: str) -> float:
    first, last = float(values[0]), float(values[-1])
    if unit == "rad" and abs(last - first) > math.pi:  # an angle that begins a new turn
        return last if share > 0.5 else first
    return first + share * (last - first)


def _title(group: str, unit: str) -> str:
    if group == "reaction":
        return "Reaction torque" if unit == "N·m" else "Reaction force"
    return TITLES.get(group) or group.replace(".", " ").capitalize()


def _text(values: list[float], unit: str, units: Units) -> str:
    floor = max(noise_floor(max(largest(values), SMALL)), CLOSED if unit in ("m", "rad") else 0.0)
    numbers = (0.0 if abs(value) < floor else value / units.factor(unit) for value in values)
    return f"{', '.join(plain_number(number, DIGITS) for number in numbers)} {units.shown(unit)}".rstrip()


def _unbroken(text: str) -> str:
    """The unit stays in the line of its number, and in one piece."""
    head, blank, unit = text.rpartition(" ")
    return head + unbroken(blank + unit)


def widest_text(text: str) -> str:
    """The same numbers and unit when all of them are as wide as they can be."""
    *others, last = text.split(", ")
    return ", ".join([WIDEST] * len(others) + [" ".join([WIDEST, *last.split(" ")[1:]])])


class PresentCard(QLabel):
    """Follows the playhead; empty without a run or with several elements."""

    def __init__(self, session: Session, name: str) -> None:
        super().__init__()
        self.setObjectName(name)
        wrap(self)
        self._session = session
        self._refs: tuple[Ref, ...] = ()
        self._units = Units()
        self._looked: Scene | None = None  # the scene whose four-bars are known
        self._loops: list[FourBar] = []
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(EVERY)
        self._timer.timeout.connect(self._show_now)
        session.advanced.connect(self._advanced)

    def follow(self, refs: tuple[Ref, ...], units: Units) -> None:
        """Show these elements from now on."""
        self._refs, self._units = refs, units
        self._show_now()

    def _advanced(self) -> None:
        if self._refs and not self._timer.isActive():
            self._timer.start()

    def _show_now(self) -> None:
        lines = self._lines()
        advance = self.fontMetrics().horizontalAdvance
        widest = max((advance(title) for title, _ in lines), default=0)
        first = min(widest + PADDING, round(TITLE_SHARE * self.width()))
        rest = self.width() - first
        rows = "".join(
            f"<tr><td width={first}>{escape(title)}</td><td>{self._in_lines(text, rest)}</td></tr>"
            for title, text in lines
        )
        self.setText(f"Now, t = {self._session.t:.3f} s<table>{rows}</table>" if rows else "")
        self.setVisible(bool(rows))

    def _in_lines(self, text: str, width: int) -> str:
        """One line, or one per number if the widest would not fit: nothing moves up and down as it plays."""
        shown = _unbroken(escape(text))
        narrow = self.fontMetrics().horizontalAdvance(widest_text(text)) + PADDING > width
        return shown.replace(", ", ",<br>") if narrow else shown

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width() and self._refs:
            self._show_now()

    def _lines(self) -> list[tuple[str, str]]:
        self.setToolTip("")
        run = self._session.runs.current
        if len(self._refs) != 1 or self._refs[0].where not in LISTS_WITH_CHANNELS or run is None or run.empty:
            return []
        if not run.has_channels:
            return []
        scene = run.scene_at(self._session.t)
        if find(scene, self._refs[0]) is None:
            return []
        lines = present_values(run, self._session.t, scene, self._refs[0], self._units)
        return [*lines, *self._four_bar_lines(scene, self._refs[0])]

    def _four_bar_lines(self, scene: Scene, ref: Ref) -> list[tuple[str, str]]:
        """Grashof's class of the four-bars that a body or joint belongs to, with the reason."""
        if ref.where not in ("bodies", "joints"):
            return []
        if self._looked is not scene:
            self._looked, self._loops = scene, four_bars(scene)
        found = [loop for loop in self._loops if ref.name in (*loop.bodies, *loop.joints)]
        self.setToolTip("\n".join(": ".join(loop.grashof) for loop in found))
        return [line for loop in found for line in (("Four-bar", loop.grashof[0]), ("", self._reason(loop)))]

    def _reason(self, loop: FourBar) -> str:
        """Grashof's condition in numbers; words would be cut off in a small window."""
        (both, rest), word = loop.sums, loop.grashof[0]
        sign = "=" if word == "change point" else ">" if both > rest else "<"
        texts = [self._units.full_text(length, "m", 4) for length in (both, rest)]
        return f"short + long {texts[0]} {sign} {texts[1]}"
