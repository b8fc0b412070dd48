"""How far a run is to be trusted: green, amber or red, with the reasons and what to do.

Five questions: how large is the error of the positions, estimated by a second run at another step; is the
balance of energy kept; are the constraints; did the motion come near a singular configuration; are the
reactions unique. The verdict is the worst answer.
"""

from __future__ import annotations

import enum
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from engine.compiled.layout import Array
from engine.results.assessment.assess import CLOSED, GOOD, REMEDY, Assessment
from engine.results.assessment.conditioning import Conditioning
from engine.results.assessment.uniqueness import not_unique
from engine.results.channels import Channels
from engine.system.assembly.scaling import scales_of

ACCURATE, TOLERABLE = 1e-3, 1e-2  # error of positions over the size of the mechanism: green, amber, else red
NOTABLE = 0.1  # of what is too much: from here on it is amber
SAMPLES = 2000  # of a run that are looked at
POSITION_ERROR = "position_error"  # in files


class Level(enum.IntEnum):
    """From good to bad."""

    GREEN = 0
    AMBER = 1
    RED = 2


@dataclass(frozen=True)
class Finding:
    """The answer to one question."""

    question: str
    level: Level
    text: str
    remedy: str = ""


@dataclass(frozen=True)
class Trust:
    """All answers, and the estimated error of the positions [m] if that is among them."""

    findings: tuple[Finding, ...]
    error: float | None = None

    def __repr__(self) -> str:
        return f"<Trust {self.words}>"

    @property
    def estimated(self) -> bool:
        return self.error is not None

    @property
    def level(self) -> Level:
        return max((finding.level for finding in self.findings), default=Level.GREEN)

    @property
    def reasons(self) -> tuple[Finding, ...]:
        """What speaks against it, the worst first."""
        against = [finding for finding in self.findings if finding.level is not Level.GREEN]
        return tuple(sorted(against, key=lambda finding: -finding.level))

    @property
    def color(self) -> str:
        """The verdict in a word."""
        return self.level.name.lower()

    @property
    def words(self) -> str:
        """The verdict in a line."""
        if not self.reasons:
            return "green: nothing speaks against this run" + (
                "" if self.estimated else "; the error of the positions was not estimated"
            )
        first = self.reasons[0]
        return f"{self.color}: {first.text}" + (f"; {first.remedy}" if first.remedy else "")

    def to_dict(self) -> dict[str, Any]:
        """Plain data for files."""
        return {
            "level": self.color,
            "words": self.words,
            POSITION_ERROR: self.error,
            "findings": [
                {"question": f.question, "level": f.level.name.lower(), "text": f.text, "remedy": f.remedy}
                for f in self.findings
            ],
        }


def judge(parts: Sequence[tuple[Channels, Array, float]], error: float | None = None) -> Trust:
    """The verdict on a run: channels, samples and booked edits [J] of its segments; `error` [m], if known."""
    some = [(channels, thinned(samples), edits) for channels, samples, edits in parts if len(samples)]
    assessments = [
        _assessed(channels, whole, few, edits)
        for (channels, whole, edits), (_, few, _) in zip(
            [part for part in parts if len(part[1])], some, strict=True
        )
    ]
    findings = [_energy(assessments), _constraints(assessments)]
    findings += [_singular(assessments, some), _reactions(some)]
    findings += _numbers(assessments)
    if error is not None and some:
        findings.insert(0, _positions(error, scales_of(some[0][0].mechanism).length))
    return Trust(tuple(findings), error)


def judge_watched(assessment: Assessment) -> Trust:
    """The verdict on a run whose samples are not kept: what was seen of it on the way."""
    numbers = _numbers([assessment])
    return Trust((_energy([assessment]), _constraints([assessment]), *_jumps([assessment]), *numbers))


def thinned(samples: Array) -> Array:
    """At most so many samples, the last one among them."""
    stride = max(1, -(-len(samples) // SAMPLES))
    return samples[::-stride][::-1]


def _assessed(channels: Channels, whole: Array, few: Array, edits: float) -> Assessment:
    found = Assessment(channels.mechanism)
    first = whole[:1]
    start = channels.energy_before(np.array(first[0]))
    found.weigh(channels.evaluation(np.concatenate([first, few]), start_energy=start, edits=edits))
    found.follow(whole)
    return found


def _positions(error: float, length: float) -> Finding:
    share = error / length
    if not math.isfinite(share):
        return Finding("positions", Level.RED, "a run with another step did not come so far", REMEDY)
    level = Level.GREEN if share <= ACCURATE else Level.AMBER if share <= TOLERABLE else Level.RED
    text = f"positions are off by about {error:.2g} m, {share:.1g} of the size of the mechanism"
    return Finding("positions", level, text, "" if level is Level.GREEN else REMEDY)


def _energy(assessments: Sequence[Assessment]) -> Finding:
    worst = max(assessments, key=lambda one: one.share, default=None)
    share, error = (worst.share, worst.error) if worst is not None else (0.0, 0.0)
    level = Level.RED if share > GOOD else Level.AMBER if share > NOTABLE * GOOD else Level.GREEN
    part = f"{share:.1g} of the energy exchanged" if share else "which is rounding"
    text = f"the energy balance is off by {error:.2g} J, {part}"
    return Finding("energy", level, text, "" if level is Level.GREEN else REMEDY)


def _constraints(assessments: Sequence[Assessment]) -> Finding:
    worst = max(assessments, key=lambda one: one.gap.share, default=None)
    if worst is None or worst.gap.share == 0.0:
        return Finding("constraints", Level.GREEN, "the constraints are kept exactly")
    gap, row = worst.gap, worst.mechanism.rows[worst.gap.row]
    level = Level.RED if gap.share > CLOSED else Level.AMBER if gap.share > NOTABLE * CLOSED else Level.GREEN
    unit = row.unit.split()[0] if row.unit else ""
    text = f"{row.owner} {row.name!r} is open by up to {gap.value:.2g} {unit}, {gap.share:.1g} of the size"
    return Finding("constraints", level, text, "" if level is Level.GREEN else f"{REMEDY}, or projection")


def _numbers(assessments: Sequence[Assessment]) -> list[Finding]:
    """Numbers that are not finite, and wheels that slip."""
    return [
        Finding("numbers", Level.RED, warning.partition("; ")[0], warning.partition("; ")[2])
        for one in assessments
        for warning in one.accuracy_warnings()
        if "not finite" in warning or "slips" in warning
    ]


def _jumps(assessments: Sequence[Assessment]) -> list[Finding]:
    """The first jump of velocities, if there is one."""
    jumps = [jump for one in assessments if (jump := one.jump) is not None]
    if not jumps:
        return []
    text = f"velocities jump next to a singular configuration at {min(jumps):.4g} s"
    return [Finding("singular configurations", Level.RED, text, REMEDY)]


def _singular(assessments: Sequence[Assessment], parts: Sequence[tuple[Channels, Array, float]]) -> Finding:
    if jumps := _jumps(assessments):
        return jumps[0]
    nearest, when = math.inf, 0.0
    for channels, samples, _ in parts:
        if not channels.mechanism.rows:
            continue
        conditioning = Conditioning(channels.mechanism, np.array(samples))
        usual = float(np.median(conditioning.smallest)) or 1.0
        at = int(np.argmin(conditioning.smallest))
        share = float(conditioning.smallest[at]) / usual
        if conditioning.near_singular.any() and share < nearest:
            nearest, when = share, float(samples[at, 0])
    if math.isfinite(nearest):
        text = f"a singular configuration is passed at {when:.4g} s"
        return Finding(
            "singular configurations",
            Level.AMBER,
            text,
            "look at the motion there, and compare it with a smaller step",
        )
    return Finding("singular configurations", Level.GREEN, "no singular configuration is near")


def _reactions(parts: Sequence[tuple[Channels, Array, float]]) -> Finding:
    open_ = sorted({name for channels, samples, _ in parts for name in not_unique(channels, samples)})
    if not open_:
        return Finding("reactions", Level.GREEN, "reactions are unique")
    joints = sorted({name.split(".")[1] for name in open_ if name.startswith("joint.")})
    shown = ", ".join(joints[:4]) + (" …" if len(joints) > 4 else "")
    return Finding(
        "reactions",
        Level.AMBER,
        f"constraints are redundant: the motion is unique, what joints carry is not ({shown})",
        "ask the redundancy doctor before you use these reactions",
    )
