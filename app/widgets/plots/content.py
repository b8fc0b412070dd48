"""What a plot shows: its channels and their units, which axis they have, what it is called."""

from collections.abc import Mapping
from typing import Any

from app.platform.appearance import Look
from app.session.recorded.run import Run
from app.widgets.plots.curves.wrapping import TURN

OPTIONS = {"wrap": False, "extremes": False, "two_axes": True}  # ways to show channels, as they are at first
OPTION_TEXTS = {
    "wrap": "Angles from 0 to a whole turn",
    "extremes": "Mark smallest and largest values",
    "two_axes": "Second axis for another unit",
}
LONGEST_LABEL = 12  # characters beside a low plot


class PlotContent:
    """`kind` is "time", "phase" or "spectrum"."""

    def __init__(self, look: Look, kind: str, title: str, *, log: bool) -> None:
        self._look, self.kind, self.title, self.log = look, kind, title, log
        self.channels: list[str] = []
        self.wrap = False  # angles from 0 to a whole turn
        self.extremes = False  # smallest and largest values are marked
        self.two_axes = True  # channels of another unit have an axis of their own
        self.right: frozenset[str] = frozenset()  # channels of the axis at the right
        self.not_unique: set[str] = set()  # channels that redundant constraints leave open
        self._units: dict[str, str] = {}

    # channels

    def add(self, name: str) -> None:
        if name not in self.channels or (self.kind == "phase" and len(self.channels) < 2):  # over itself
            self.channels.append(name)

    def remove(self, name: str) -> None:
        self.channels = [other for other in self.channels if other != name]

    def rename(self, names: Mapping[str, str]) -> None:
        """Elements have other names: `body.crank` → "arm"."""
        for old, new in names.items():
            noun = old.split(".", 1)[0]
            self.channels = [
                f"{noun}.{new}{name[len(old) :]}" if name == old or name.startswith(f"{old}.") else name
                for name in self.channels
            ]

    def become(self, title: str, channels: list[str] | tuple[str, ...]) -> None:
        """Something else, as a new plot of the same kind would show it."""
        self.title, self.channels = title, []
        for name in channels:
            self.add(name)
        self._units, self.not_unique = {}, set()

    # options

    def choose(self, facts: Mapping[str, Any]) -> None:
        """How the channels are shown, as `save` has it."""
        for option, default in OPTIONS.items():
            setattr(self, option, bool(facts.get(option, default)))

    def save(self) -> dict[str, Any]:
        facts = {"kind": self.kind, "title": self.title, "log": self.log, "channels": list(self.channels)}
        chosen = {name: getattr(self, name) for name in OPTIONS}
        return facts | {name: on for name, on in chosen.items() if on != OPTIONS[name]}

    def is_useful(self, option: str) -> bool:
        """Whether it would change what is seen."""
        units = [self._units.get(name, "") for name in self.channels]
        angles = "rad" in units and not self.log and self.kind != "spectrum"
        several = len(set(units)) > 1 and not self.log and self.kind == "time"
        return {"wrap": angles, "two_axes": several, "extremes": self.kind == "time"}[option]

    # names

    @property
    def name(self) -> str:
        """The title, or what the plot shows."""
        if self.title:
            return self.title
        if self.kind == "phase" and len(self.channels) > 1:
            across, up = (self.short(name) for name in self.channels[:2])
            return f"{up} over {across}"
        return ", ".join(map(self.short, self.channels))

    def short(self, name: str) -> str:
        """The name without what all channels of the plot begin with."""
        head, _, rest = name.partition(".")
        alike = len(self.channels) > 1 and all(other.partition(".")[0] == head for other in self.channels)
        return rest if alike else name

    # units and axes

    def read_units(self, run: Run) -> None:
        for name in self.channels:
            if name not in self._units:
                try:
                    self._units[name] = str(run.unit(name))
                except KeyError:
                    self._units[name] = ""
                if not run.is_unique(name):
                    self.not_unique.add(name)

    def si_unit(self, name: str) -> str:
        return self._units.get(name, "")

    def factor(self, name: str) -> float:
        """What one of the unit that is shown is in SI."""
        return self._look.units.factor(self._units.get(name, ""))

    def unit(self, name: str) -> str:
        """The unit that is shown; a violation has those of all its rows, `m, rad`."""
        return self._look.units.shown(self._units.get(name, ""))

    def share_axes(self) -> bool:
        """Channels of another unit than the first go to the axis at the right; whether that is news."""
        units = [self.unit(name) for name in self.channels]
        several = self.two_axes and self.kind == "time" and not self.log and len(set(units)) > 1
        before, self.right = self.right, frozenset()
        if several:
            self.right = frozenset(
                n for n, unit in zip(self.channels, units, strict=True) if unit != units[0]
            )
        return self.right != before

    def on_axis(self, *, right: bool) -> list[str]:
        """The channels of one of the two axes."""
        return [name for name in self.channels if (name in self.right) is right]

    def periods(self) -> dict[str, float]:
        """A whole turn of the channels that are drawn within one, in shown units."""
        if not self.wrap or self.log or self.kind == "spectrum":
            return {}
        angles = [name for name in self.channels if self._units.get(name) == "rad"]
        return {name: TURN / self.factor(name) for name in angles}

    def axis_units(self, *, right: bool = False) -> str:
        return " | ".join(dict.fromkeys(filter(None, map(self.unit, self.on_axis(right=right)))))

    @property
    def crowded(self) -> bool:
        """Whether the units would be cut off at the side of a low plot."""
        return len(self.axis_units()) > LONGEST_LABEL

    def axis_labels(self) -> dict[str, str]:
        """What stands beside each axis."""
        if self.kind == "phase":
            # the heading names both; beside a low plot there is room for a unit only
            bottom = f"{self.short(self.channels[0])} [{self.unit(self.channels[0])}]"
            left = self.unit(self.channels[1]) if len(self.channels) > 1 else ""
        else:
            bottom = ""  # the ticks carry the unit, which leaves more room for the curves
            left = self.axis_units()
            if self.crowded:  # the heading names the units, the axis what is drawn
                nouns = {name.split(".")[0] for name in self.channels}
                left = nouns.pop() if len(nouns) == 1 else ""
        return {"bottom": bottom, "left": left, "right": self.axis_units(right=True) if self.right else ""}
