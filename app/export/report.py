"""A report of a run: one HTML page that needs nothing else, with the scene inside."""

from __future__ import annotations

import base64
import os
import tempfile
from collections.abc import Sequence
from html import escape
from pathlib import Path

import imageio.v3 as imageio
import numpy as np

from app.export.film import Plan, Studio
from app.export.sheets import Line, Sheet, save_sheet
from app.qt import application
from app.run import Run
from app.theme import Theme
from engine.model.io import dumps
from engine.runtime.saving.base import program

PICTURE = (1280, 720)  # px
PLOT = (1600, 800)
FLOOR = 1e-18  # a logarithmic axis shows an exact zero here
GOOD_ENERGY = 1e-3  # of the energy that moves about
GOOD_VIOLATION = 1e-5  # m or rad
ENERGY = ("energy.kinetic", "energy.potential", "energy.total")
VIOLATION = ("violation.position", "violation.velocity")
STYLE = """
body { font: 15px/1.5 sans-serif; color: #1c232b; max-width: 60em; margin: 2em auto; padding: 0 1em; }
h1 { margin-bottom: 0; } h2 { margin-top: 1.6em; border-bottom: 1px solid #ccd3da; }
img, svg { max-width: 100%; height: auto; } table { border-collapse: collapse; }
td, th { padding: .15em 1em .15em 0; text-align: left; vertical-align: top; }
.good { color: #00734f; } .bad { color: #b3400a; } .muted { color: #66717d; }
pre { overflow: auto; font-size: 12px; }
"""


def verdict(run: Run) -> list[tuple[bool, str]]:
    """Whether the run is to be believed, one sentence per test."""
    _, table = run.table(("energy.kinetic", "energy.error", *VIOLATION))
    scale = float(np.nanmax(np.abs(table[:, 0]), initial=0.0))
    error = float(np.nanmax(np.abs(table[:, 1]), initial=0.0))
    gap = float(np.nanmax(np.abs(table[:, 2]), initial=0.0))
    share = error / scale if scale > 0.0 else 0.0
    energy = f"The balance of energy is kept to {error:.3g} J, {share:.2g} of the largest kinetic energy."
    joints = f"The constraints are kept to {gap:.3g} (m, rad)."
    return [(share <= GOOD_ENERGY, energy), (gap <= GOOD_VIOLATION, joints)]


def save_report(run: Run, file: Path, channels: Sequence[str] = (), *, message: str = "") -> None:
    """Write the page, whole or not at all; raises OSError."""
    temporary = file.with_name(f".{file.name}.{os.getpid()}.part")
    text = page(run, channels, message=message)
    try:
        temporary.write_text(text, encoding="utf-8")
        os.replace(temporary, file)
    except OSError as error:
        raise OSError(error.errno, f"{error.strerror}; nothing was saved", str(file)) from None
    finally:
        if temporary.exists():
            temporary.unlink()


def page(run: Run, channels: Sequence[str] = (), *, message: str = "") -> str:
    """The page as text."""
    application(offscreen=True)
    scene = run.scene
    tests = verdict(run)
    good = all(passed for passed, _ in tests)
    word = "This run is to be believed" if good else "This run is to be doubted"
    judged = "".join(f'<li class="{_class(passed)}">{escape(text)}</li>' for passed, text in tests)
    note = f"<p>{escape(message)}</p>" if message else ""
    plots = "".join(_plot(sheet) for sheet in _sheets(run, channels))
    text = dumps(scene)
    link = base64.b64encode(text.encode()).decode()
    return f"""<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>{escape(scene.title or run.name)}</title>
<style>{STYLE}</style></head><body>
<h1>{escape(scene.title or run.name)}</h1>
<p class="muted">{escape(run.name)}, {escape(program())}</p>
<p>{escape(scene.description)}</p>
<img alt="The mechanism at the end of the run" src="data:image/png;base64,{_picture(run)}">
<h2>Verdict</h2><p class="{_class(good)}"><b>{word}.</b></p><ul>{judged}</ul>{note}
<h2>How it was computed</h2><table>{_facts(run)}</table>
<h2>Plots</h2>{plots}
<h2>Scene</h2>
<p><a download="scene.json" href="data:application/json;base64,{link}">Save the scene file</a></p>
<details><summary>Show it</summary><pre>{escape(text)}</pre></details>
</body></html>
"""


def _class(good: bool) -> str:
    return "good" if good else "bad"


def _facts(run: Run) -> str:
    options = ", ".join(f"{name} = {value}" for name, value in run.options.items()) or "default"
    rows = {
        "Method": run.method,
        "Step": f"{run.dt:.6g} s",
        "Options": options,
        "Time": f"{run.t_first:.6g} s to {run.t_last:.6g} s",
        "Samples": str(run.count),
        "Bodies": str(len(run.scene.bodies)),
        "Joints": str(len(run.scene.joints)),
    }
    return "".join(
        f"<tr><th>{escape(name)}</th><td>{escape(value)}</td></tr>" for name, value in rows.items()
    )


def _sheets(run: Run, channels: Sequence[str]) -> list[Sheet]:
    found = [
        _sheet(run, "Energy", ENERGY, log=False),
        _sheet(run, "Constraint violation", VIOLATION, log=True),
    ]
    return found + [_sheet(run, name, (name,), log=False) for name in channels]


def _sheet(run: Run, title: str, names: Sequence[str], *, log: bool) -> Sheet:
    theme, lines = Theme(), []
    t, table = run.table(names)
    for i, name in enumerate(names):
        y = np.maximum(np.abs(table[:, i]), FLOOR) if log else table[:, i]
        lines.append(Line(name, run.unit(name), theme.plot_color(i), t, y))
    units = " | ".join(dict.fromkeys(line.unit for line in lines))
    return Sheet(title, "time [s]", units, log, (run.t_first, run.t_last), tuple(lines))


def _plot(sheet: Sheet) -> str:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "plot.svg"
        save_sheet(sheet, file, PLOT)
        text = file.read_text(encoding="utf-8")
    return f"<figure>{text[text.index('<svg') :]}</figure>"


def _picture(run: Run) -> str:
    studio = Studio(run, Plan(size=PICTURE, view="saved"))
    try:
        for t in np.linspace(run.t_first, run.t_last, 3):  # traces are laid on the way
            picture = studio.picture(float(t))
    finally:
        studio.close()
    return base64.b64encode(imageio.imwrite("<bytes>", picture, extension=".png")).decode()
