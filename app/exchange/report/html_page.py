"""The report as one HTML page that needs nothing else, with the scene inside."""

from __future__ import annotations

import base64
from html import escape

from app.exchange.report.report import Report
from app.exchange.sheets.sheets import Sheet, svg
from engine.progress import Progress

PLOT = (1600, 800)  # px
EQUATIONS = "The matrix that constraint forces are found from, in three orderings."
STYLE = """
body { font: 15px/1.5 sans-serif; color: #1c232b; max-width: 60em; margin: 2em auto; padding: 0 1em; }
h1 { margin-bottom: 0; } h2 { margin-top: 1.6em; border-bottom: 1px solid #ccd3da; }
img, svg { max-width: 100%; height: auto; } table { border-collapse: collapse; }
td, th { padding: .15em 1em .15em 0; text-align: left; vertical-align: top; }
.good { color: #00734f; } .bad { color: #b3400a; } .muted { color: #66717d; }
pre { overflow: auto; font-size: 12px; }
"""


def html(report: Report, progress: Progress) -> bytes:
    """The page as text."""
    judged = "".join(f'<li class="{_class(passed)}">{escape(text)}</li>' for passed, text in report.tests)
    note = f"<p>{escape(report.message)}</p>" if report.message else ""
    rows = "".join(
        f"<tr><th>{escape(name)}</th><td>{escape(value)}</td></tr>" for name, value in report.facts.items()
    )
    plots = []
    for i, sheet in enumerate(report.sheets):
        plots.append(_plot(sheet))
        progress((i + 1) / len(report.sheets), "plotting")
    return f"""<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>{escape(report.title)}</title>
<style>{STYLE}</style></head><body>
<h1>{escape(report.title)}</h1>
<p class="muted">{escape(report.made_by)}</p>
<p>{escape(report.description)}</p>
<img alt="The mechanism at the end of the run" src="data:image/png;base64,{_encoded(report.picture)}">
<h2>Accuracy</h2><p class="{_class(report.believed)}"><b>{report.accuracy}</b></p><ul>{judged}</ul>{note}
<h2>How it was computed</h2><table>{rows}</table>
<h2>Plots</h2>{"".join(plots)}
{_matrix(report.matrix)}
<h2>Scene</h2>
<p><a download="scene.json" href="data:application/json;base64,{_encoded(report.scene.encode())}">
Save the scene file</a></p>
<details><summary>Show it</summary><pre>{escape(report.scene)}</pre></details>
</body></html>
""".encode()


def _class(good: bool) -> str:
    return "good" if good else "bad"


def _encoded(data: bytes) -> str:
    return base64.b64encode(data).decode()


def _matrix(png: bytes) -> str:
    if not png:
        return ""
    picture = f'<img alt="Patterns of the equations" src="data:image/png;base64,{_encoded(png)}">'
    return f"<h2>Equations</h2><p>{EQUATIONS}</p>{picture}"


def _plot(sheet: Sheet) -> str:
    text = svg(sheet, PLOT).decode()
    return f"<figure>{text[text.index('<svg') :]}</figure>"
