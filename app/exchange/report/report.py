"""A report of a run: what it tells, whatever it is written in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import imageio.v3 as imageio
import numpy as np

from app.document.channels.usual_channels import ENERGY, VIOLATION
from app.exchange.film.film import Plan, Studio
from app.exchange.report.matrix_picture import matrix_picture
from app.exchange.runs.extracts import parts_of, trust_of
from app.exchange.sheets.sheets import Line, Sheet
from app.platform.application import application
from app.platform.plain_text import capitalised
from app.platform.theme import Theme
from app.session.recorded.run import Run
from engine.model.files.scene_file import dumps
from engine.model.rounding_noise import length_of, noise_floor
from engine.progress import Progress
from engine.results.assessment.assess import CLOSED, GOOD, assess
from engine.results.assessment.trust import Finding, Level, Trust, judge
from engine.results.files.formats.base import program

PICTURE = (1280, 720)  # px
TOLD = ("positions", "singular configurations", "reactions")  # beside energy and constraints


@dataclass(frozen=True)
class Report:
    """All that a page tells, whatever it is written in."""

    title: str
    made_by: str  # run and program
    description: str
    picture: bytes  # PNG
    believed: bool
    color: str  # of the verdict: green, amber or red
    tests: tuple[tuple[bool, str], ...]  # of its accuracy, one sentence each
    message: str
    facts: dict[str, str]
    sheets: tuple[Sheet, ...]
    scene: str  # the scene file
    matrix: bytes = b""  # PNG of the pattern of its equations; empty: there is none

    @property
    def accuracy(self) -> str:
        return f"This run is to be {'believed' if self.believed else 'doubted'}: trust {self.color}."


def accuracy(run: Run, trust: Trust) -> list[tuple[bool, str]]:
    """Whether the run is to be believed, one sentence per test."""
    found = [
        assess(
            part.mechanism,
            part.channels.evaluations(np.array(part.recorder.samples()), edits=part.recorded.edits),
        )
        for part in run.readers()
        if len(part.recorder)
    ]
    worst = max(found, key=lambda one: (one.share, one.error))
    gap = max((one.gap for one in found), key=lambda one: one.share)
    part = f"{worst.share:.2g} of what is exchanged" if worst.share else "which is rounding"
    tests = [
        (worst.share <= GOOD, f"The balance of energy is kept to {worst.error:.3g} J, {part}."),
        (
            gap.share <= CLOSED,
            f"The constraints are kept to {gap.value:.3g} (m, rad), {gap.share:.2g} of the mechanism.",
        ),
    ]
    jumps = [one.jump for one in found if one.jump is not None]
    if jumps:
        tests.append((False, f"The velocities jump next to a singular configuration at {min(jumps):.6g} s."))
    more = [finding for finding in trust.findings if finding.question in TOLD]
    told = "singular configurations" if jumps else ""  # above
    tests += [(one.level is not Level.RED, _sentence(one)) for one in more if one.question != told]
    return tests


def _sentence(finding: Finding) -> str:
    remedy = f" To do: {finding.remedy}." if finding.remedy else ""
    return f"{capitalised(finding.text)}.{remedy}"


def report_of(
    run: Run,
    channels: Sequence[str] = (),
    *,
    message: str = "",
    folder: Path | None = None,
    progress: Progress = lambda share, words: None,
) -> Report:
    application(offscreen=True)
    trust = trust_of(run) or judge(parts_of(run))
    tests = tuple(accuracy(run, trust))
    progress(0.2, "drawing")
    picture = _picture(run, folder)
    progress(0.6, "plotting")
    sheets = _sheets(run, channels)
    progress(1.0, "writing")
    return Report(
        title=run.scene.title or run.name,
        made_by=f"{run.name}, {program()}",
        description=run.scene.description,
        picture=picture,
        believed=all(passed for passed, _ in tests),
        color=trust.color,
        tests=tests,
        message=message,
        facts=_facts(run),
        sheets=sheets,
        scene=dumps(run.scene),
        matrix=matrix_picture(run.scene),
    )


def _facts(run: Run) -> dict[str, str]:
    options = ", ".join(f"{name} = {value}" for name, value in run.options.items()) or "default"
    return {
        "Method": run.method,
        "Step": f"{run.dt:.6g} s",
        "Options": options,
        "Time": f"{run.t_first:.6g} s to {run.t_last:.6g} s",
        "Samples": str(run.count),
        "Bodies": str(len(run.scene.bodies)),
        "Joints": str(len(run.scene.joints)),
    }


def _sheets(run: Run, channels: Sequence[str]) -> tuple[Sheet, ...]:
    return (
        _sheet(run, "Energy", ENERGY, log=False),
        _sheet(run, "Constraint violation", VIOLATION, log=True),
        *(_sheet(run, name, (name,), log=False) for name in channels),
    )


def _sheet(run: Run, title: str, names: Sequence[str], *, log: bool) -> Sheet:
    theme, lines = Theme(), []
    t, table = run.table(names)
    noise = noise_floor(length_of(run.scene))  # what is smaller says nothing: a logarithmic axis ends there
    for i, name in enumerate(names):
        y = np.maximum(np.abs(table[:, i]), noise) if log else table[:, i]
        lines.append(Line(name, run.unit(name), theme.plot_color(i), t, y))
    units = " | ".join(dict.fromkeys(line.unit for line in lines))
    return Sheet(title, "time [s]", units, log, (run.t_first, run.t_last), tuple(lines))


def _picture(run: Run, folder: Path | None) -> bytes:
    studio = Studio(run, Plan(size=PICTURE, view="saved"), folder)
    try:
        for t in np.linspace(run.t_first, run.t_last, 3):  # traces are laid on the way
            picture = studio.picture(float(t))
    finally:
        studio.close()
    return bytes(imageio.imwrite("<bytes>", picture, extension=".png"))
